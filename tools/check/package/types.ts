import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../package/programs.ts';

const run = promisify(execFile);
const TSC = path.join(ROOT, 'node_modules/typescript/bin/tsc');
/** Ignored by git, and from here the names of packages lead to their sources. */
const FOLDER = path.join(ROOT, 'dist');

const ALONE = [
  ...['index', 'menu', 'back-office', 'webhooks'].map((name) => `client/src/${name}`),
  'webhooks/src/browser',
]
  .map((file, at) => {
    const [own] = file.split('/');
    return `export * as types${at} from './${own}/types/packages/${file}.js';\n`;
  })
  .join('');
const SAME = `import type { AnswerOf, OperationId, RequestOf } from '@servery/contract';
import type * as published from './client/types/packages/contract/src/operations/types.js';

type Same<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : false) : false;
type Differing = {
  [Id in OperationId]: Same<AnswerOf<Id>, published.AnswerOf<Id>> extends true
    ? Same<RequestOf<Id>, published.RequestOf<Id>> extends true
      ? never
      : Id
    : Id;
}[OperationId];
// @ts-expect-error This proves that what differs is noticed.
export const isNoticed: Same<AnswerOf<'stock.list'>, published.AnswerOf<'auth.login'>> = true;
export const differing: [Differing] extends [never] ? 'none' : Differing = 'none';
`;

const INSTALLED = `import type { Servery } from '@servery/client';
import { useSandbox } from '@servery/testing/node';

export * as core from '@servery/testing';
export * as jest from '@servery/testing/jest';
export * as setup from '@servery/testing/setup';
export * as vitest from '@servery/testing/vitest';

const sandbox = await useSandbox();
export const servery: Servery = sandbox.servery;
const event = await sandbox.webhooks.next('payment_updated');
export const reason: 'UNAPPLIED' | string | null = event.details.reason;
// @ts-expect-error This proves that an event is of the type that was asked for.
export const quantity = event.details.quantity;
`;

/**
 * Throws an Error unless the types of the published packages compile without any other package, and
 * are those of the contract for every operation.
 */
export async function checkTypes(): Promise<void> {
  await compile('types-alone', ALONE, { types: [], lib: ['esnext', 'dom'], skipLibCheck: false });
  await compile('types-same', SAME, {});
}

/** Throws an Error unless the types of the packages that a folder has installed fit together. */
export async function checkInstalledTypes(folder: string): Promise<void> {
  const typeRoots = [path.join(ROOT, 'node_modules/@types')];
  await compile('installed-types', INSTALLED, { typeRoots, skipLibCheck: false }, folder);
}

async function compile(
  name: string,
  program: string,
  compilerOptions: object,
  folder = FOLDER,
): Promise<void> {
  await writeFile(path.join(folder, `${name}.ts`), program);
  const settings = {
    extends: path.join(ROOT, 'tsconfig.json'),
    compilerOptions,
    include: [],
    files: [`${name}.ts`],
  };
  const file = path.join(folder, `${name}.json`);
  await writeFile(file, JSON.stringify(settings));
  await run(process.execPath, [TSC, '-p', file]).catch(({ stdout }) => {
    throw new Error(`${name}.ts does not compile:\n${stdout}`);
  });
}
