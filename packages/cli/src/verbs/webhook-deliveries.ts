import type { WebhookAttempt, WebhookDelivery, WebhookDeliveryDetails } from '@servery/contract';
import { readGuidOf, wordsOf } from '../arguments.ts';
import { readPages } from '../back-office.ts';
import { invalidUsage } from '../exit-codes.ts';
import { showTable } from '../session.ts';
import type { Column } from '../table.ts';
import { printable } from '../terminal.ts';
import { rows, type Shown, said } from './shown.ts';
import { flag, limitFlag, needed, type Verb, verb } from './verb.ts';
import { endpointOf, WEBHOOKS } from './webhook-names.ts';
import { replayVerb } from './webhook-replay.ts';
import { testVerb } from './webhook-test.ts';
import { type Surroundings, surroundingsOf, waitOf, waitText } from './webhook-waits.ts';
import { eventText } from './webhook-words.ts';
import { pastOf } from './when.ts';

interface ListFlags {
  readonly endpoint?: string;
  readonly state?: string;
  readonly event?: string;
  readonly type?: string;
  readonly since?: string;
  readonly limit: number;
}

const STATES = ['queued', 'delivered', 'dead', 'dropped'];
const delivery = {
  name: '<delivery>',
  says: 'its GUID: see servery webhooks deliveries',
  read: readGuidOf('delivery', 'servery webhooks deliveries'),
};

const attemptColumns: readonly Column<WebhookAttempt>[] = [
  { title: 'attempt', cell: ({ number, isProbe }) => `${number}${isProbe ? ', probe' : ''}` },
  { title: 'at', cell: ({ at }) => at },
  { title: 'outcome', cell: ({ outcome, status }) => `${outcome}${status ? ` ${status}` : ''}` },
  { title: 'ms', cell: ({ durationMs }) => durationMs.toFixed(1) },
  { title: 'next planned', cell: ({ nextAt }) => nextAt ?? '' },
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
      const around = call.flags.json
        ? NOTHING_KNOWN
        : await surroundingsOf(call.remote, page.results);
      return rows(columnsIn(around), page, 'There is no such delivery within reach.');
    },
  }),
  verb<object>({
    name: 'attempts',
    says: 'every attempt of a delivery: what was answered, and what comes next',
    example: 'servery webhooks attempts 0192…',
    words: [delivery],
    run: async ({ remote, words: [guid] }) => {
      const path = `${WEBHOOKS}/deliveries/${guid}`;
      const details = await remote.get<WebhookDeliveryDetails>(path);
      return attemptsShown(details, await surroundingsOf(remote, [details]));
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
];

/** The verbs of `servery webhooks` about deliveries. */
export const deliveryVerbs: readonly Verb[] = [...reads, ...changes, replayVerb, testVerb];

/** The endpoint is told where there are several, and of what waits the reason. */
function columnsIn(around: Surroundings): readonly Column<WebhookDelivery>[] {
  const { endpoints } = around;
  const hasSeveral = endpoints.size > 1;
  const addressOf = (guid: string) => (hasSeveral ? (endpoints.get(guid)?.url ?? guid) : '');
  return [
    { title: 'delivery', cell: ({ guid }) => guid },
    { title: 'endpoint', cell: ({ endpointGuid }) => addressOf(endpointGuid), breaks: true },
    { title: 'event', cell: eventText },
    { title: 'queued', cell: ({ queuedAt }) => queuedAt },
    {
      title: 'state',
      cell: ({ state, isReplayed }) => (isReplayed ? `${state}, replayed` : state),
    },
    { title: 'attempts', cell: ({ attemptCount }) => String(attemptCount) },
    {
      title: 'last',
      cell: ({ lastStatus, lastOutcome }) => String(lastStatus ?? lastOutcome ?? ''),
    },
    { title: 'next', cell: (one) => waitOf(one, around)?.nextAt ?? '' },
    { title: 'why', cell: (one) => one.reason ?? waitOf(one, around)?.text ?? '', breaks: true },
  ];
}

function attemptsShown(details: WebhookDeliveryDetails, around: Surroundings): Shown {
  const { state, reason, attempts, endpointGuid, eventGuid, body } = details;
  const wait = waitOf(details, around);
  const why = reason ?? (wait === null ? null : waitText(wait));
  const to = around.endpoints.get(endpointGuid)?.url ?? endpointGuid;
  const what = `${eventText(details)}, event ${eventGuid}, to ${to}`;
  const last = attempts.at(-1);
  return {
    json: details,
    print: (deps) => {
      showTable(deps, attemptColumns, attempts, 'Nothing was tried yet.');
      if (last) deps.terminal.out.write(printable(requestText(last, body)));
    },
    notes: [`${what} is ${state}${why === null ? '' : `: ${why}`}`],
  };
}

/** What was sent, as it went over the wire but for signatures, which nobody is shown. */
function requestText({ number, url, requestHeaders }: WebhookAttempt, body: string): string {
  const headers = Object.entries(requestHeaders).map(([name, value]) => `  ${name}: ${value}\n`);
  return `\nThe request of attempt ${number}:\n  POST ${url}\n${headers.join('')}\n  ${body}\n`;
}

const ANSWER_SHOWN = 200;
const NOTHING_KNOWN: Surroundings = { endpoints: new Map(), heads: new Map(), nowMs: 0 };

function answerText({ answerBody }: WebhookAttempt): string {
  return (answerBody ?? '').slice(0, ANSWER_SHOWN).replaceAll(/\s+/g, ' ');
}

function readState(text: string): string {
  if (STATES.includes(text.toLowerCase())) return text.toUpperCase();
  throw invalidUsage(`${JSON.stringify(text)} is no state: write one of ${STATES.join(', ')}.`);
}
