import type { ClockMove, ClockStatus, DoneWork } from '@servery/contract';
import { CommandFailure, exitCodes } from '../exit-codes.ts';
import { openSession, type RemoteDeps, type RemoteFlags, showJson, showTable } from '../session.ts';
import type { Column } from '../table.ts';
import { printable } from '../terminal.ts';

/** What `servery clock` can do, with the instant or duration in ISO 8601 that some of it needs. */
export type ClockAction =
  | { readonly kind: 'status' | 'freeze' | 'run' | 'next' }
  | { readonly kind: 'set'; readonly instant: string }
  | { readonly kind: 'advance'; readonly duration: string };

const PATH = '/backoffice/v1/clock';

const workColumns: readonly Column<DoneWork>[] = [
  { title: 'at', cell: ({ at }) => at },
  { title: 'what', cell: ({ kind }) => kind },
  { title: 'payment', cell: ({ paymentUuid }) => paymentUuid ?? '' },
  { title: 'from', cell: ({ fromState }) => fromState ?? '' },
  { title: 'cause', cell: ({ cause }) => cause ?? '' },
  { title: 'to', cell: toText },
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
    else deps.terminal.out.write(describe(status));
    return;
  }
  const move = await remote.post<ClockMove>(`${PATH}/${action.kind}`, bodyOf(action));
  if (flags.json) {
    showJson(deps, move);
  } else {
    deps.terminal.out.write(describe(move.clock));
    if (move.done.length > 0) deps.terminal.out.write('\n');
    showTable(deps, workColumns, move.done, 'Nothing was due on the way.');
  }
  const { stoppedBecause } = move;
  if (stoppedBecause !== null) {
    throw new CommandFailure(`the clock stopped early: ${stoppedBecause}`, exitCodes.failure);
  }
}

/** A try without an outcome, such as an answer that did not come, adds nothing to the history. */
function toText({ toState, paymentUuid }: DoneWork): string {
  return toState ?? (paymentUuid === null ? '' : 'as before');
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
    nextDeadline ? `next   ${nextDeadline.at}  ${nextDeadline.kind}` : 'next   nothing waits',
  ];
  if (!isMovable) lines.push('This clock cannot be moved.');
  return `${printable(lines.join('\n'))}\n`;
}
