import type { Argument, Node } from 'oxc-parser';
import { readSource } from '../../check/tidy/source.ts';

const TEST_FUNCTIONS = ['test', 'it'];

/**
 * The titles of the tests in a file, given by its path and text. A title that is put together has
 * `…` where the code inserts something.
 */
export function testTitles(path: string, text: string): string[] {
  return readSource(path, text).nodes.flatMap(({ node }) => titleOf(node) ?? []);
}

function titleOf(node: Node): string | null {
  if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier') return null;
  if (!TEST_FUNCTIONS.includes(node.callee.name)) return null;
  return textOf(node.arguments[0]);
}

function textOf(argument: Argument | undefined): string | null {
  if (argument?.type === 'Literal' && typeof argument.value === 'string') return argument.value;
  if (argument?.type !== 'TemplateLiteral') return null;
  return argument.quasis.map(({ value }) => value.cooked).join('…');
}
