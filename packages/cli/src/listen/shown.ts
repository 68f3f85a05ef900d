import type { WebhookEvent } from '@servery/contract';
import type { Look } from '../table.ts';
import { printable } from '../terminal.ts';
import { padColumns, textWidth } from '../text-width.ts';
import { type Forwarded, type HeardEvent, isTaken } from './forward.ts';

const INDENT = '    ';
const TYPE_WIDTH = 'partner_updated'.length;
const RESULT_WIDTH = 'FAIL 500'.length;
const MS_WIDTH = 5;

/**
 * An event and how its forward ended, for people: one line, or more where that is too wide, and one
 * more for why it failed. Nothing is cut but the answer of a receiver.
 */
export function shownEvent(
  { kind, event }: HeardEvent,
  forwarded: Forwarded | null,
  { width, paint }: Look,
): string {
  const { eventType, guid, timestamp } = event;
  const mark = kind === 'event' ? '' : ` (${kind})`;
  const at = timestamp.replace(/\.\d+Z$/, 'Z');
  const ended = forwarded ? `${resultOf(forwarded)}  ` : '';
  const head = printable(`${at}  ${ended}${padColumns(eventType, TYPE_WIDTH)}`);
  const about = printable(`${subjectOf(event)}${mark}`);
  const rest = `${about}  ${guid}`;
  const isOneLine = textWidth(head) + 2 + textWidth(rest) <= width;
  const isTwoLines = textWidth(INDENT + rest) <= width;
  const below = isTwoLines ? [INDENT + rest] : [INDENT + about, INDENT + guid];
  const lines = isOneLine ? [`${head}  ${rest}`] : [head.trimEnd(), ...below];
  const isFailed = forwarded !== null && !isTaken(forwarded);
  if (isFailed) lines.push(cut(INDENT + printable(reasonOf(forwarded)), width));
  const [first = '', ...others] = lines;
  return `${[isFailed ? paint(first) : first, ...others].join('\n')}\n`;
}

function subjectOf(event: WebhookEvent): string {
  switch (event.eventCategory) {
    case 'partner':
      return event.details.restaurantName;
    case 'menus':
      return `restaurant ${event.details.restaurantGuid}`;
    case 'order_updated':
    case 'channel_order_updated': {
      const { guid, guestOrderStatus } = event.details.order;
      return `order ${guid} ${guestOrderStatus}`;
    }
    case 'guest_order_status':
      return `order ${event.details.orderGuid} ${event.details.guestOrderStatus}`;
    case 'stock': {
      const { itemGuid, status, quantity } = event.details;
      return `item ${itemGuid} ${status}${quantity === null ? '' : ` ${quantity}`}`;
    }
    case 'payments': {
      const { paymentUuid, paymentStatus, reason } = event.details;
      return `payment ${paymentUuid} ${paymentStatus}${reason === null ? '' : `, ${reason}`}`;
    }
  }
}

function resultOf(forwarded: Forwarded): string {
  const { status, durationMs } = forwarded;
  const result = isTaken(forwarded) ? `${status}` : `FAIL ${status ?? ''}`;
  return `${result.padEnd(RESULT_WIDTH)}  ${String(Math.round(durationMs)).padStart(MS_WIDTH)} ms`;
}

function reasonOf({ error, answer }: Forwarded): string {
  if (error !== null) return error;
  return answer ? `It responded: ${answer}` : 'Its response is empty.';
}

function cut(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, width - 1)}…` : text;
}
