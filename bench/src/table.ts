import type { Goal, Line, Side, Unit } from './scenario.ts';
import type { Spread } from './statistics.ts';
import {
  isMet,
  isMetInAll,
  rowsOf,
  type ScenarioLines,
  titleOf,
  type VerdictRow,
  verdictsOf,
} from './verdicts.ts';

type Runs = readonly (readonly ScenarioLines[])[];

/** A line for the terminal: its numbers with their goals, and beneath them a row for each side. */
export function textOf(scenario: string, line: Line): string {
  const verdicts = verdictsOf(line).map(({ value, goal, unit, isP99 }) => {
    const what = `${isP99 ? 'p99 ' : ''}${spreadText(value, numberWriter(unit))}`;
    return goal ? `  ${what}, goal ${goalText(goal, unit)} ${metText(goal, value)}` : `  ${what}`;
  });
  const sides = line.ratio ? [line.product, ...line.others] : [];
  const width = Math.max(...sides.map(({ name }) => name.length));
  const told = sides.map((side) => `  ${side.name.padEnd(width)}  ${sideText(side, line.unit)}`);
  return [titleOf(scenario, line), ...verdicts, ...told, ...quietText(line)].join('\n');
}

/** Nothing where the host let the machine alone. */
function quietText({ quiet }: Line): string[] {
  if (!quiet || Math.round(quiet.stolen * 100) === 0) return [];
  const share = `${Math.round(quiet.stolen * 100)} % of the machine`;
  return [`  the host took up to ${share} in the quietest of ${quiet.turns} turns, which count`];
}

function metText(goal: Goal, { median }: Spread): string {
  return isMet(goal, median) ? 'met' : 'missed';
}

const TITLE_WIDTH = 44;
const GOAL_WIDTH = 8;
const VALUE_WIDTH = 8;

/** All runs as a table for a terminal: the number of each run, and whether its goal was met. */
export function plainTable(runs: Runs): string {
  const head = runs.map((_, index) => (runs.length === 1 ? 'result' : `run ${index + 1}`));
  const rows = rowsOf(runs).map((row) => [
    row.title,
    row.goal ? goalText(row.goal, row.unit) : '–',
    ...row.values.map((value) => (value ? numberWriter(row.unit)(value.median) : '–')),
    metInAllText(row),
  ]);
  const widths = [TITLE_WIDTH, GOAL_WIDTH, ...head.map(() => VALUE_WIDTH), 0];
  return [['', 'goal', ...head, ''], ...rows]
    .map((cells) =>
      cells
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join(' ')
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('');
}

function metInAllText(row: VerdictRow): string {
  if (!row.goal) return '';
  return isMetInAll(row) ? 'met' : 'MISSED';
}

/** A page has no room for hundreds of lines of one scenario: it shows the goals that were missed. */
const SHOWN_AT_MOST = 50;

/** The same in Markdown, with the medians of both sides in the middle run. */
export function markdownTable(runs: Runs): string {
  const headings = ['What', 'Goal', runs.length === 1 ? 'Result' : 'Each run', 'Servery', 'Other'];
  const rows = [...Map.groupBy(rowsOf(runs), ({ scenario }) => scenario)].flatMap(
    ([scenario, own]) => {
      if (own.length <= SHOWN_AT_MOST) return own.map(cellsOf);
      const met = own.filter(isMetInAll).length;
      const missed = own.filter((row) => row.goal && !isMetInAll(row));
      return [...missed.map(cellsOf), [`${scenario}: ${met} others`, 'all met', '–', '–', '–']];
    },
  );
  const all = [headings, headings.map(() => '---'), ...rows];
  return all.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

function cellsOf(row: VerdictRow): string[] {
  return [
    row.title,
    row.goal ? `${goalText(row.goal, row.unit)} ${isMetInAll(row) ? 'met' : '**missed**'}` : '–',
    row.values.map((value) => (value ? numberWriter(row.unit)(value.median) : '–')).join(', '),
    ...sidesOf(row),
  ];
}

/** Both sides in the run that is the middle one by its number. */
function sidesOf({ values, lines, isP99 }: VerdictRow): string[] {
  const inOrder = values
    .flatMap((value, index) => (value ? [{ median: value.median, line: lines[index] }] : []))
    .toSorted((a, b) => a.median - b.median);
  const line = inOrder[Math.floor((inOrder.length - 1) / 2)]?.line;
  if (!line || isP99) return ['–', '–'];
  const { product, others, unit, ratio } = line;
  const beside = others.map((side) => `${side.name} ${valueText(side.median, unit)}`);
  return [ratio ? valueText(product.median, unit) : '–', beside.join('; ') || '–'];
}

/** A goal for the product's own value is told with its unit. */
function goalText(goal: Goal, unit: Unit | null): string {
  const shown = unit ? ` ${unit}` : '';
  return 'atLeast' in goal ? `≥ ${goal.atLeast}${shown}` : `≤ ${goal.atMost}${shown}`;
}

function sideText({ median, p99Ms, busy }: Side, unit: Unit): string {
  return [
    valueText(median, unit).padEnd(10),
    p99Ms === undefined ? '' : `p99 ${msText(p99Ms)}`.padEnd(12),
    busy === undefined ? '' : `${Math.round(busy * 100)} % busy`.padEnd(10),
    // What an answer costs its process says something even where others take the core away.
    busy === undefined || unit !== '/s' ? '' : `${Math.round((busy / median) * 1e6)} µs each`,
  ]
    .filter((part) => part !== '')
    .join('  ')
    .trimEnd();
}

function numberWriter(unit: Unit | null): (value: number) => string {
  return unit ? (value) => valueText(value, unit) : ratioText;
}

function spreadText({ median, least, most }: Spread, write: (value: number) => string): string {
  return least === most ? write(median) : `${write(median)} (${write(least)}–${write(most)})`;
}

function valueText(value: number, unit: Unit): string {
  return `${numberText(value)}${unit === '/s' ? '' : ' '}${unit}`;
}

function msText(ms: number): string {
  return `${ms < 10 ? ms.toFixed(2) : ms.toFixed(0)} ms`;
}

function ratioText(value: number): string {
  return value < 10 ? value.toFixed(3) : value.toFixed(1);
}

function numberText(value: number): string {
  if (value >= 100) return String(Math.round(value));
  return value.toFixed(value >= 10 ? 1 : 2);
}
