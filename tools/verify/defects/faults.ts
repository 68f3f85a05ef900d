import { existsSync, readFileSync } from 'node:fs';
import { readSource } from '../../check/tidy/source.ts';
import { type Defect, type Plant, pathOf } from './defect.ts';

/** Why a defect cannot be planted; empty when it can. */
export function faultsOf({ name, plants }: Defect): string[] {
  return plants.flatMap((plant) => {
    const path = pathOf(plant);
    if (!existsSync(path)) return [`${name}: there is no ${path}`];
    if (replaceable(path).includes(plant.name)) return [];
    return [`${name}: ${path} exports no function declaration or class named ${plant.name}`];
  });
}

/** The exports of a file that its own code may assign to. */
function replaceable(path: string): Plant['name'][] {
  return readSource(path, readFileSync(path, 'utf8')).nodes.flatMap(({ node }) => {
    if (node.type !== 'ExportNamedDeclaration') return [];
    const { declaration } = node;
    const isOpen =
      declaration?.type === 'FunctionDeclaration' || declaration?.type === 'ClassDeclaration';
    return isOpen && declaration.id ? [declaration.id.name] : [];
  });
}
