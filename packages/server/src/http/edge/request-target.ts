import { type Operation, operations } from '@servery/contract';

const SCHEME_AND_AUTHORITY = /^https?:\/\/[^/?#]*/i;

export function splitTarget(target: string): [path: string, search: string] {
  const at = target.indexOf('?');
  return at < 0 ? [target, ''] : [target.slice(0, at), target.slice(at + 1)];
}

/**
 * Accepts a scheme and host before the path (RFC 9112, 3.2.2). Null if it is neither form, has a
 * fragment, or does not decode. The router would take `*` for the base address.
 */
export function originForm(target: string): string | null {
  const rest = target.replace(SCHEME_AND_AUTHORITY, '');
  const isAbsolute = rest.length < target.length;
  const form = isAbsolute && !rest.startsWith('/') ? `/${rest}` : rest;
  if (!form.startsWith('/') || form.includes('#')) return null;
  try {
    decodeURIComponent(splitTarget(form)[0]);
    return form;
  } catch {
    return null;
  }
}

const patterns = new Map(
  operations.map(({ id, path, mayEndInSlash }) => {
    const fixed = path.replaceAll('.', '\\.').replaceAll(/\{[^}]+\}/g, '[^/]+');
    return [id, new RegExp(`^${fixed}${mayEndInSlash ? '/?' : ''}$`)];
  }),
);

/**
 * The router decodes first, so it also finds `/%68ealthz`, which may bypass the rules of a proxy. It
 * ignores a slash at the end, too. The fixed part must be spelled like in the contract; parameters
 * may be encoded.
 */
export function isPathOf({ id }: Pick<Operation, 'id'>, path: string): boolean {
  return patterns.get(id)?.test(path) ?? false;
}
