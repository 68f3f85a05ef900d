import type { Node } from 'oxc-parser';
import type { Finding } from './finding.ts';
import type { Source } from './source.ts';

const FUNCTION_LINES = 70;
const FILE_LINES = 400;
const TEST_FILE_LINES = 600;
const COLUMNS = 100;

/** Holds code to 70 lines a function, 400 lines a file (600 in tests) and 100 columns a line. */
export function checkLengths(source: Source): Finding[] {
  if (!source.isCode) return [];
  return [...checkFile(source), ...checkLines(source), ...checkFunctions(source)];
}

function checkFile({ path, text, isTest }: Source): Finding[] {
  const size = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  const limit = isTest ? TEST_FILE_LINES : FILE_LINES;
  if (size <= limit) return [];
  const message = `${tooMany('file', size, limit)} Use two files, each about one thing, instead.`;
  return [{ path, line: 1, rule: 'file-length', size, message }];
}

function checkLines({ path, lines }: Source): Finding[] {
  return lines.flatMap((text, index) => {
    const size = [...text].length;
    if (size <= COLUMNS) return [];
    const message = `The line has ${size} columns, ${COLUMNS} are allowed. Use two lines instead.`;
    return [{ path, line: index + 1, rule: 'line-length', size, message }];
  });
}

function checkFunctions({ path, isTest, nodes, lineAt }: Source): Finding[] {
  return nodes.flatMap(({ node, parent }) => {
    switch (node.type) {
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        break;
      default:
        return [];
    }
    if (isTest && isSuite(parent)) return [];
    const line = lineAt(node.start);
    const size = lineAt(node.end) - line + 1;
    if (size <= FUNCTION_LINES) return [];
    const message = `${tooMany('function', size, FUNCTION_LINES)} Use named steps instead.`;
    return [{ path, line, rule: 'function-length', size, message }];
  });
}

/** The body of a suite is a list of tests, not a function that does one thing after another. */
function isSuite(parent: Node | null): boolean {
  if (parent?.type !== 'CallExpression' || parent.callee.type !== 'Identifier') return false;
  return parent.callee.name === 'describe' || parent.callee.name === 'suite';
}

function tooMany(what: string, size: number, limit: number): string {
  return `The ${what} has ${size} lines, ${limit} are allowed.`;
}
