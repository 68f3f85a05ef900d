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

/**
 * Throws an Error unless the types of the published packages compile without any other package, and
 * are those of the contract for every operation.
 */
export async function checkTypes(): Promise<void> {
  await compile('types-alone', ALONE, { types: [], lib: ['esnext', 'dom'], skipLibCheck: false });
  await compile('types-same', SAME, {});
}

async function compile(name: string, program: string, compilerOptions: object): Promise<void> {
  await writeFile(path.join(FOLDER, `${name}.ts`), program);
  const settings = {
    extends: '../tsconfig.json',
    compilerOptions,
    include: [],
    files: [`${name}.ts`],
  };
  const file = path.join(FOLDER, `${name}.json`);
  await writeFile(file, JSON.stringify(settings));
  await run(process.execPath, [TSC, '-p', file]).catch(({ stdout }) => {
    throw new Error(`${name}.ts does not compile:\n${stdout}`);
  });
}
