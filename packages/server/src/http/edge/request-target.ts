import { type Operation, operations } from '@servery/contract';

const SCHEME_AND_AUTHORITY = /^https?:\/\/[^/?#]*/i;

/** Splits a request target at its first `?`: the path, and what follows. */
export function splitTarget(target: string): [path: string, search: string] {
  const at = target.indexOf('?');
  return at < 0 ? [target, ''] : [target.slice(0, at), target.slice(at + 1)];
}

/**
 * The path and query of a request target, whether or not a scheme and a host precede them (RFC
 * 9112, 3.2.2). Null for what is neither, has a fragment, or does not decode. `*`, for example, is
 * for OPTIONS alone, and the router would take it for the base address.
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
  operations.map(({ path }) => {
    const fixed = path.replaceAll('.', '\\.').replaceAll(/\{[^}]+\}/g, '[^/]+');
    return [path, new RegExp(`^${fixed}$`)];
  }),
);

/**
 * Whether a path as it was sent is one of an operation's. The router decodes first, so that it
 * finds `/%68ealthz` too: two spellings of one address, of which a proxy in between may let one
 * pass that it has no rule for. So the fixed part has to be spelled as in the contract. A parameter
 * may be percent-encoded.
 */
export function isPathOf({ path: template }: Pick<Operation, 'path'>, path: string): boolean {
  return patterns.get(template)?.test(path) ?? false;
}
