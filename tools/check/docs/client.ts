import { readFileSync } from 'node:fs';

const source = readFileSync(
  new URL('../../../packages/client/test/examples.ts', import.meta.url),
  'utf8',
);

/** The examples of the client's page: what its test runs, by the names of their regions. */
export function clientParts(): Record<string, string> {
  const regions = source.matchAll(/^( *)\/\/ #region (\w+)\n(.*?)^ *\/\/ #endregion$/gms);
  return Object.fromEntries(
    [...regions].map(([, indent = '', name, code = '']) => {
      const lines = code.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
      return [name, `\`\`\`ts\n${lines}\`\`\`\n`];
    }),
  );
}
