import type { Goal, Line, Side, Unit } from './scenario.ts';
import type { Spread } from './statistics.ts';

/** What a goal says of a number. */
function isMet(goal: Goal, value: number): boolean {
  return 'atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost;
}

/** The goals that a line has, each with the number that it is for. */
function verdictsOf(line: Line): { goal: Goal; value: number; what: string }[] {
  const verdicts = [];
  const main = line.ratio ?? line.product;
  if (line.goal) verdicts.push({ goal: line.goal, value: main.median, what: '' });
  if (line.p99) {
    verdicts.push({ goal: line.p99.goal, value: line.p99.ratio.median, what: 'p99 ' });
  }
  return verdicts;
}

/** One line of the terminal. */
export function textOf(scenario: string, line: Line): string {
  const { ratio, product, others, unit } = line;
  const parts = [
    ...(ratio ? [`ratio ${spreadText(ratio, ratioText)}`] : []),
    ...verdictsOf(line).map(verdictText),
    ...[product, ...others].map((side) => sideText(side, unit)),
  ];
  return `${titleOf(scenario, line)}: ${parts.join('; ')}`;
}

const HEADINGS = ['What', 'Goal', 'Ratio', 'Product', 'Beside', 'Product p99', 'Beside p99'];

/** The lines of all scenarios as a table in Markdown. */
export function markdownTable(
  results: readonly { readonly scenario: string; readonly lines: readonly Line[] }[],
): string {
  const rows = results.flatMap(({ scenario, lines }) =>
    lines.map((line) => cellsOf(scenario, line)),
  );
  const all = [HEADINGS, HEADINGS.map(() => '---'), ...rows];
  return all.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

function cellsOf(scenario: string, line: Line): string[] {
  const { ratio, product, others, unit } = line;
  const beside = others.map((side) => `${side.name} ${valuesText(side, unit)}`);
  const goals = verdictsOf(line).map(({ goal, value, what }) => {
    return `${what}${goalText(goal, line)} ${isMet(goal, value) ? 'met' : '**missed**'}`;
  });
  const p99 = line.p99 ? [`p99 ${spreadText(line.p99.ratio, ratioText)}`] : [];
  return [
    titleOf(scenario, line),
    goals.join(', ') || '–',
    [...(ratio ? [spreadText(ratio, ratioText)] : []), ...p99].join(', ') || '–',
    valuesText(product, unit),
    beside.join('; ') || '–',
    timeText(product),
    others.map(timeText).join('; ') || '–',
  ];
}

function titleOf(scenario: string, { name }: Line): string {
  return name === '' ? scenario : `${scenario}: ${name}`;
}

function verdictText({ goal, value, what }: ReturnType<typeof verdictsOf>[number]): string {
  const told = what === '' ? '' : `${what}${ratioText(value)}, `;
  return `${told}goal ${goalText(goal, null)} ${isMet(goal, value) ? 'met' : 'missed'}`;
}

/** A goal for the product's own value is told with its unit. */
function goalText(goal: Goal, line: Line | null): string {
  const unit = line && line.ratio === null ? ` ${line.unit}` : '';
  return 'atLeast' in goal ? `≥ ${goal.atLeast}${unit}` : `≤ ${goal.atMost}${unit}`;
}

function sideText(side: Side, unit: Unit): string {
  const times = side.p99Ms === undefined ? '' : ` p50 ${msText(side.p50Ms)} p99 ${timeText(side)}`;
  return `${side.name} ${valuesText(side, unit)}${times}${processorText(side, unit)}`;
}

/** What an answer costs its process says something even where others take the core away. */
function processorText({ busy, median }: Side, unit: Unit): string {
  if (busy === undefined) return '';
  const each = unit === '/s' ? `, ${Math.round((busy / median) * 1e6)} µs of processor each` : '';
  return `, ${Math.round(busy * 100)} % busy${each}`;
}

function timeText({ p99Ms }: Side): string {
  return p99Ms === undefined ? '–' : msText(p99Ms);
}

function msText(ms = Number.NaN): string {
  return `${ms < 10 ? ms.toFixed(2) : ms.toFixed(0)} ms`;
}

function valuesText(spread: Spread, unit: Unit): string {
  return spreadText(spread, (value) => numberText(value), unit === '/s' ? unit : ` ${unit}`);
}

function spreadText(
  { median, least, most }: Spread,
  write: (value: number) => string,
  unit = '',
): string {
  const middle = `${write(median)}${unit}`;
  return least === most ? middle : `${middle} (${write(least)}–${write(most)})`;
}

function ratioText(value: number): string {
  return value < 10 ? value.toFixed(3) : value.toFixed(1);
}

function numberText(value: number): string {
  if (value >= 100) return String(Math.round(value));
  return value.toFixed(value >= 10 ? 1 : 2);
}
