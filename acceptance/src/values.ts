import assert from 'node:assert/strict';
import type { Answer } from './answer.ts';
import { NotChecked } from './not-checked.ts';

/** An ErrorMessage as the tests read it. */
interface ErrorBody {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly link: string;
  readonly requestId: string;
  readonly errors: readonly ErrorBody[];
}

/** The numeric code of an ErrorMessage answer (API-2). */
export function codeOf(answer: Answer): number {
  return (answer.json as ErrorBody).code;
}

/** The public text of an ErrorMessage or ServiceError answer (API-1). */
export function messageOf(answer: Answer): string {
  const body = answer.json as { message?: string; description?: string };
  return String(body.message ?? body.description);
}

const GUIDS = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** The error body without the request's id and without the GUIDs that the request named itself. */
function lasting(answer: Answer): unknown {
  return JSON.parse(answer.text.replace(GUIDS, 'GUID'));
}

/** Asserts that two error answers tell nothing apart but what their requests were. */
export function alike(one: Answer, other: Answer): void {
  assert.equal(one.status, other.status);
  assert.deepEqual(lasting(one), lasting(other));
  assert.deepEqual(Object.keys(one.headers).sort(), Object.keys(other.headers).sort());
}

/** The element at the index; fails the test when there is none, so that no test passes empty. */
export function nth<T>(list: readonly T[], index: number, what: string): T {
  const element = list[index];
  if (element !== undefined) return element;
  throw new NotChecked(`there is no ${what} at ${index}: the test would prove nothing`);
}
