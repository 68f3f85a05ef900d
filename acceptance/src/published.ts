import {
  brandedHeaders,
  type OperationId,
  operationById,
  validateResponse,
} from '@servery/contract';
import type { Answer } from './answer.ts';
import type { ExpectedOperation } from './operations.ts';

/** The path template as an expression that its concrete paths match. */
function matches(template: string, path: string): boolean {
  const pattern = template
    .split(/\{\w+\}/)
    .map((text) => text.replace(/[.]/g, '\\.'))
    .join('[^/?]*');
  return new RegExp(`^${pattern}(\\?|$)`).test(path);
}

/**
 * What the published contract (the contract package, and so the OpenAPI documents that are made of
 * it) finds wrong with an answer: its status, its body, and the headers that a success promises.
 * An answer to a path or method that the contract does not know is not judged here.
 */
export function publishedFaults(
  brand: string,
  operation: ExpectedOperation,
  answer: Answer,
): string[] {
  if (answer.method !== operation.method || !matches(operation.path, answer.path)) return [];
  const id = operation.id as OperationId;
  const described = operationById(id);
  const faults: string[] = [];
  if (answer.headers['content-encoding'] === undefined) {
    faults.push(...validateResponse(id, answer.status, answer.json));
  }
  if (answer.status !== operation.success) return faults;
  const branded: Readonly<Record<string, string>> = { ...brandedHeaders(brand) };
  // These two are there only when there is another page.
  const promised = described.responseHeaders.filter((name) => !/^(Link|nextPageToken)$/.test(name));
  for (const role of promised) {
    const name = branded[role] ?? role;
    if (answer.headers[name.toLowerCase()] === undefined)
      faults.push(`the header ${name} is missing`);
  }
  return faults;
}
