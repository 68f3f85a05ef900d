import { newGuid } from '@servery/support/ids.ts';
import { runEvery } from '@servery/support/runner.ts';
import type { Sql } from '../database/database.ts';
import { ApiError } from '../http/errors.ts';
import { type EnvironmentClockDeps, instantOf, isMoving, type MovableClock } from './clock.ts';
import {
  type ClockMode,
  type ClockRow,
  findClock,
  updateClock,
  updateMoverLease,
} from './clock-store.ts';
import type { RecordClock } from './mover.ts';

/** How long a silent mover keeps the clock. */
const LEASE_MS = 5_000;
const RENEWAL_MS = 1_000;

export interface ClockHoldDeps extends EnvironmentClockDeps {
  readonly clock: MovableClock;
  readonly onError: (error: unknown) => void;
}

/** While this process moves the clock, nobody else does and its time stands still. */
export interface ClockHold {
  readonly nowMs: number;
  readonly targetMs: number;
  /** Stops the clock at an instant for all processes. Throws ApiError `conflict`. */
  standAt(instantMs: number): Promise<void>;
  release(instantMs: number, mode?: ClockMode, record?: RecordClock): Promise<void>;
  /** Ends the renewal of the lease. Always call it. */
  stop(): Promise<void>;
}

/**
 * Throws ApiError `conflict` while another process moves the clock, and what `targetMs` throws. A
 * process that dies with its hold blocks moves and background work for five seconds.
 */
export async function holdClock(
  deps: ClockHoldDeps,
  targetMs: (fromMs: number) => number,
): Promise<ClockHold> {
  const { database, realClock, clock, onError } = deps;
  const mover = newGuid();
  const expiresAt = () => new Date(realClock.nowMs() + LEASE_MS);
  let row = await findClock(database.sql);
  const { mode: modeBefore } = row;
  const write = async (change: Partial<ClockRow>, record?: (sql: Sql) => Promise<void>) => {
    const next = { ...row, ...change, version: row.version + 1 };
    const update = async (sql: Sql) => {
      if (!(await updateClock(sql, next))) throw beingMoved();
      await record?.(sql);
    };
    await (record ? database.transaction(update) : update(database.sql));
    row = next;
    clock.take(next);
  };
  /** If this process dies, a running clock continues from here; see `instantOf`. */
  const standing = (instantMs: number) => ({
    frozenAt: new Date(instantMs),
    offsetMs: instantMs - realClock.nowMs(),
    mover,
    moverExpiresAt: expiresAt(),
  });
  const realNowMs = realClock.nowMs();
  if (isMoving(row, realNowMs)) throw beingMoved();
  let nowMs = instantOf(row, realNowMs);
  const fromMs = nowMs;
  const target = targetMs(nowMs);
  await write(standing(nowMs));
  const renewal = runEvery(
    RENEWAL_MS,
    async () => {
      const moverExpiresAt = expiresAt();
      const version = row.version;
      const isOurs = await updateMoverLease(database.sql, mover, moverExpiresAt);
      if (isOurs && row.version === version) clock.take({ ...row, moverExpiresAt });
    },
    onError,
  );
  return {
    get nowMs() {
      return nowMs;
    },
    targetMs: target,
    async standAt(instantMs) {
      await write(standing(instantMs));
      nowMs = instantMs;
    },
    async release(instantMs, mode = row.mode, record) {
      await renewal.stop();
      const released = {
        mode,
        frozenAt: mode === 'FROZEN' ? new Date(instantMs) : null,
        offsetMs: instantMs - realClock.nowMs(),
        mover: null,
        moverExpiresAt: null,
      };
      const before = { mode: modeBefore, nowMs: fromMs };
      const after = { mode, nowMs: instantMs };
      await write(released, record && ((sql) => record(sql, before, after)));
    },
    stop: () => renewal.stop(),
  };
}

function beingMoved(): ApiError {
  return new ApiError('conflict', 'The clock is already being moved: try again when that is done.');
}
