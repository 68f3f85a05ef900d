import { randomUUID } from 'node:crypto';
import type {
  ReplayWebhooks,
  WebhookAttempt,
  WebhookDelivery,
  WebhookDeliveryDetails,
  WebhookReplay,
} from '@servery/contract';
import { readGuidOf, wordsOf } from '../arguments.ts';
import { readPages } from '../back-office.ts';
import { invalidUsage } from '../exit-codes.ts';
import { showTable } from '../session.ts';
import type { Column } from '../table.ts';
import { rows, type Shown, said } from './shown.ts';
import { flag, limitFlag, needed, type Verb, verb } from './verb.ts';
import { endpointOf, endpointPath, WEBHOOKS } from './webhook-names.ts';
import { pastOf } from './when.ts';

interface ListFlags {
  readonly endpoint?: string;
  readonly state?: string;
  readonly event?: string;
  readonly type?: string;
  readonly since?: string;
  readonly limit: number;
}

interface ReplayFlags {
  readonly event?: string;
  readonly from?: string;
  readonly to?: string;
  readonly failed?: boolean;
  readonly since?: string;
  readonly dryRun?: boolean;
}

const STATES = ['queued', 'delivered', 'dead', 'dropped'];
const endpoint = { name: '<endpoint>', says: 'its GUID, or a part of its address' };
const delivery = {
  name: '<delivery>',
  says: 'its GUID: see servery webhooks deliveries',
  read: readGuidOf('delivery', 'servery webhooks deliveries'),
};

const columns: readonly Column<WebhookDelivery>[] = [
  { title: 'delivery', cell: ({ guid }) => guid },
  { title: 'event', cell: eventText },
  { title: 'queued', cell: ({ queuedAt }) => queuedAt },
  { title: 'state', cell: ({ state, isReplayed }) => (isReplayed ? `${state}, replayed` : state) },
  { title: 'attempts', cell: ({ attemptCount }) => String(attemptCount) },
  { title: 'last', cell: ({ lastStatus, lastOutcome }) => String(lastStatus ?? lastOutcome ?? '') },
  { title: 'next', cell: ({ dueAt }) => dueAt ?? '' },
  { title: 'why', cell: ({ reason }) => reason ?? '', breaks: true },
];

const attemptColumns: readonly Column<WebhookAttempt>[] = [
  { title: 'attempt', cell: ({ number, isProbe }) => `${number}${isProbe ? ', probe' : ''}` },
  { title: 'at', cell: ({ at }) => at },
  { title: 'outcome', cell: ({ outcome, status }) => `${outcome}${status ? ` ${status}` : ''}` },
  { title: 'ms', cell: ({ durationMs }) => durationMs.toFixed(1) },
  { title: 'next', cell: ({ nextAt }) => nextAt ?? '' },
  { title: 'answer', cell: answerText, breaks: true },
  { title: 'why', cell: ({ explanation }) => explanation ?? '', breaks: true },
];

const reads: readonly Verb[] = [
  verb<ListFlags>({
    name: 'deliveries',
    says: 'what is on its way, was taken or was given up, newest first',
    example: 'servery webhooks deliveries --state dead',
    flags: [
      flag('--endpoint <endpoint>', 'to an endpoint: its GUID, or a part of its address'),
      flag('--state <state>', 'queued, delivered, dead or dropped', readState),
      flag('--event <guid>', 'of an event', readGuidOf('event', 'servery webhooks deliveries')),
      flag('--type <type>', 'of events of this type, such as partner_added'),
      flag('--since <instant>', 'queued since then: 2h for two hours ago, or ISO 8601'),
      limitFlag(),
    ],
    run: async (call) => {
      const { endpoint: named, state, event, type, since, limit } = call.flags;
      const query = {
        endpointGuid: named === undefined ? undefined : await endpointOf(call, named),
        state,
        eventGuid: event,
        eventType: type,
        since: since === undefined ? undefined : await pastOf('--since', since, call.remote),
      };
      const path = `${WEBHOOKS}/deliveries`;
      const page = await readPages<WebhookDelivery>(call.remote, path, query, limit);
      return rows(columns, page, 'There is no such delivery within reach.');
    },
  }),
  verb<object>({
    name: 'attempts',
    says: 'every attempt of a delivery: what was answered, and what comes next',
    example: 'servery webhooks attempts 0192…',
    words: [delivery],
    run: async ({ remote, words: [guid] }) => {
      const path = `${WEBHOOKS}/deliveries/${guid}`;
      return attemptsShown(await remote.get<WebhookDeliveryDetails>(path));
    },
  }),
];

