import type { Request } from '@servery/client/back-office';
import {
  brandedHeaders,
  type JsonSchema,
  type Operation,
  type OperationId,
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
  /** The parameter or the field that it fills. */
  readonly fills: string;
  readonly isRequired: boolean;
  readonly schema: JsonSchema;
}

const DEFINITIONS = '#/$defs/';
const RESTAURANT = 'restaurantGuid';
const restaurant = { type: 'string', format: 'uuid', description: 'The restaurant.' };

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

/** The operation that a call is for. Throws WrongArguments. */
export function operationOf({ byCollection, operation }: Tool, given: Arguments): OperationId {
  if (byCollection === null) return operation.id;
  const id = byCollection[String(given.collection)];
  if (id !== undefined) return id;
  throw new WrongArguments(`collection must be one of ${Object.keys(byCollection).join(', ')}.`);
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
    const { place, fills = name } = known[name] ?? {};
    if (place === 'params') params[fills] = textOf(name, value);
    if (place === 'query') query[fills] = textOf(name, value);
    if (place === 'field') fields[fills] = value;
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

function argumentsOf(tool: Tool): Readonly<Record<string, Argument>> {
  const { params, query, requestBody } = tool.operation;
  const found: Record<string, Argument> = {};
  if (tool.byCollection) {
    const names = Object.keys(tool.byCollection);
    const schema = { type: 'string', enum: names, description: 'Which objects.' };
    found.collection = { place: 'collection', fills: 'collection', isRequired: true, schema };
  }
  if (needsRestaurant(tool.operation)) {
    const isRequired = tool.operation.restaurant !== 'headerOrOrder';
    found[RESTAURANT] = { place: 'restaurant', fills: RESTAURANT, isRequired, schema: restaurant };
  }
  for (const { name, description, schema } of parametersOf(params)) {
    const own = { ...schema, description };
    const shown = tool.renamed[name] ?? name;
    found[shown] = { place: 'params', fills: name, isRequired: true, schema: own };
  }
  for (const { name, description, required, schema } of parametersOf(query)) {
    const own = { ...schema, description: unencoded(description) };
    found[name] = { place: 'query', fills: name, isRequired: required, schema: own };
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
        { place: 'field', fills: field, isRequired: required.includes(field), schema },
      ]),
    );
  }
  const one = { ...rest, ...(properties && { properties, required }) };
  const limit = maxItems === undefined ? {} : { maxItems };
  const schema = { description, ...(array ? { type: 'array', items: one, ...limit } : one) };
  return { body: { place: 'body', fills: 'body', isRequired: true, schema } };
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
  { restaurant: rule }: Operation,
  { [RESTAURANT]: guid }: Arguments,
  brand: string,
): Readonly<Record<string, string>> {
  if (rule === 'none' || rule.endsWith('InPath') || guid === undefined) return {};
  return { [brandedHeaders(brand).restaurantExternalId]: textOf(RESTAURANT, guid) };
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
  throw new WrongArguments(`${name} must be one line of text, a number, or true or false.`);
}

/** The client encodes. */
function unencoded(description: string): string {
  return description.replaceAll(/,? \(?URL-encoded\)?/g, '');
}
