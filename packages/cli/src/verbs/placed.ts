import type { Structured } from '../structured-file.ts';

/**
 * What the platform says of a place in a document, such as `changes[3].name: is missing`, behind
 * the file and the line where that stands.
 */
export function placed({ placeOf }: Structured, fault: string): string {
  const [, where = ''] = /^((?:[^\s:"]|"(?:[^"\\]|\\.)*")+): /.exec(fault) ?? [];
  return `${placeOf(pathParts(where.replace(/^document\.?/, '')))}: ${fault}`;
}

/** `configuration.menuItems[3].name` as the steps that lead there. */
function pathParts(where: string): (string | number)[] {
  return [...where.matchAll(/\[(\d+)\]|\["([^"]+)"\]|([^.[\]]+)/g)].map(
    ([, index, quoted, name]) => (index === undefined ? (quoted ?? name ?? '') : Number(index)),
  );
}
