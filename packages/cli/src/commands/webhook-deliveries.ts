import type { WebhookAttempt, WebhookDelivery } from '@servery/contract';
import { type AnyCommand, command, type PlatformCall } from '../command.ts';
import { findEndpoint } from '../find/find.ts';
import { guidOf, oneOf, words } from '../readers.ts';
import { type Columns, rows, said } from '../shown.ts';
import { printable } from '../terminal.ts';
import { as, guid, limit, naming, required, text } from '../values.ts';
import { since } from '../when.ts';
import { surroundingsOf, type Wait, waitOf, waitText } from './webhook-waits.ts';

const states = {
  queued: 'QUEUED',
  delivered: 'DELIVERED',
  dead: 'DEAD',
  dropped: 'DROPPED',
} as const;
const delivery = { delivery: guid('deliveryGuid', 'a delivery', 'servery webhooks deliveries') };
const ANSWER_SHOWN = 200;

/** A delivery with the address of its endpoint, and what it waits for. */
type Line = WebhookDelivery & {
  readonly address?: string | null;
  readonly wait?: Wait | null;
};

const columns: Columns<WebhookDelivery> = {
  delivery: 'guid',
  endpoint: ({ address }: Line) => address,
  event: eventText,
  queued: 'queuedAt',
  state: ({ state, isReplayed }) => (isReplayed ? `${state}, replayed` : state),
  attempts: 'attemptCount',
  last: ({ lastStatus, lastOutcome }) => lastStatus ?? lastOutcome,
  next: ({ wait }: Line) => wait?.nextAt,
  fault: 'fault',
  why: ({ reason, wait }: Line) => reason ?? wait?.text,
};

const attemptColumns: Columns<WebhookAttempt> = {
  attempt: ({ number, isProbe }) => `${number}${isProbe ? ', probe' : ''}`,
  at: 'at',
  outcome: ({ outcome, status }) => `${outcome}${status ? ` ${status}` : ''}`,
  ms: ({ durationMs }) => durationMs.toFixed(1),
  'next planned': 'nextAt',
  fault: 'fault',
  answer: ({ answerBody }) => answerBody?.slice(0, ANSWER_SHOWN).replaceAll(/\s+/g, ' '),
  why: 'explanation',
};

export const deliveryCommands: readonly AnyCommand[] = [
  command({
    name: 'deliveries',
    summary: 'List deliveries, newest first, and what they wait for',
    examples: ['servery webhooks deliveries --state dead'],
    options: {
      endpoint: naming(
        findEndpoint,
        'endpointGuid',
        text('<endpoint>', 'GUID or part of the address'),
      ),
      state: text('<state>', 'queued, delivered, dead, or dropped', oneOf(states)),
      event: as(
        'eventGuid',
        text('<guid>', 'GUID of the event', guidOf('an event', 'servery webhooks deliveries')),
      ),
      type: as('eventType', text('<type>', 'event type, for example partner_added')),
      since: since(text('<instant>', 'queued since: 2h (ago) or ISO 8601'), 'since'),
      limit,
    },
    operation: 'backOffice.webhooks.deliveries.list',
    pages: { columns, empty: 'No delivery matches.', rows: withWaits },
  }),
  command({
    name: 'attempts',
    summary: 'List the attempts of a delivery, the responses, and what comes next',
    examples: ['servery webhooks attempts 0192…'],
    arguments: delivery,
    operation: 'backOffice.webhooks.deliveries.get',
    show: async (own, call) => {
      const around = await surroundingsOf(call, [own]);
      const wait = waitOf(own, around);
      const why = own.reason ?? (wait === null ? null : waitText(wait));
      const to = around.endpoints.get(own.endpointGuid)?.url ?? own.endpointGuid;
      const last = own.attempts.at(-1);
      const table = rows(attemptColumns, own.attempts, 'There are no attempts yet.');
      const fault = own.fault === null ? '' : `, touched by the injected fault ${own.fault}`;
      const what = `${eventText(own)}, event ${own.eventGuid}, to ${to} is ${own.state}${fault}`;
      return {
        json: own,
        text: (look) => table.text(look) + (last ? printable(requestText(last, own.body)) : ''),
        notes: [...(table.notes ?? []), `${what}${why === null ? '' : `: ${why}`}`],
      };
    },
  }),
  command({
    name: 'drop',
    summary: 'Give up on a delivery that is waiting or a dead letter',
    examples: ['servery webhooks drop 0192… --reason "entered by hand"'],
    arguments: delivery,
    options: { reason: required(text('<text>', 'reason, for the record', words)) },
    operation: 'backOffice.webhooks.deliveries.drop',
    show: (after) =>
      said(after, `Dropped the delivery of ${after.eventType} (${after.eventGuid}).`),
  }),
];

/** Says of each what it waits for, and where there are several endpoints, which one. */
async function withWaits(
  deliveries: readonly WebhookDelivery[],
  call: PlatformCall,
): Promise<readonly Line[]> {
  if (call.flags.json) return deliveries;
  const around = await surroundingsOf(call, deliveries);
  const { endpoints } = around;
  return deliveries.map((one) => ({
    ...one,
    address: endpoints.size > 1 ? (endpoints.get(one.endpointGuid)?.url ?? one.endpointGuid) : null,
    wait: waitOf(one, around),
  }));
}

function eventText(own: WebhookDelivery): string {
  const { eventType, eventPosition, isReplay, isTest } = own;
  const mark = isTest ? ' (test)' : isReplay ? ' (replay)' : '';
  return `${eventType}${eventPosition === null ? '' : ` ${eventPosition}`}${mark}`;
}

/** What was sent, as it went over the wire, without the signatures: they are never shown. */
function requestText({ number, url, requestHeaders }: WebhookAttempt, body: string): string {
  const headers = Object.entries(requestHeaders).map(([name, value]) => `  ${name}: ${value}\n`);
  return `\nThe request of attempt ${number}:\n  POST ${url}\n${headers.join('')}\n  ${body}\n`;
}
