import type { Node } from 'oxc-parser';
import type { Finding } from './finding.ts';
import type { Placed, Source } from './source.ts';

const ENVIRONMENT_READERS = ['packages/server/src/main.ts', 'packages/cli/src/main.ts'];
const TIME_KEEPERS = [
  'packages/server/src/support/clock.ts',
  'packages/server/src/support/runner.ts',
];
const TIMERS = ['setTimeout', 'setInterval', 'setImmediate'];
const TIMER_MODULE = /^(node:)?timers(\/promises)?$/;
const PROCESS_MODULE = /^(node:)?process$/;

/** Holds the environment's variables to the two `main.ts`: everything else takes arguments. */
export function checkEnvironment(source: Source): Finding[] {
  const { path, imports, nodes, lineAt } = source;
  if (ENVIRONMENT_READERS.includes(path)) return [];
  const lines = [
    ...imports.filter(({ specifier }) => PROCESS_MODULE.test(specifier)).map(({ line }) => line),
    ...nodes.filter(({ node }) => readsEnvironment(node)).map(({ node }) => lineAt(node.start)),
  ];
  const message =
    'The environment is read outside of main.ts. Use an argument of the function instead.';
  return lines.map((line) => ({ path, line, rule: 'environment', message }));
}

function readsEnvironment(node: Node): boolean {
  if (node.type === 'MemberExpression') {
    return isNamed(node.object, 'process') && isNamed(node.property, 'env');
  }
  return (
    node.type === 'VariableDeclarator' &&
    isNamed(node.init, 'process') &&
    node.id.type === 'ObjectPattern' &&
    node.id.properties.some((one) => one.type === 'Property' && isNamed(one.key, 'env'))
  );
}

/** Holds the machine's clock and timers to the clock and the runner (architecture rule 1). */
export function checkTime(source: Source): Finding[] {
  const { path, imports, nodes, lineAt } = source;
  if (TIME_KEEPERS.includes(path)) return [];
  const finding = (line: number, message: string) => ({ path, line, rule: 'time', message });
  return [
    ...imports
      .filter(({ specifier }) => TIMER_MODULE.test(specifier))
      .map(({ line, specifier }) => finding(line, timerMessage(`\`${specifier}\``))),
    ...nodes.flatMap((placed) => {
      const message = timeMessage(placed);
      return message ? [finding(lineAt(placed.node.start), message)] : [];
    }),
  ];
}

function timeMessage({ node, parent }: Placed): string | null {
  const clock = (what: string) =>
    `${what} reads the machine's clock. Use the environment's clock (support/clock.ts) instead.`;
  switch (node.type) {
    case 'MemberExpression':
      if (isNamed(node.object, 'Date') && isNamed(node.property, 'now')) return clock('`Date.now`');
      if (isNamed(node.object, 'AbortSignal') && isNamed(node.property, 'timeout')) {
        return timerMessage('`AbortSignal.timeout`');
      }
      return isNamed(node.object, 'globalThis') && isOneOf(node.property, TIMERS)
        ? timerMessage('A global timer')
        : null;
    case 'NewExpression':
      return isNamed(node.callee, 'Date') && node.arguments.length === 0
        ? clock('`new Date()`')
        : null;
    case 'CallExpression':
      return isNamed(node.callee, 'Date') ? clock('`Date()`') : null;
    case 'Identifier':
      return isOneOf(node, TIMERS) && isReference(node, parent)
        ? timerMessage(`\`${node.name}\``)
        : null;
    default:
      return null;
  }
}

function timerMessage(what: string): string {
  return `${what} is a timer. Use runEvery (support/runner.ts), an event or a moved clock instead.`;
}

/** Whether a name stands for a variable, and not for a property or for what is imported. */
function isReference(node: Node, parent: Node | null): boolean {
  if (!parent || parent.type === 'ImportSpecifier') return false;
  if (parent.type === 'MemberExpression') return parent.computed || parent.object === node;
  return !('key' in parent && parent.key === node && !('computed' in parent && parent.computed));
}

function isNamed(node: Node | null, name: string): boolean {
  return node?.type === 'Identifier' && node.name === name;
}

function isOneOf(node: Node, names: readonly string[]): boolean {
  return node.type === 'Identifier' && names.includes(node.name);
}
