import type { Node } from 'oxc-parser';
import type { Finding } from './finding.ts';
import type { Source } from './source.ts';

const TEST_FUNCTIONS = ['test', 'it', 'describe', 'suite', 't', 'context'];
const LEFT_OUT = ['only', 'skip', 'todo'];

/**
 * Refuses tests that do not run, and tests that keep the others from running. A `skip` option that
 * is a condition may stay: it says which machine lacks what the test needs.
 */
export function checkTestsRun({ path, nodes, lineAt }: Source): Finding[] {
  const message = 'A test is left out or runs alone. Use a test that always runs instead.';
  return nodes
    .filter(({ node }) => leavesOut(node))
    .map(({ node }) => ({ path, line: lineAt(node.start), rule: 'tests-run', message }));
}

function leavesOut(node: Node): boolean {
  if (node.type === 'MemberExpression') {
    return isOneOf(node.object, TEST_FUNCTIONS) && isOneOf(node.property, LEFT_OUT);
  }
  if (node.type !== 'CallExpression' || !isOneOf(node.callee, TEST_FUNCTIONS)) return false;
  return node.arguments.some(
    (argument) =>
      argument.type === 'ObjectExpression' &&
      argument.properties.some(
        (one) =>
          one.type === 'Property' && isOneOf(one.key, LEFT_OUT) && one.value.type === 'Literal',
      ),
  );
}

function isOneOf(node: Node, names: readonly string[]): boolean {
  return node.type === 'Identifier' && names.includes(node.name);
}
