import { standardHeaderNames, webhookHeaderNames } from '@servery/webhooks';
import { exampleOf } from '../examples.ts';
import { type JsonSchema, referencedNames, resourceSchema } from '../json-schema.ts';
import { type EventKind, type EventType, eventKinds, eventTypes } from '../schemas/event-types.ts';
import type { WebhookEvent } from '../schemas/events.ts';
import { schemaBase } from './responses.ts';

export const webhookSecurityName = 'webhookSignature';

export const webhookSecurityScheme: JsonSchema = {
  type: 'apiKey',
  in: 'header',
  name: standardHeaderNames.signature,
  description:
    'Standard Webhooks signatures, one for each live secret: v1 and the Base64 of HMAC-SHA256 ' +
    'over webhook-id, webhook-timestamp, and the raw body, joined by periods.',
};

export function webhooksObject(brand: string): JsonSchema {
  const entries = eventTypes.map((type) => [
    type,
    {
      post: {
        operationId: `webhooks.${type}`,
        tags: ['Events'],
        summary: eventKinds[type].title,
        description: `${eventKinds[type].description} ${scopeText(type)}${RULES}`,
        security: [{ [webhookSecurityName]: [] }],
        parameters: headersOf(type, brand),
        requestBody: {
          description: 'The event, with the same bytes in every attempt.',
          required: true,
          content: {
            'application/json': {
              schema: {
                allOf: [
                  { $ref: `${schemaBase}${eventKinds[type].schema}` },
                  { type: 'object', properties: { eventType: { const: type } } },
                ],
              },
              example: eventExample(type, brand),
            },
          },
        },
        responses,
      },
    },
  ]);
  return Object.fromEntries(entries);
}

/** A full example of an event of the type. */
function eventExample(type: EventType, brand: string): WebhookEvent {
  const example = exampleOf({ schema: eventKinds[type].schema, array: false }, brand);
  return { ...(example as WebhookEvent), eventType: type } as WebhookEvent;
}

function scopeText(type: EventType): string {
  const { scope, unlessScope }: EventKind = eventKinds[type];
  if (scope === null) return '';
  const without = unlessScope ? ` without ${unlessScope}` : '';
  return `Only for endpoints of accounts that hold ${scope}${without}. `;
}

const RULES =
  'The platform posts the event at least once to each endpoint that subscribes to the ' +
  'type. Every attempt has the same body and the same guid. Verify the signature over ' +
  'the raw body before you trust it. Return a 2xx before you process it.';

const responses: JsonSchema = {
  '200': { description: 'Any 2xx acknowledges the event.' },
  '3XX': { description: 'Redirects are never followed, and the event is not sent again.' },
  '404': { description: 'The platform retries the event on the schedule of the endpoint.' },
  '410': { description: 'The endpoint is gone. It is paused, and its queue is kept.' },
  '429': { description: 'The platform retries the event, but not before the time in Retry-After.' },
  '4XX': { description: 'The endpoint refused the event. It is kept among the dead letters.' },
  '5XX': { description: 'The platform retries the event on the schedule of the endpoint.' },
};

const count = { type: 'integer', format: 'int32', minimum: 1, maximum: 2 ** 31 - 1 };
const seconds = {
  ...{ type: 'integer', format: 'int64', minimum: 0 },
  maximum: Number.MAX_SAFE_INTEGER,
};

function headersOf(type: EventType, brand: string): JsonSchema[] {
  const names = webhookHeaderNames(brand);
  const text = { type: 'string' };
  const { category } = eventKinds[type];
  return [
    header(names.eventType, 'The type of the event.', { const: type }, type),
    header(names.eventCategory, 'The category of the event.', { const: category }, category),
    header(names.attemptNumber, 'Number of the attempt, starting at 1.', count, 1),
    header(
      names.signature,
      'Base64 of HMAC-SHA256 over the raw body and its own timestamp, with the oldest live ' +
        'secret.',
      text,
      'qmP9UlxqUwS0LxJpIjFf0dkhp7mgUMnJYhHk7GDhqHY=',
    ),
    mark(names.replay, 'Present if somebody requested a replay of the event.'),
    mark(names.test, 'Present if the event is a test of the endpoint.'),
    header(
      standardHeaderNames.id,
      'The guid of the event.',
      { type: 'string', format: 'uuid' },
      eventExample(type, brand).guid,
    ),
    header(
      standardHeaderNames.timestamp,
      'Time of the attempt, in seconds since the epoch.',
      seconds,
      1_769_882_400,
    ),
  ];
}

function mark(name: string, description: string): JsonSchema {
  return { ...header(name, description, { const: 'true' }, 'true'), required: false };
}

function header(name: string, description: string, schema: JsonSchema, example: unknown) {
  return { name, in: 'header', description, required: true, schema, example };
}

export function webhookBodySchemas(): Readonly<Record<string, JsonSchema>> {
  const base = '#/$defs/';
  const entries = eventTypes.map((type) => {
    const { schema, title, description } = eventKinds[type];
    const body = openToMore(resourceSchema(schema, base));
    const definitions = definitionsFor(body, base);
    const { properties } = body as { properties: Record<string, JsonSchema> };
    return [
      type,
      {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        title,
        ...body,
        description,
        properties: { ...properties, eventType: { const: type, description: 'What happened.' } },
        $defs: definitions,
      },
    ] as const;
  });
  return Object.fromEntries(entries);
}

/** Of all resources that the schema names, and that they name in turn. */
function definitionsFor(schema: JsonSchema, base: string): Record<string, JsonSchema> {
  const definitions: Record<string, JsonSchema> = {};
  const waiting = [schema];
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    for (const name of referencedNames(next, base)) {
      if (definitions[name]) continue;
      const definition = openToMore(resourceSchema(name, base));
      definitions[name] = definition;
      waiting.push(definition);
    }
  }
  return definitions;
}

/** A receiver that refuses unknown fields would break with the first new one. */
function openToMore({ additionalProperties: _, ...schema }: JsonSchema): JsonSchema {
  return schema;
}
