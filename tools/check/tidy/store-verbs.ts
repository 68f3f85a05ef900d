import type { Finding } from './finding.ts';
import type { Source } from './source.ts';
import { STORE } from './sql.ts';

const VERB = /^(find|list|insert|update|delete|claimDue)(?![a-z])/;

/** Holds the statements of a store to a closed set of verbs, so that a reader can guess a name. */
export function checkStoreVerbs({ path, isTest, nodes, lineAt }: Source): Finding[] {
  if (isTest || !STORE.test(path)) return [];
  return nodes.flatMap(({ node, parent }) => {
    if (node.type !== 'FunctionDeclaration' || !node.async || !node.id) return [];
    if (parent?.type !== 'ExportNamedDeclaration' || VERB.test(node.id.name)) return [];
    const message =
      `\`${node.id.name}\` names a statement by a verb of its own. Use find, list, insert, ` +
      'update, delete or claimDue instead.';
    return [{ path, line: lineAt(node.start), rule: 'store-verb', message }];
  });
}
