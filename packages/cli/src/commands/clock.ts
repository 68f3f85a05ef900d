import type {
  ClockMove,
  ClockStatus,
  DoneAttempt,
  DoneWork,
  WebhookEndpoint,
} from '@servery/contract';
import { command, type Family, type PlatformCall, type Session } from '../command.ts';
import { CommandFailure, exitCodes } from '../exit-codes.ts';
import { allOf } from '../find/find.ts';
import { namesOf } from '../find/names.ts';
import { duration, instant } from '../readers.ts';
import { type Columns, counted, rows, type Shown } from '../shown.ts';
import { printable } from '../terminal.ts';
import { argument, as } from '../values.ts';

/** Work that was done, or all attempts in vain at one payment until its next move. */
interface WorkLine extends DoneWork {
  readonly restaurant: string;
  readonly address: string;
  readonly tries: number;
}

const columns: Columns<WorkLine> = {
  at: 'at',
  what: 'kind',
  payment: 'paymentUuid',
  from: 'fromState',
  cause: 'cause',
  // An attempt without an outcome adds nothing to the history.
  to: ({ toState, paymentUuid, tries }) =>
    toState ?? (paymentUuid && (tries === 1 ? 'unchanged' : `unchanged, ${tries} times`)),
  restaurant: 'restaurant',
  event: ({ webhook, address }) => webhook && `${webhook.eventType} to ${address}`,
  answer: ({ at, webhook }) => webhook && outcomeText(at, webhook),
};

const DATE = 'yyyy-mm-dd'.length;
const TIME_END = 'yyyy-mm-ddThh:mm:ss'.length;
const SET = 'servery clock set 2026-03-29T03:30:00+02:00';

export const clock: Family = {
  name: 'clock',
  summary: 'Read and move the clock of a sandbox',
  examples: ['servery clock advance 5m', SET],
  commands: [
    command({
      name: 'status',
      summary: 'Show the time and the next deadline',
      examples: ['servery clock'],
      isDefault: true,
      operation: 'backOffice.clock.get',
      show: async (status, call) => {
        const text = await statusText(call, status);
        return { json: status, text: () => text };
      },
    }),
    move('freeze', 'Stop the clock'),
    move('run', 'Let the clock run again'),
    move('next', 'Go to the next deadline, and do what is due'),
    command({
      name: 'set',
      summary: 'Set the time',
      examples: [SET],
      arguments: { instant: as('now', argument('ISO 8601 with Z or an offset', instant)) },
      operation: 'backOffice.clock.set',
      show: moveShown,
    }),
    command({
      name: 'advance',
      summary: 'Advance the clock',
      examples: ['servery clock advance 1h30m'],
      arguments: { duration: argument('30s, 5m, 1h30m, 7d, or ISO 8601', duration) },
      operation: 'backOffice.clock.advance',
      show: moveShown,
    }),
  ],
};

function move(name: 'freeze' | 'run' | 'next', summary: string) {
  const operation = `backOffice.clock.${name}` as const;
  return command({
    name,
    summary,
    examples: [`servery clock ${name}`],
    operation,
    show: moveShown,
  });
}

type Asking = Pick<PlatformCall, 'client' | 'flags'>;

async function moveShown(own: ClockMove, call: Asking): Promise<Shown> {
  const { stoppedBecause, done } = own;
  const stopped = `the clock stopped early: ${stoppedBecause}`;
  const failure = stoppedBecause && new CommandFailure(stopped, exitCodes.failure);
  const more = failure ? { failure } : {};
  if (call.flags.json) return { json: own, text: () => '', ...more };
  const status = await statusText(call, own.clock);
  const table = rows(columns, await linesOf(call, done), 'Nothing was due.');
  const space = done.length > 0 ? '\n' : '';
  return { ...table, json: own, text: (look) => status + space + table.text(look), ...more };
}

