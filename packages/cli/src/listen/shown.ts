import type { Look } from '../table.ts';
import { printable } from '../terminal.ts';
import { padColumns, textWidth } from '../text-width.ts';
import { type Forwarded, type HeardEvent, isTaken } from './forward.ts';

const INDENT = '    ';
const TYPE_WIDTH = 'partner_updated'.length;
const RESULT_WIDTH = 'FAIL 500'.length;
const MS_WIDTH = 5;

/**
 * An event and how its forward ended, for people: one line, or two where that is too wide, and one
 * more for why it failed. Nothing is cut but the answer of a receiver.
 */
export function shownEvent(
  { kind, event }: HeardEvent,
  forwarded: Forwarded | null,
  { width, paint }: Look,
): string {
  const { eventType, details, guid, timestamp } = event;
  const mark = kind === 'event' ? '' : ` (${kind})`;
  const at = timestamp.replace(/\.\d+Z$/, 'Z');
  const ended = forwarded ? `${resultOf(forwarded)}  ` : '';
  const head = printable(`${at}  ${ended}${padColumns(eventType, TYPE_WIDTH)}`);
  const rest = printable(`${details.restaurantName}${mark}  ${guid}`);
  const isOneLine = textWidth(head) + 2 + textWidth(rest) <= width;
  const lines = isOneLine ? [`${head}  ${rest}`] : [head.trimEnd(), INDENT + rest];
  const isFailed = forwarded !== null && !isTaken(forwarded);
  if (isFailed) lines.push(cut(INDENT + printable(reasonOf(forwarded)), width));
  const [first = '', ...others] = lines;
  return `${[isFailed ? paint(first) : first, ...others].join('\n')}\n`;
}

function resultOf(forwarded: Forwarded): string {
  const { status, durationMs } = forwarded;
  const result = isTaken(forwarded) ? `${status}` : `FAIL ${status ?? ''}`;
  return `${result.padEnd(RESULT_WIDTH)}  ${String(Math.round(durationMs)).padStart(MS_WIDTH)} ms`;
}

function reasonOf({ error, answer }: Forwarded): string {
  if (error !== null) return error;
  return answer ? `It answered: ${answer}` : 'Its answer is empty.';
}

function cut(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, width - 1)}…` : text;
}
