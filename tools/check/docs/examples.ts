import { readFileSync } from 'node:fs';

const ROOT = new URL('../../../', import.meta.url);
const TESTS = 'packages/testing/fixtures/node';
const ORDERING = 'examples/online-ordering';

/** The examples of the client's page: what its test runs, by the names of their regions. */
export function clientParts(): Record<string, string> {
  return regionsOf('packages/client/test/examples.ts');
}

/** The examples of the page about tests: what the project with them runs. */
export function testingParts(): Record<string, string> {
  return {
    ...regionsOf(`${TESTS}/orders.test.js`),
    ...regionsOf(`${TESTS}/payments.test.js`),
  };
}

/** That of the guide about tests. */
export function firstTestParts(): Record<string, string> {
  return { first: shown('js', sourceOf(`${TESTS}/first.test.js`)) };
}

/** The whole example that the first tutorial builds. */
export function firstIntegrationParts(): Record<string, string> {
  return {
    shop: shown('js', sourceOf(`${ORDERING}/shop.js`)),
    receiver: shown('js', sourceOf(`${ORDERING}/receiver.js`)),
    main: shown('js', sourceOf(`${ORDERING}/main.js`)),
    test: shown('js', sourceOf(`${ORDERING}/shop.test.js`)),
  };
}

function regionsOf(file: string): Record<string, string> {
  const regions = sourceOf(file).matchAll(/^( *)\/\/ #region (\w+)\n(.*?)^ *\/\/ #endregion$/gms);
  return Object.fromEntries(
    [...regions].map(([, indent = '', name, code = '']) => {
      const lines = code.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
      return [name, shown(file.endsWith('.ts') ? 'ts' : 'js', lines)];
    }),
  );
}

function sourceOf(file: string): string {
  return readFileSync(new URL(file, ROOT), 'utf8');
}

function shown(language: string, code: string): string {
  return `\`\`\`${language}\n${code}\`\`\`\n`;
}