/** A processor that is away for a week is asked thousands of times; that becomes one line. */
async function linesOf(call: Asking, done: readonly DoneWork[]): Promise<WorkLine[]> {
  // Names are a convenience: the work is listed without them too.
  const ids = done.map(({ merchantGuid }) => merchantGuid);
  const nameOf = await namesOf(call, ids, ['restaurant']).catch(() => String);
  const isAsked = done.some(({ webhook }) => webhook !== null);
  const endpoints = isAsked ? await endpointsOf(call, {}).catch(() => []) : [];
  const addresses = new Map(endpoints.map(({ guid, url }) => [guid, url.replace(/^\w+:\/\//, '')]));
  const lines: WorkLine[] = [];
  const inVain = new Map<string, number>();
  for (const work of done) {
    const { toState, paymentUuid, merchantGuid, webhook } = work;
    const at = paymentUuid === null ? undefined : inVain.get(paymentUuid);
    const line = at === undefined ? undefined : lines[at];
    if (toState === null && line && at !== undefined) {
      lines[at] = { ...line, tries: line.tries + 1 };
      continue;
    }
    if (paymentUuid !== null && toState === null) inVain.set(paymentUuid, lines.length);
    else if (paymentUuid !== null) inVain.delete(paymentUuid);
    const restaurant = merchantGuid === null ? '' : nameOf(merchantGuid);
    const guid = webhook?.endpointGuid ?? '';
    lines.push({ ...work, restaurant, address: addresses.get(guid) ?? guid, tries: 1 });
  }
  return lines;
}

async function statusText(call: Pick<Session, 'client'>, status: ClockStatus): Promise<string> {
  const { now, mode, realNow, isMovable, nextDeadline } = status;
  const lines = [
    `now    ${now}  ${mode}`,
    `real   ${realNow}`,
    nextDeadline ? `next   ${nextDeadline.at}  ${nextDeadline.kind}` : 'next   no deadline',
  ];
  if (!isMovable) lines.push('This clock cannot be moved.');
  return `${printable(lines.join('\n'))}\n${await heldText(call).catch(() => '')}`;
}

/** What waits at paused endpoints, which have no deadline; empty when nothing does. */
async function heldText(call: Pick<Session, 'client'>): Promise<string> {
  const paused = await endpointsOf(call, { state: 'PAUSED' });
  const holding = paused.filter(({ queued }) => queued > 0);
  if (holding.length === 0) return '';
  const events = holding.reduce((sum, { queued }) => sum + queued, 0);
  const [first] = holding.flatMap(({ nextProbeAt }) => nextProbeAt ?? []).toSorted();
  const where = counted(holding.length, 'paused webhook endpoint');
  const probe = first === undefined ? 'no probe is planned' : `next probe ${first}`;
  return (
    `held   ${counted(events, 'event')} at ${where}; ${probe}\n` +
    '       "servery webhooks resume <endpoint>" delivers them now\n'
  );
}

/** An account that may not read webhooks does not ask: the refusal would be logged. */
async function endpointsOf(
  { client }: Pick<Session, 'client'>,
  query: { readonly state?: 'PAUSED' },
): Promise<readonly WebhookEndpoint[]> {
  const { grants } = await client.call('backOffice.whoami');
  const mayRead = grants.some(({ scopes }) =>
    scopes.some(({ scope }) => scope === 'webhooks:read'),
  );
  if (!mayRead) return [];
  return await allOf(client, 'backOffice.webhooks.endpoints.list', { query });
}

/** How an attempt ended: `500, next 12:10:00`, with the date where that is another day. */
function outcomeText(at: string, { outcome, status, state, nextAt }: DoneAttempt): string {
  const answer = status ?? outcome.toLowerCase().replaceAll('_', ' ');
  if (state === 'DELIVERED') return `${answer}`;
  if (state !== 'QUEUED') return `${answer}, ${state === 'DEAD' ? 'dead letter' : 'dropped'}`;
  if (nextAt === null) return `${answer}, waiting`;
  const isSameDay = nextAt.slice(0, DATE) === at.slice(0, DATE);
  return `${answer}, next ${isSameDay ? nextAt.slice(DATE + 1, TIME_END) : nextAt}`;
}
