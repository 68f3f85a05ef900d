import { type Operation, schemas } from '@servery/contract';
import type { Answer } from '../http/operation.ts';
import { bytesOf } from '../http/pipeline/send.ts';

interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly enum?: readonly unknown[];
}

const UNKNOWN_FIELD = 'sandboxUnknownField';
const UNKNOWN_VALUE = 'SANDBOX_UNKNOWN_VALUE';

/** The schema of the objects of a list, or of one page of it. */
function elementOf({ response }: Operation): Shape | null {
  if (!response) return null;
  const shape = schemas[response.schema] as unknown as Shape;
  return response.array ? shape : (shape.properties?.results?.items ?? null);
}

export function isListOf(operation: Operation): boolean {
  return elementOf(operation) !== null;
}

/** As a later version of the platform would answer, which partners must be able to read (API-9). */
export function withUnknownValues(operation: Operation, answer: Answer): Answer {
  const json: unknown = JSON.parse(bytesOf(answer).toString());
  const headers = { ...answer.ready?.value.headers, ...answer.headers };
  const objects = Array.isArray(json) ? json : ((json as { results?: unknown }).results ?? []);
  const [first] = objects as (Record<string, unknown> | undefined)[];
  if (!first) return { json, headers };
  const properties = elementOf(operation)?.properties ?? {};
  const choice = Object.keys(properties).find(
    (name) => properties[name]?.enum && typeof first[name] === 'string',
  );
  if (choice !== undefined) first[choice] = UNKNOWN_VALUE;
  first[UNKNOWN_FIELD] = { fault: 'unknownValues' };
  return { json, headers };
}
