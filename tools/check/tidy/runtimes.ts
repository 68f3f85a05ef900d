import type { Finding } from './finding.ts';
import type { Placed, Source } from './source.ts';

/** What `@servery/client` holds. It runs on Node.js 20 (`npm run client-runtimes`). */
const IN_CLIENT = /^packages\/(client|pricing|webhooks)\/src\//;
/** What newer runtimes have, by its owner. */
const NEWER: Readonly<Record<string, readonly string[]>> = {
  Array: ['fromAsync'],
  Iterator: ['from'],
  Map: ['groupBy'],
  Object: ['groupBy'],
  Promise: ['try', 'withResolvers'],
  RegExp: ['escape'],
  Uint8Array: ['fromBase64', 'fromHex'],
  URL: ['parse'],
};

/** Holds the client to what its oldest runtime has: the types are those of the newest. */
export function checkRuntimes({ path, nodes, isTest, lineAt }: Source): Finding[] {
  if (!IN_CLIENT.test(path) || isTest) return [];
  return nodes.flatMap((placed) => {
    const newer = newerOf(placed);
    if (!newer) return [];
    const message = `Node.js 20 lacks \`${newer}\`. Use older JavaScript in the client instead.`;
    return [{ path, line: lineAt(placed.node.start), rule: 'old-runtimes', message }];
  });
}

function newerOf({ node }: Placed): string | null {
  if (node.type !== 'MemberExpression') return null;
  const { object, property } = node;
  if (object.type !== 'Identifier' || property.type !== 'Identifier') return null;
  const isNewer = NEWER[object.name]?.includes(property.name);
  return isNewer ? `${object.name}.${property.name}` : null;
}
