import { alarmTexts } from '../../../packages/server/src/payments/alarms/alarm-kinds.ts';
import { moves, wireState } from '../../../packages/server/src/payments/life/lifecycle.ts';
import {
  causeTexts,
  stateTexts,
} from '../../../packages/server/src/payments/life/lifecycle-texts.ts';
import { table } from './table.ts';

type State = keyof typeof stateTexts;

const states = Object.keys(stateTexts) as State[];

/** What docs/explanation/payments.md shows of the code, by the name of its place in the page. */
export function paymentLifeParts(): Record<string, string> {
  return {
    diagram: diagram(),
    states: statesTable(),
    causes: list(causeTexts),
    alarms: list(alarmTexts),
  };
}

/** The moves as a picture; causes that lead the same way share an arrow. */
function diagram(): string {
  const arrows = new Map<string, string[]>();
  for (const { from, cause, to } of moves) {
    const arrow = `${from === 'NEW' ? '[*]' : from} --> ${to}`;
    arrows.set(arrow, [...(arrows.get(arrow) ?? []), cause]);
  }
  const ends = states.filter((state) => !moves.some(({ from }) => from === state));
  const lines = [
    ...[...arrows].map(([arrow, causes]) => `${arrow} : ${causes.join(', ')}`),
    ...ends.map((state) => `${state} --> [*]`),
  ];
  return `\`\`\`mermaid\nstateDiagram-v2\n${lines.map((line) => `  ${line}\n`).join('')}\`\`\`\n`;
}

function statesTable(): string {
  const rows = states.map((state) => [`\`${state}\``, stateTexts[state], partnerSees(state)]);
  return table(['State', 'Meaning', 'Response to a repeated PUT'], rows);
}

/** ABORTED is shown by no response, because the same PUT begins the next attempt. */
function partnerSees(state: State): string {
  const shown = wireState({ state, denialReason: null });
  if (state === 'REVERSAL_PENDING')
    return `\`${shown}\`, or \`DENIED\` if that was the last response`;
  if (shown) return `\`${shown}\``;
  return moves.some(({ from, cause }) => from === state && cause === 'submittedAgain')
    ? 'a new attempt'
    : '409';
}

/** What each cause in the diagram, or each kind of alarm, means. */
function list(texts: Readonly<Record<string, string>>): string {
  const lines = Object.entries(texts).map(([name, text]) => `- \`${name}\`: ${text}\n`);
  return lines.join('');
}
