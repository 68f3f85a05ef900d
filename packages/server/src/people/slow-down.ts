import type { Database } from '../db/database.ts';
import type { Clock } from '../support/clock.ts';
import type { Vault } from '../support/secret.ts';
import { deleteFailures, insertFailure } from './failure-store.ts';

/** What slowing down leans on; it runs in real time. */
export interface SlowDownDeps {
  readonly database: Pick<Database, 'sql'>;
  readonly vault: Pick<Vault, 'digest'>;
  readonly realClock: Clock;
}

/** So long a failed attempt is remembered. */
export const FAILURES_MS = 15 * 60_000;

/** Attempts from one address at one account before they are slowed, and how slow they get. */
const AT_ADDRESS = { free: 3, firstMs: 500, longestMs: 16_000, refusedFrom: 20 };
/** Attempts at one account from everywhere. Its owner waits a moment, and is never locked out. */
const AT_ACCOUNT = { free: 10, firstMs: 250, longestMs: 2_000 };

/** What an attempt to log in has to put up with. */
export interface Brake {
  /** How long to wait before it is judged, in milliseconds. */
  readonly waitMs: number;
  /** True when this address has tried this account too often to be judged at all for a while. */
  readonly isRefused: boolean;
}

/**
 * Counts an attempt at an account from an address, known or not, and tells how it is slowed.
 * Guessing from one address gets slow and then ends for a quarter of an hour; from many addresses
 * it gets slow. Neither keeps out the owner, who comes from another address.
 */
export async function takeAttempt(
  deps: SlowDownDeps,
  email: string,
  address: string,
): Promise<Brake> {
  const { sql } = deps.database;
  const nowMs = deps.realClock.nowMs();
  const times = { now: new Date(nowMs), since: new Date(nowMs - FAILURES_MS) };
  const fromHere = await insertFailure(sql, addressKey(deps, email, address), times);
  const fromAll = await insertFailure(sql, accountKey(deps, email), times);
  return {
    waitMs: Math.max(waitFor(AT_ADDRESS, fromHere), waitFor(AT_ACCOUNT, fromAll)),
    isRefused: fromHere >= AT_ADDRESS.refusedFrom,
  };
}

/** The attempt was right: what failed from this address was its owner's mistyping. */
export async function forgiveAttempts(
  deps: SlowDownDeps,
  email: string,
  address: string,
): Promise<void> {
  await deleteFailures(deps.database.sql, addressKey(deps, email, address));
}

function waitFor(
  { free, firstMs, longestMs }: { free: number; firstMs: number; longestMs: number },
  attempts: number,
): number {
  if (attempts <= free) return 0;
  return Math.min(firstMs * 2 ** (attempts - free - 1), longestMs);
}

/** Digests: a dump does not tell who tried to log in from where. */
function addressKey(deps: SlowDownDeps, email: string, address: string): string {
  return deps.vault.digest('log-in-failure', `address\0${email}\0${address}`).toString('hex');
}

function accountKey(deps: SlowDownDeps, email: string): string {
  return deps.vault.digest('log-in-failure', `account\0${email}`).toString('hex');
}
