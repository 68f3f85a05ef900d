import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readSource } from '../../check/tidy/source.ts';
import type { Defect } from './defect.ts';

/** Why a defect can't be planted; null when it can. */
export function faultOf({ name, url, target }: Defect): string | null {
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
