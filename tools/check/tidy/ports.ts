import type { Node } from 'oxc-parser';
import type { Finding } from './finding.ts';
import type { Placed, Source } from './source.ts';

const ENVIRONMENT_READERS = [
  'packages/server/src/main.ts',
  'packages/server/src/boot/worker-main.ts',
  'packages/cli/src/main.ts',
];
const TIME_KEEPERS = ['clock', 'runner', 'timer'].map((name) => `packages/support/src/${name}.ts`);
const TIMERS = ['setTimeout', 'setInterval', 'setImmediate'];
const TIMER_MODULE = /^(node:)?timers(\/promises)?$/;
const PROCESS_MODULE = /^(node:)?process$/;
const STOPWATCH_MODULE = /^(node:)?perf_hooks$/;
/** The product's code. Tests and tools may measure how long something took. */
const PRODUCT = /^packages\/[^/]+\/src\//;

/** What tells the time of the machine, each as owner and member. */
const CLOCKS: readonly (readonly [owner: string, member: string])[] = [
  ['Date', 'now'],
  ['Temporal', 'Now'],
];
const STOPWATCHES: readonly (readonly [owner: string, member: string])[] = [
  ['performance', 'now'],
  ['performance', 'timeOrigin'],
  ['process', 'hrtime'],
  ['process', 'uptime'],
];

/** Holds the environment's variables to the main programs: everything else takes arguments. */
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
  const { path, imports, nodes, lineAt, isTest } = source;
  if (TIME_KEEPERS.includes(path)) return [];
  const isProduct = PRODUCT.test(path) && !isTest;
  const clocks = isProduct ? [...CLOCKS, ...STOPWATCHES] : CLOCKS;
  const finding = (line: number, message: string) => ({ path, line, rule: 'time', message });
  return [
    ...imports
      .filter(({ specifier }) => TIMER_MODULE.test(specifier))
      .map(({ line, specifier }) => finding(line, timerMessage(`\`${specifier}\``))),
    ...imports
      .filter(({ specifier }) => isProduct && STOPWATCH_MODULE.test(specifier))
      .map(({ line, specifier }) => finding(line, clockMessage(`\`${specifier}\``))),
    ...nodes.flatMap((placed) => {
      const message = timeMessage(placed, clocks);
      return message ? [finding(lineAt(placed.node.start), message)] : [];
    }),
  ];
}

function timeMessage({ node, parent }: Placed, clocks: typeof CLOCKS): string | null {
  switch (node.type) {
    case 'MemberExpression':
      for (const [owner, member] of clocks) {
        if (isOwner(node.object, owner) && isNamed(node.property, member)) {
          return clockMessage(`\`${owner}.${member}\``);
        }
      }
      if (isNamed(node.object, 'AbortSignal') && isNamed(node.property, 'timeout')) {
        return timerMessage('`AbortSignal.timeout`');
      }
      return isNamed(node.object, 'globalThis') && isOneOf(node.property, TIMERS)
        ? timerMessage('A global timer')
        : null;
    case 'NewExpression':
      return isNamed(node.callee, 'Date') && node.arguments.length === 0
        ? clockMessage('`new Date()`')
        : null;
    case 'CallExpression':
      return isNamed(node.callee, 'Date') ? clockMessage('`Date()`') : null;
    case 'VariableDeclarator': {
      const taken = clocks.find(([owner, member]) => takesOut(node, owner, member));
      return taken ? clockMessage(`\`${taken.join('.')}\``) : null;
    }
    case 'Identifier':
      return isOneOf(node, TIMERS) && isReference(node, parent)
        ? timerMessage(`\`${node.name}\``)
        : null;
    default:
      return null;
  }
}

/** The global of that name, by itself or as a member of globalThis. */
function isOwner(node: Node, name: string): boolean {
  if (node.type !== 'MemberExpression') return isNamed(node, name);
  return isNamed(node.object, 'globalThis') && isNamed(node.property, name);
}

/** Whether a declaration such as `const { now } = Date` takes the member out of its owner. */
function takesOut(node: Node & { type: 'VariableDeclarator' }, owner: string, member: string) {
  if (!node.init || !isOwner(node.init, owner) || node.id.type !== 'ObjectPattern') return false;
  return node.id.properties.some((one) => one.type === 'Property' && isNamed(one.key, member));
}

function clockMessage(what: string): string {
  return `${what} reads the machine's clock. Use a clock (@servery/support/clock.ts) as argument instead.`;
}

function timerMessage(what: string): string {
  return `${what} is a timer. Use runEvery (@servery/support/runner.ts), sleep or within (timer.ts beside it), an event or a moved clock instead.`;
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
