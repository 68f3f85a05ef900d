import type { Finding } from './finding.ts';
import type { Placed, Source } from './source.ts';

const SILENCER = /@ts-(ignore|nocheck)\b/;

/** Holds code to what the type checker can check: no `any`, no `!` outside tests, no silencers. */
export function checkTypes(source: Source): Finding[] {
  const { path, lineAt, comments } = source;
  const finding = (offset: number, rule: string, message: string): Finding => {
    return { path, line: lineAt(offset), rule, message };
  };
  const silenced = comments
    .filter(({ value }) => SILENCER.test(value))
    .map(({ start }) =>
      finding(start, 'types-silenced', 'The type checker is silenced. Use a right type instead.'),
    );
  const loose = source.nodes.flatMap((placed) => {
    const { start } = placed.node;
    if (placed.node.type === 'TSAnyKeyword') {
      return [finding(start, 'any', 'Nothing checks an `any`. Use `unknown` or a type instead.')];
    }
    if (source.isTest || !assertsPresence(placed)) return [];
    const message = 'A `!` is believed, not checked. Use a check that throws or a default instead.';
    return [finding(start, 'non-null', message)];
  });
  return [...silenced, ...loose];
}

function assertsPresence({ node }: Placed): boolean {
  if (node.type === 'TSNonNullExpression') return true;
  const isDeclared = node.type === 'PropertyDefinition' || node.type === 'VariableDeclarator';
  return isDeclared && node.definite === true;
}
