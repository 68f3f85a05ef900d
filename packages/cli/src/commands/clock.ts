import type { ClockMove, ClockStatus, DoneWork } from '@servery/contract';
import type { Remote } from '../back-office.ts';
import { CommandFailure, exitCodes } from '../exit-codes.ts';
import { openSession, type RemoteDeps, type RemoteFlags, showJson, showTable } from '../session.ts';
import type { Column } from '../table.ts';
import { printable } from '../terminal.ts';
import { type NameOf, namesOf } from '../verbs/names.ts';
import { type AddressOf, addressesOf, heldText, outcomeText } from './clock-webhooks.ts';

/** What `servery clock` can do, with the instant or duration in ISO 8601 that some of it needs. */
export type ClockAction =
  | { readonly kind: 'status' | 'freeze' | 'run' | 'next' }
  | { readonly kind: 'set'; readonly instant: string }
  | { readonly kind: 'advance'; readonly duration: string };

const PATH = '/backoffice/v1/clock';

/** A line of the list: a piece of work, or all tries in vain of one payment up to its next move. */
interface WorkLine extends DoneWork {
  readonly restaurant: string;
  /** The address of the endpoint, of an event that was posted; empty otherwise. */
  readonly address: string;
  readonly tries: number;
}

const workColumns: readonly Column<WorkLine>[] = [
  { title: 'at', cell: ({ at }) => at },
  { title: 'what', cell: ({ kind }) => kind },
  { title: 'payment', cell: ({ paymentUuid }) => paymentUuid ?? '' },
  { title: 'from', cell: ({ fromState }) => fromState ?? '' },
  { title: 'cause', cell: ({ cause }) => cause ?? '' },
  { title: 'to', cell: toText },
  { title: 'restaurant', cell: ({ restaurant }) => restaurant, breaks: true },
  {
    title: 'event',
    cell: ({ webhook, address }) => (webhook ? `${webhook.eventType} to ${address}` : ''),
    breaks: true,
  },
  {
    title: 'answer',
    cell: ({ at, webhook }) => (webhook ? outcomeText(at, webhook) : ''),
    breaks: true,
  },
];

/** `servery clock`: tells or moves the clock of the environment, and lists what was done. */
export async function runClock(
  deps: RemoteDeps,
  flags: RemoteFlags,
  action: ClockAction,
): Promise<void> {
  const { remote } = await openSession(deps, flags);
  if (action.kind === 'status') {
    const status = await remote.get<ClockStatus>(PATH);
    if (flags.json) showJson(deps, status);
    else await showStatus(deps, remote, status);
    return;
  }
  const move = await remote.post<ClockMove>(`${PATH}/${action.kind}`, bodyOf(action));
  if (flags.json) {
    showJson(deps, move);
  } else {
    await showStatus(deps, remote, move.clock);
    if (move.done.length > 0) deps.terminal.out.write('\n');
    // What was done is told also where nobody tells the names.
    const ids = move.done.map(({ merchantGuid }) => merchantGuid);
    const nameOf = await namesOf({ remote, flags }, ids, ['restaurant']).catch(() => String);
    const addressOf = await addressesOf(remote, move.done).catch(() => String);
    const lines = linesOf(move.done, nameOf, addressOf);
    showTable(deps, workColumns, lines, 'Nothing was due on the way.');
  }
  const { stoppedBecause } = move;
  if (stoppedBecause !== null) {
    throw new CommandFailure(`the clock stopped early: ${stoppedBecause}`, exitCodes.failure);
  }
}

/** How the clock stands, and what waits without a deadline, where that can be found out. */
async function showStatus(deps: RemoteDeps, remote: Remote, status: ClockStatus): Promise<void> {
  deps.terminal.out.write(describe(status));
  deps.terminal.out.write(await heldText(remote).catch(() => ''));
}

/** A processor that is away for a week is asked thousands of times: that is told in one line. */
function linesOf(done: readonly DoneWork[], nameOf: NameOf, addressOf: AddressOf): WorkLine[] {
  const lines: WorkLine[] = [];
  const inVain = new Map<string, number>();
  for (const work of done) {
    const { toState, paymentUuid } = work;
    const at = paymentUuid === null ? undefined : inVain.get(paymentUuid);
    const line = at === undefined ? undefined : lines[at];
    if (toState === null && line && at !== undefined) {
      lines[at] = { ...line, tries: line.tries + 1 };
      continue;
    }
    if (paymentUuid !== null && toState === null) inVain.set(paymentUuid, lines.length);
    else if (paymentUuid !== null) inVain.delete(paymentUuid);
    const restaurant = work.merchantGuid === null ? '' : nameOf(work.merchantGuid);
    const address = work.webhook === null ? '' : addressOf(work.webhook.endpointGuid);
    lines.push({ ...work, restaurant, address, tries: 1 });
  }
  return lines;
}

/** A try without an outcome, such as an answer that did not come, adds nothing to the history. */
function toText({ toState, paymentUuid, tries }: WorkLine): string {
  if (toState !== null || paymentUuid === null) return toState ?? '';
  return tries === 1 ? 'as before' : `as before, ${tries} times`;
}

function bodyOf(action: ClockAction): unknown {
  if (action.kind === 'set') return { now: action.instant };
  if (action.kind === 'advance') return { duration: action.duration };
  return undefined;
}

function describe(status: ClockStatus): string {
  const { now, mode, realNow, isMovable, nextDeadline } = status;
  const lines = [
    `now    ${now}  ${mode}`,
    `real   ${realNow}`,
    nextDeadline ? `next   ${nextDeadline.at}  ${nextDeadline.kind}` : 'next   no deadline',
  ];
  if (!isMovable) lines.push('This clock cannot be moved.');
  return `${printable(lines.join('\n'))}\n`;
}
