import type {
  ClockMove,
  ClockStatus,
  DoneAttempt as DoneAttemptOnWire,
  DoneWork as DoneWorkOnWire,
} from '@servery/contract';
import type { Clock } from '@servery/support/clock.ts';
import { insertEntry } from '../../audit/entry-store.ts';
import { originOf } from '../../audit/origin.ts';
import type { Access, Answer, BackOfficeRequest } from '../../http/operation.ts';
import { isoTimestamp } from '../../http/timestamps.ts';
import { isWithin, type Reach } from '../../reach/reach.ts';
import type { DoneAttempt, DoneWork } from '../../support/due-work.ts';
import type { ClockMover } from '../move-clock.ts';
import {
  type ClockStand,
  findNextDeadline,
  type MovedClock,
  type NamedWork,
  type RecordClock,
} from '../mover.ts';

export interface ClockDeps {
  readonly clock: Clock & {
    readonly mode: ClockStatus['mode'];
    refresh(): Promise<boolean>;
  };
  readonly realClock: Clock;
  /** Null in production, where the clock doesn't move. */
  readonly mover: ClockMover | null;
  readonly dueWork: readonly NamedWork[];
  readonly access: Access;
}

/** Without a count, because it would reveal work that is out of the account's reach. */
const STOPPED =
  'more is due than one move does: the clock stands where it got to. Move it again to go on.';

type Moving = Pick<
  BackOfficeRequest,
  'caller' | 'reach' | 'by' | 'requestId' | 'operation' | 'nowMs' | 'attest'
>;

export async function moveClock(
  deps: ClockDeps,
  request: Moving,
  move: (mover: ClockMover, record: RecordClock) => Promise<MovedClock>,
): Promise<Answer<ClockMove>> {
  const { mover, access } = deps;
  if (!mover) throw new Error('admit lets no caller move a production clock');
  const { reach } = request;
  const { done, stoppedBecause } = await move(mover, recordFor(deps, request));
  return {
    json: {
      clock: await clockStatus(deps, reach),
      done: await reached(access, request, done),
      stoppedBecause: stoppedBecause === null || reach.isPlatform ? stoppedBecause : STOPPED,
    },
  };
}

function recordFor({ realClock }: ClockDeps, request: Moving): RecordClock {
  const facts = ({ mode, nowMs }: ClockStand) => ({ mode, now: onWire(nowMs) });
  return (sql, before, after) =>
    insertEntry(sql, originOf(request, realClock), {
      subject: { kind: 'clock', id: 'environment' },
      before: facts(before),
      after: facts(after),
    });
}

export async function clockStatus(
  { clock, realClock, mover, dueWork }: ClockDeps,
  reach: Reach,
): Promise<ClockStatus> {
  await clock.refresh();
  const next = await findNextDeadline(dueWork, reach);
  return {
    now: onWire(clock.nowMs()),
    mode: clock.mode,
    realNow: onWire(realClock.nowMs()),
    isMovable: mover !== null,
    nextDeadline: next && { at: onWire(next.dueMs), kind: next.kind },
  };
}

/** Hides work that was done out of the client's reach. */
async function reached(
  access: Access,
  { caller, reach }: Moving,
  done: readonly DoneWork[],
): Promise<DoneWorkOnWire[]> {
  const decisions = new Map<string | null, boolean>([[null, true]]);
  for (const { merchantGuid } of done) {
    if (merchantGuid === null || decisions.has(merchantGuid)) continue;
    const { outcome } = await access(caller, merchantGuid);
    decisions.set(merchantGuid, outcome === 'granted');
  }
  const isPartnerReached = ({ webhook }: DoneWork) =>
    !webhook || isWithin(reach, { kind: 'partner', guid: webhook.partnerGuid });
  // Overdue work runs where the clock stands, so an attempt can come before older deadlines.
  return done
    .filter((work) => decisions.get(work.merchantGuid) && isPartnerReached(work))
    .toSorted((one, other) => one.dueMs - other.dueMs)
    .map(doneOnWire);
}

function doneOnWire({ dueMs, fromState, toState, webhook, ...facts }: DoneWork): DoneWorkOnWire {
  return {
    at: onWire(dueMs),
    ...facts,
    fromState: fromState as DoneWorkOnWire['fromState'],
    toState: toState as DoneWorkOnWire['toState'],
    webhook: webhook ? attemptOnWire(webhook) : null,
  };
}

function attemptOnWire({ partnerGuid: _, nextMs, ...facts }: DoneAttempt): DoneAttemptOnWire {
  return {
    ...facts,
    eventType: facts.eventType as DoneAttemptOnWire['eventType'],
    outcome: facts.outcome as DoneAttemptOnWire['outcome'],
    state: facts.state as DoneAttemptOnWire['state'],
    nextAt: nextMs === null ? null : onWire(nextMs),
  };
}

function onWire(instantMs: number): string {
  return isoTimestamp(new Date(instantMs));
}
