import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { operations } from '@servery/contract';

/** The text of src/operations.ts, as the contract has the operations. */
export function generatedOperations(): string {
  const sorted = operations.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const rows = sorted.map(
    ({ id, method, path, requestBody }) =>
      `  '${id}': ['${method}', '${path}'${requestBody ? ", 'body'" : ''}],`,
  );
  return `// Generated from the contract: run "npm run client".
import type { OperationId } from '@servery/contract';

/** Method and path of every operation by its id, and whether it takes a body. */
export const operations = {
${rows.join('\n')}
} as const satisfies Record<OperationId, readonly [string, string, 'body'?]>;
`;
}

if (import.meta.main) {
  const file = fileURLToPath(new URL('../src/operations.ts', import.meta.url));
  writeFileSync(file, generatedOperations());
  const biome = fileURLToPath(new URL('../../../node_modules/.bin/biome', import.meta.url));
  process.exitCode = spawnSync(biome, ['check', '--write', file], { stdio: 'inherit' }).status ?? 1;
}
