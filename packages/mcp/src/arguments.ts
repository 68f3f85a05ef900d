import type { Request } from '@servery/client';
import {
  brandedHeaders,
  type JsonSchema,
  type Operation,
  parametersOf,
  referencedNames,
  resourceSchema,
  type SchemaName,
} from '@servery/contract';
import type { Tool } from './tools.ts';

export type Arguments = Readonly<Record<string, unknown>>;

/** What is wrong with the arguments of a call, and what to do. */
export class WrongArguments extends Error {}

export interface InputSchema {
  readonly [keyword: string]: unknown;
  readonly type: 'object';
  readonly properties: Record<string, JsonSchema>;
  readonly required: string[];
}

/** Where an argument goes. */
type Place = 'params' | 'query' | 'field' | 'body' | 'restaurant' | 'collection';

interface Argument {
  readonly place: Place;
  readonly isRequired: boolean;
  readonly schema: JsonSchema;
}

const DEFINITIONS = '#/$defs/';
const RESTAURANT = 'restaurantGuid';

/** The arguments of a tool: the path, the query, and the fields of the body, side by side. */
export function inputSchema(tool: Tool): InputSchema {
  const all = Object.entries(argumentsOf(tool));
  const properties = Object.fromEntries(all.map(([name, { schema }]) => [name, schema]));
  const definitions = definitionsOf(properties);
  return {
    type: 'object',
    properties,
    required: all.flatMap(([name, { isRequired }]) => (isRequired ? [name] : [])),
    additionalProperties: false,
    ...(Object.keys(definitions).length > 0 && { $defs: definitions }),
  };
}

/** The request that arguments stand for. Throws WrongArguments. */
export function requestOf(tool: Tool, given: Arguments, brand: string): Request {
  const known = argumentsOf(tool);
  refuseUnknown(given, known);
  const missing = Object.entries(known).flatMap(([name, { isRequired }]) =>
    isRequired && given[name] === undefined ? [name] : [],
  );
  if (missing.length > 0) throw new WrongArguments(`Missing: ${missing.join(', ')}.`);
  const params: Record<string, string> = {};
  const query: Record<string, string> = {};
  const fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    const place = known[name]?.place;
    if (place === 'params') params[name] = textOf(name, value);
    if (place === 'query') query[name] = textOf(name, value);
    if (place === 'field') fields[name] = value;
  }
  const { requestBody } = tool.operation;
  const body = known.body?.place === 'body' ? given.body : fields;
  return {
    params,
    query,
    headers: restaurantHeader(tool.operation, given, brand),
    ...(requestBody && { body }),
  };
}

function argumentsOf({ operation, byCollection }: Tool): Readonly<Record<string, Argument>> {
  const { params, query, requestBody } = operation;
  const found: Record<string, Argument> = {};
  if (byCollection)
    found.collection = {
      place: 'collection',
      isRequired: true,
      schema: {
        type: 'string',
        enum: Object.keys(byCollection),
        description: 'Which objects.',
      },
    };
  if (needsRestaurant(operation)) {
    found[RESTAURANT] = {
      place: 'restaurant',
      isRequired: operation.restaurant !== 'headerOrOrder',
      schema: { type: 'string', format: 'uuid', description: 'The restaurant. See who_am_i.' },
    };
  }
  for (const [place, fields] of [
    ['params', params],
    ['query', query],
  ] as const) {
    for (const { name, description, required, schema } of parametersOf(fields)) {
      const own = { ...schema, description: unencoded(description) };
      found[name] = { place, isRequired: place === 'params' || required, schema: own };
    }
  }
  return requestBody ? { ...found, ...argumentsOfBody(requestBody, Object.keys(found)) } : found;
}

/** Fields of the body are arguments themselves, unless it is a list or takes any field. */
function argumentsOfBody(
  { schema: name, array, maxItems }: NonNullable<Operation['requestBody']>,
  taken: readonly string[],
): Readonly<Record<string, Argument>> {
  const {
    properties,
    required = [],
    description,
    ...rest
  } = resourceSchema(name, DEFINITIONS) as {
    readonly properties?: Readonly<Record<string, JsonSchema>>;
    readonly required?: readonly string[];
    readonly description?: string;
  };
  const isFlat = !array && properties && !taken.some((one) => one in properties);
  if (isFlat) {
    return Object.fromEntries(
      Object.entries(properties).map(([field, schema]) => [
        field,
        { place: 'field', isRequired: required.includes(field), schema },
      ]),
    );
  }
  const one = { ...rest, ...(properties && { properties, required }), description };
  const limit = maxItems === undefined ? {} : { maxItems };
  const schema = array ? { type: 'array', items: one, ...limit } : one;
  return { body: { place: 'body', isRequired: true, schema } };
}

/** The schemas that are named by reference, with those that they name. */
function definitionsOf(properties: unknown): Record<string, JsonSchema> {
  const found: Record<string, JsonSchema> = {};
  const open: SchemaName[] = referencedNames(properties, DEFINITIONS);
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found[name]) continue;
    found[name] = resourceSchema(name, DEFINITIONS);
    open.push(...referencedNames(found[name], DEFINITIONS));
  }
  return found;
}

/** Whether the restaurant stands in a header alone. */
function needsRestaurant({ restaurant, params }: Operation): boolean {
  const isInHeader = ['header', 'headerArchivedAllowed', 'headerOrOrder'].includes(restaurant);
  return isInHeader && !('restaurantGUID' in params);
}

function restaurantHeader(
  { restaurant, params }: Operation,
  given: Arguments,
  brand: string,
): Readonly<Record<string, string>> {
  if (restaurant === 'none' || restaurant.endsWith('InPath')) return {};
  const inPath = ['merchantUuid', 'restaurantGUID'].find((name) => name in params);
  const value = given[inPath ?? RESTAURANT];
  if (value === undefined) return {};
  return { [brandedHeaders(brand).restaurantExternalId]: textOf(inPath ?? RESTAURANT, value) };
}

function refuseUnknown(given: Arguments, known: Readonly<Record<string, Argument>>): void {
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(known, name));
  if (unknown.length === 0) return;
  const names = Object.keys(known).join(', ') || 'none';
  throw new WrongArguments(`Unknown: ${unknown.join(', ')}. The tool takes: ${names}.`);
}

/** Only plain values fit into a path, a query, or a header. */
function textOf(name: string, value: unknown): string {
  const isPlain = ['string', 'number', 'boolean'].includes(typeof value);
  const written = String(value);
  // A header takes nothing else.
  if (isPlain && written !== '' && !/[^\x20-\x7e\u{a0}-\u{10ffff}]/u.test(written)) return written;
  throw new WrongArguments(`${name} must be a text, a number, or a flag on one line.`);
}

/** The client encodes. */
function unencoded(description: string): string {
  return description.replaceAll(/,? \(?URL-encoded\)?/g, '');
}