const changes: readonly Verb[] = [
  verb<{ readonly reason: string }>({
    name: 'drop',
    says: 'give up a delivery that waits or is a dead letter',
    example: 'servery webhooks drop 0192… --reason "entered by hand"',
    words: [delivery],
    flags: [needed('--reason <text>', 'for whoever reads it later', wordsOf('--reason'))],
    run: async ({ remote, words: [guid], flags: { reason } }) => {
      const path = `${WEBHOOKS}/deliveries/${guid}/drop`;
      const after = await remote.post<WebhookDelivery>(path, { reason });
      return said(after, `The delivery of ${after.eventType} (${after.eventGuid}) is given up.`);
    },
  }),
  verb<ReplayFlags>({
    name: 'replay',
    says: 'send events to an endpoint again, after counting them',
    example: 'servery webhooks replay hooks.example.com --failed',
    words: [endpoint],
    flags: [
      flag('--event <guid>', 'this event', readGuidOf('event', 'servery webhooks deliveries')),
      flag('--from <position>', 'those from this position on', readPosition),
      flag('--to <position>', 'up to this one', readPosition),
      flag('--failed', 'all that became dead letters'),
      flag('--since <instant>', 'all that happened since: 2h, or ISO 8601'),
      flag('--dry-run', 'only count them'),
    ],
    run: async (call) => {
      const body = await selectionOf(call.flags, (text) => pastOf('--since', text, call.remote));
      const path = `${await endpointPath(call)}/replay`;
      const { dryRun } = call.flags;
      const counted = await call.remote.post<WebhookReplay>(path, { ...body, dryRun: true });
      if (dryRun || counted.count === 0) return replayShown(counted);
      // What is sent is what was counted, or nothing.
      const expectedCount = counted.count;
      const requestGuid = randomUUID();
      const sent = { ...body, expectedCount, requestGuid };
      return replayShown(await call.remote.post<WebhookReplay>(path, sent));
    },
  }),
  verb<{ readonly type: string }>({
    name: 'test',
    says: 'send a made up event to one endpoint',
    example: 'servery webhooks test hooks.example.com --type partner_added',
    words: [endpoint],
    flags: [flag('--type <type>', 'which event').default('partner_updated')],
    run: async (call) => {
      const path = `${await endpointPath(call)}/test`;
      const sent = await call.remote.post<WebhookDelivery>(path, { eventType: call.flags.type });
      return said(
        sent,
        `A made up ${sent.eventType} is on its way: "servery webhooks attempts ${sent.guid}" ` +
          'shows how it fares.',
      );
    },
  }),
];

/** The verbs of `servery webhooks` about deliveries. */
export const deliveryVerbs: readonly Verb[] = [...reads, ...changes];

async function selectionOf(
  { event, from, to, failed, since }: ReplayFlags,
  instant: (text: string) => Promise<string>,
): Promise<ReplayWebhooks> {
  const isRange = from !== undefined || to !== undefined;
  const given = [event !== undefined, isRange, failed === true, since !== undefined];
  if (given.filter(Boolean).length !== 1) {
    throw invalidUsage('which events? Say one of --event, --from with --to, --failed, --since.');
  }
  if (event !== undefined) return { which: 'EVENT', eventGuid: event };
  if (since !== undefined) return { which: 'SINCE', since: await instant(since) };
  if (failed) return { which: 'FAILED' };
  const fromPosition = Number(from ?? 1);
  const toPosition = to === undefined ? Number.MAX_SAFE_INTEGER : Number(to);
  return { which: 'RANGE', fromPosition, toPosition };
}

function replayShown(replay: WebhookReplay): Shown {
  const { count, isDryRun, firstPosition, lastPosition } = replay;
  if (count === 0) return said(replay, 'There is no such event: nothing is sent again.');
  const what = count === 1 ? 'One event' : `${count} events`;
  const range = firstPosition === null ? '' : `, from position ${firstPosition} to ${lastPosition}`;
  const done = count === 1 ? 'is' : 'are';
  return said(replay, `${what}${range}, ${isDryRun ? 'would be' : done} sent again.`);
}

function attemptsShown(details: WebhookDeliveryDetails): Shown {
  const { state, dueAt, reason, attempts } = details;
  const next = dueAt === null ? '' : `, next at ${dueAt}`;
  const why = reason === null ? '' : `: ${reason}`;
  return {
    json: details,
    print: (deps) => showTable(deps, attemptColumns, attempts, 'Nothing was tried yet.'),
    notes: [`${eventText(details)} ${details.eventGuid} is ${state}${next}${why}`],
  };
}

function eventText({ eventType, eventPosition, isReplay, isTest }: WebhookDelivery): string {
  const mark = isTest ? ' (test)' : isReplay ? ' (replay)' : '';
  return `${eventType}${eventPosition === null ? '' : ` ${eventPosition}`}${mark}`;
}

const ANSWER_SHOWN = 200;

function answerText({ answerBody }: WebhookAttempt): string {
  return (answerBody ?? '').slice(0, ANSWER_SHOWN).replaceAll(/\s+/g, ' ');
}

function readState(text: string): string {
  if (STATES.includes(text.toLowerCase())) return text.toUpperCase();
  throw invalidUsage(`${JSON.stringify(text)} is no state: write one of ${STATES.join(', ')}.`);
}

function readPosition(text: string): string {
  if (/^\d{1,15}$/.test(text)) return text;
  throw invalidUsage(`${JSON.stringify(text)} is no position: write a whole number.`);
}
