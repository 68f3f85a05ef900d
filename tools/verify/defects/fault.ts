import { existsSync, globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readSource } from '../../check/tidy/source.ts';
import type { Defect } from './defect.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Why a defect can't be planted, or noticed; null when it can. */
export function faultOf({ name, url, target, tests }: Defect): string | null {
  const files = globSync('packages/*/{src,test}/**/*.test.ts', { cwd: ROOT });
  const word = tests.find((each) => !files.some((file) => file.includes(each)));
  if (word !== undefined) return `${name}: no test file has ${word} in its path`;
  const path = fileURLToPath(url);
  if (!existsSync(path)) return `${name}: there is no ${path}`;
  const isThere = readSource(path, readFileSync(path, 'utf8')).nodes.some(({ node }) => {
    if (node.type !== 'ExportNamedDeclaration') return false;
    const { declaration } = node;
    const isOpen =
      declaration?.type === 'FunctionDeclaration' || declaration?.type === 'ClassDeclaration';
    return isOpen && declaration.id?.name === target;
  });
  return isThere ? null : `${name}: ${path} exports no function declaration or class ${target}`;
}
