import type { WebhookAttempt, WebhookDelivery } from '@servery/contract';
import { type AnyCommand, command } from '../command.ts';
import { findEndpoint } from '../find/find.ts';
import { guidOf, oneOf, words } from '../readers.ts';
import { type Columns, rows, said } from '../shown.ts';
import { printable } from '../terminal.ts';
import { argument, as, limit, naming, required, text } from '../values.ts';
import { since } from '../when.ts';
import { type Surroundings, surroundingsOf, waitOf, waitText } from './webhook-waits.ts';

const states = {
  queued: 'QUEUED',
  delivered: 'DELIVERED',
  dead: 'DEAD',
  dropped: 'DROPPED',
} as const;
const delivery = {
  delivery: as(
    'deliveryGuid',
    argument(
      'its GUID: see servery webhooks deliveries',
      guidOf('a delivery', 'servery webhooks deliveries'),
    ),
  ),
};
const NOTHING_KNOWN: Surroundings = { endpoints: new Map(), heads: new Map(), nowMs: 0 };
const ANSWER_SHOWN = 200;

const attemptColumns: Columns<WebhookAttempt> = {
  attempt: ({ number, isProbe }) => `${number}${isProbe ? ', probe' : ''}`,
  at: 'at',
  outcome: ({ outcome, status }) => `${outcome}${status ? ` ${status}` : ''}`,
  ms: ({ durationMs }) => durationMs.toFixed(1),
  'next planned': 'nextAt',
  answer: ({ answerBody }) => answerBody?.slice(0, ANSWER_SHOWN).replaceAll(/\s+/g, ' '),
  why: 'explanation',
};

/** The commands of `servery webhooks` about deliveries. */
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
      state: text('<state>', 'queued, delivered, dead or dropped', oneOf(states)),
      event: as(
        'eventGuid',
        text('<guid>', 'event', guidOf('an event', 'servery webhooks deliveries')),
      ),
      type: as('eventType', text('<type>', 'event type, for example partner_added')),
      since: since('--since ', text('<instant>', 'queued since then: 2h ago, or ISO 8601')),
      limit,
    },
    operation: 'backOffice.webhooks.deliveries.list',
    run: async ({ client, flags, options: { limit: most, ...own } }) => {
      const query = {
        ...{ endpointGuid: own.endpoint, state: own.state, eventGuid: own.event },
        ...{ eventType: own.type as WebhookDelivery['eventType'] | undefined, since: own.since },
      };
      const page = await client.list('backOffice.webhooks.deliveries.list', { query }, most);
      const around = flags.json ? NOTHING_KNOWN : await surroundingsOf({ client }, page.results);
      return rows(columnsIn(around), page.results, 'No delivery matches.', page.hasMore);
    },
  }),
  command({
    name: 'attempts',
    summary: 'List the attempts of a delivery, their answers, and what comes next',
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
      const what = `${eventText(own)}, event ${own.eventGuid}, to ${to} is ${own.state}`;
      return {
        json: own,
        text: (look) => table.text(look) + (last ? printable(requestText(last, own.body)) : ''),
        notes: [...(table.notes ?? []), `${what}${why === null ? '' : `: ${why}`}`],
      };
    },
  }),
  command({
    name: 'drop',
    summary: 'Give up a delivery that waits or is a dead letter',
    examples: ['servery webhooks drop 0192… --reason "entered by hand"'],
    arguments: delivery,
    options: { reason: required(text('<text>', 'reason, for the record', words)) },
    operation: 'backOffice.webhooks.deliveries.drop',
    show: (after) =>
      said(after, `Dropped the delivery of ${after.eventType} (${after.eventGuid}).`),
  }),
];

/** The endpoint is shown where there are several, and the reason of what waits. */
function columnsIn(around: Surroundings): Columns<WebhookDelivery> {
  const { endpoints } = around;
  const addressOf = (guid: string) =>
    endpoints.size > 1 ? (endpoints.get(guid)?.url ?? guid) : '';
  return {
    delivery: 'guid',
    endpoint: ({ endpointGuid }) => addressOf(endpointGuid),
    event: eventText,
    queued: 'queuedAt',
    state: ({ state, isReplayed }) => (isReplayed ? `${state}, replayed` : state),
    attempts: 'attemptCount',
    last: ({ lastStatus, lastOutcome }) => lastStatus ?? lastOutcome,
    next: (one) => waitOf(one, around)?.nextAt,
    why: (one) => one.reason ?? waitOf(one, around)?.text,
  };
}

/** Its type and position, and whether it is a test or a replay. */
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
