import type { Node } from 'oxc-parser';
import type { Finding } from './finding.ts';
import type { Source } from './source.ts';

const SERVER = 'packages/server/src/';

/** The tables that caches depend on: what a cached read says is in one of them. */
const REMEMBERED = [
  ...['restaurant', 'connection', 'configuration_object', 'stock', 'published_menus'],
  ...['stock_change', 'person'],
  ...['api_client', 'client_secret', 'access_grant', 'revoked_token', 'signing_key', 'card_key'],
];

const WRITES = new RegExp(
  `\\b(?:insert\\s+into|update|delete\\s+from|merge\\s+into|truncate)\\s+(?:only\\s+)?` +
    `(${REMEMBERED.join('|')})\\b(?!\\s*\\.)`,
  'gi',
);

/**
 * Holds statements that change what processes remember to say so (architecture rule 6): one that
 * was forgotten would be served from memory for ever.
 */
export function checkTouching(source: Source): Finding[] {
  const { path, isTest, nodes, lineAt } = source;
  if (isTest || !path.startsWith(SERVER)) return [];
  const names = touchingNames(source);
  return nodes.flatMap(({ node }) => {
    if (node.type !== 'TaggedTemplateExpression' || isTouching(node.tag, names)) return [];
    const text = node.quasi.quasis.map(({ value }) => value.raw).join('?');
    const tables = new Set([...text.matchAll(WRITES)].map(([, table]) => table?.toLowerCase()));
    return [...tables].map((table) => ({
      path,
      line: lineAt(node.start),
      rule: 'touching',
      message:
        `\`${functionAround(source, node)}\` writes \`${table}\`, which processes remember. ` +
        'Use sql.touching with the subjects that it changes instead.',
    }));
  });
}

/** Names in the file that stand for a tag that `touching` has made. */
export function touchingNames({ nodes }: Pick<Source, 'nodes'>): ReadonlySet<string> {
  const names = nodes.flatMap(({ node }) => {
    if (node.type !== 'VariableDeclarator' || node.id.type !== 'Identifier') return [];
    return node.init && isTouchingCall(node.init) ? [node.id.name] : [];
  });
  return new Set(names);
}

/** Whether a tag says what its statement changes. */
export function isTouching(tag: Node, names: ReadonlySet<string>): boolean {
  return isTouchingCall(tag) || (tag.type === 'Identifier' && names.has(tag.name));
}

function isTouchingCall(node: Node): boolean {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return false;
  const { property } = node.callee;
  return property.type === 'Identifier' && property.name === 'touching';
}

/** The name of the innermost function that a node stands in. */
function functionAround({ nodes }: Source, inner: Node): string {
  const around = nodes.findLast(
    ({ node }) =>
      node.type === 'FunctionDeclaration' && node.start <= inner.start && node.end >= inner.end,
  )?.node;
  return around?.type === 'FunctionDeclaration' ? (around.id?.name ?? 'it') : 'it';
}
