import { operations } from '@servery/contract';

/** The text of src/operations.ts, as the contract has the operations. */
export function generatedOperations(): string {
  const names = new Set<string>();
  const typeOf = (body: { schema: string; array: boolean } | null) => {
    if (body === null) return 'unknown';
    names.add(body.schema);
    return body.array ? `${body.schema}[]` : body.schema;
  };
  const sorted = operations.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const rows = sorted.map(({ id, method, path }) => `  '${id}': ['${method}', '${path}'],`);
  const answers = sorted.map(({ id, response }) => `  '${id}': ${typeOf(response)};`);
  const bodies = sorted
    .filter(({ requestBody }) => requestBody !== null)
    .map(({ id, requestBody }) => `  '${id}': ${typeOf(requestBody)};`);
  return `// Generated from the contract: run "npm run client".
import type {
${[...names]
  .sort()
  .map((name) => `  ${name},`)
  .join('\n')}
} from '@servery/contract';

/** Method and path of every operation by its id. */
export const operations = {
${rows.join('\n')}
} as const;

/** The id of an operation. */
export type CallableId = keyof typeof operations;

/** What each operation answers. */
export interface Answers {
${answers.join('\n')}
}

/** The body that an operation takes. */
export interface Bodies {
${bodies.join('\n')}
}
`;
}
