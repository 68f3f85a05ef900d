import assert from 'node:assert/strict';
import { test } from 'node:test';
import { standardHeaderNames, webhookHeaderNames } from '@servery/webhooks';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { openApiDocument } from '../openapi.ts';
import { eventTypes } from '../schemas/event-types.ts';
import type { WebhookEvent } from '../schemas/events.ts';
import { webhookBodySchemas } from './webhooks.ts';

interface Webhook {
  readonly post: {
    readonly parameters: readonly { readonly name: string; readonly required: boolean }[];
    readonly security: readonly object[];
    readonly responses: object;
    readonly requestBody: {
      readonly content: Readonly<Record<string, { readonly example: WebhookEvent }>>;
    };
  };
}

const webhooksOf = (...given: Parameters<typeof openApiDocument>) =>
  openApiDocument(...given).webhooks as Readonly<Record<string, Webhook>>;

function validatorOf(type: string) {
  const ajv = new Ajv2020({ strict: true, allErrors: true });
  addFormats.default(ajv);
  for (const format of ['int32', 'int64']) ajv.addFormat(format, true);
  const schema = webhookBodySchemas()[type];
  assert.ok(schema);
  return ajv.compile(schema);
}

test('openapi PTN-7: every type of event is a webhook of the platform and of the whole', () => {
  for (const subject of ['platform', 'all'] as const) {
    assert.deepEqual(Object.keys(webhooksOf(subject)).sort(), [...eventTypes].sort());
  }
  assert.equal(openApiDocument('partners').webhooks, undefined);
});

test('openapi PTN-7: a webhook has its headers, its signature and what each answer means', () => {
  const { post } = webhooksOf('all').partner_removed ?? {};
  assert.ok(post);
  const names = { ...webhookHeaderNames(), ...standardHeaderNames };
  const { signature, replay, test: madeUp, ...others } = webhookHeaderNames();
  const optional = post.parameters.filter(({ required }) => !required);
  assert.deepEqual(
    optional.map(({ name }) => name),
    [replay, madeUp],
  );
  const listed = [...Object.values(others), signature, replay, madeUp];
  const standard = [standardHeaderNames.id, standardHeaderNames.timestamp];
  assert.deepEqual(
    post.parameters.map(({ name }) => name),
    [...listed, ...standard],
  );
  assert.deepEqual(post.security, [{ webhookSignature: [] }]);
  assert.equal(names.signature, 'webhook-signature');
  const statuses = ['200', '404', '410', '429', '3XX', '4XX', '5XX'];
  assert.deepEqual(Object.keys(post.responses), statuses);
});

test('openapi PTN-7: the brand stands in the headers of webhooks', () => {
  const text = JSON.stringify(webhooksOf('platform', { brand: 'Harbor' }));
  assert.match(text, /"Harbor-Event-Type"/);
  assert.doesNotMatch(text, /Platform-/);
});

test('openapi PTN-7: the schema of a body takes its event, further fields, and no other event', () => {
  for (const [type, webhook] of Object.entries(webhooksOf('all'))) {
    const isValid = validatorOf(type);
    const { example } = webhook.post.requestBody.content['application/json'] ?? {};
    assert.ok(example);
    assert.ok(isValid(example), JSON.stringify(isValid.errors));
    assert.ok(isValid({ ...example, more: 1, details: { ...example.details, more: 1 } }));
    const others = eventTypes.filter((other) => other !== type);
    for (const eventType of others) assert.ok(!isValid({ ...example, eventType }));
    const { guid: _, ...withoutGuid } = example;
    assert.ok(!isValid(withoutGuid));
    assert.ok(!isValid({ ...example, details: { ...example.details, restaurantGuid: 'x' } }));
  }
});
