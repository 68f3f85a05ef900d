import { networkOf } from '../http/edge/network.ts';
import { ApiError } from '../http/errors.ts';
import { deleteAttempts, insertAttempt, updateAttemptForgiven } from './attempt-store.ts';
import type { Credentials } from './credential-store.ts';
import type { PeopleDeps } from './people-deps.ts';

export interface SlowDownDeps extends PeopleDeps {
  /** Rejects when the process stops. */
  readonly pause: (durationMs: number) => Promise<void>;
}

/** The account may not exist. */
export interface Attempt {
  readonly email: string;
  readonly address: string;
  readonly known: string | null;
}

/** Counted from the first attempt. */
const COUNTED_MS = 15 * 60_000;

const OF_ORIGIN = { free: 3, firstMs: 500, longestMs: 16_000, refusedFrom: 20 };
/** No `refusedFrom`: the owner is never locked out. */
const AT_ACCOUNT = { free: 10, firstMs: 250, longestMs: 2_000 };
/** Without successful attempts. */
const FROM_ADDRESS = { free: 30, firstMs: 250, longestMs: 4_000, refusedFrom: 200 };

const CODES_COUNTED_MS = 24 * 3_600_000;
/**
 * From any address. Three of the six-digit codes are right at a time, so ten guesses a day succeed
 * with a chance of 3 in 100,000.
 */
const CODES = { free: 3, firstMs: 500, longestMs: 16_000, refusedFrom: 11 };

/**
 * Guessing from one address gets slow and then stops until a quarter of an hour after it began;
 * from many addresses it only gets slow. The owner still gets in: known browsers and other
 * addresses count separately. Throws ApiError `tooManyRequests` when there were too many attempts
 * from here, and `unavailable` when the process stops.
 */
export async function slowDown(deps: SlowDownDeps, attempt: Attempt): Promise<void> {
  const { sql } = deps.database;
  const nowMs = deps.realClock.nowMs();
  const times = { now: new Date(nowMs), until: new Date(nowMs + COUNTED_MS) };
  const count = async (key: string) => (await insertAttempt(sql, key, times)).attempts;
  const fromHere = await count(originKey(deps, attempt));
  if (fromHere >= OF_ORIGIN.refusedFrom) {
    throw tooMany(
      'Too many attempts at this account from here: wait a quarter of an hour, or ask an ' +
        'administrator for a new link.',
    );
  }
  const isStranger = attempt.known === null;
  const atAny = isStranger ? await count(addressKey(deps, attempt)) : 0;
  if (atAny >= FROM_ADDRESS.refusedFrom) {
    throw tooMany(
      'Too many attempts from here: wait a quarter of an hour, or use a browser that was logged ' +
        'in to this account before.',
    );
  }
  const fromAll = isStranger ? await count(keyOf(deps, attempt.email, 'account')) : 0;
  const waitMs = Math.max(
    waitFor(OF_ORIGIN, fromHere),
    waitFor(FROM_ADDRESS, atAny),
    waitFor(AT_ACCOUNT, fromAll),
  );
  await pauseFor(deps, waitMs);
}

/**
 * Call it before checking the code. Only somebody with the password or a link gets here, so nobody
 * else can use up the codes. Addresses don't matter. Known browsers each count by themselves, so
 * the owner gets in while a stranger guesses. Throws ApiError `tooManyRequests` after ten wrong
 * codes in a day, and `unavailable` when the process stops.
 */
export async function slowDownCodes(
  deps: SlowDownDeps,
  credentials: Credentials,
  known: string | null,
): Promise<void> {
  const nowMs = deps.realClock.nowMs();
  const times = { now: new Date(nowMs), until: new Date(nowMs + CODES_COUNTED_MS) };
  const key = codeKey(deps, credentials, known);
  const { attempts, countsUntil } = await insertAttempt(deps.database.sql, key, times);
  if (attempts >= CODES.refusedFrom) throw tooManyCodes(countsUntil, nowMs);
  await pauseFor(deps, waitFor(CODES, attempts));
}

/** Earlier wrong codes still count. */
export async function forgiveCode(
  deps: SlowDownDeps,
  credentials: Credentials,
  known: string | null,
): Promise<void> {
  await updateAttemptForgiven(deps.database.sql, codeKey(deps, credentials, known));
}

async function pauseFor({ pause }: Pick<SlowDownDeps, 'pause'>, waitMs: number): Promise<void> {
  if (waitMs === 0) return;
  await pause(waitMs).catch((cause) => {
    throw new ApiError('unavailable', 'The service is stopping: try again in a moment.', { cause });
  });
}

/** The earlier failures were the owner's typing errors. */
export async function forgiveAttempts(deps: SlowDownDeps, attempt: Attempt): Promise<void> {
  const { sql } = deps.database;
  await deleteAttempts(sql, originKey(deps, attempt));
  // A success at the stranger's own account must not clear other attempts.
  if (attempt.known === null) await updateAttemptForgiven(sql, addressKey(deps, attempt));
}

function waitFor(
  { free, firstMs, longestMs }: { free: number; firstMs: number; longestMs: number },
  attempts: number,
): number {
  if (attempts <= free) return 0;
  return Math.min(firstMs * 2 ** (attempts - free - 1), longestMs);
}

function tooMany(text: string, retryAfterSeconds = COUNTED_MS / 1_000): ApiError {
  const headers = { 'retry-after': String(retryAfterSeconds) };
  return new ApiError('tooManyRequests', text, { headers });
}

function tooManyCodes(countsUntil: Date, nowMs: number): ApiError {
  const seconds = Math.max(1, Math.ceil((countsUntil.getTime() - nowMs) / 1_000));
  return tooMany(
    'Too many wrong codes were sent for this account, so codes of the authenticator app are ' +
      `refused until ${countsUntil.toISOString()}. Until then send a recovery code, use a browser ` +
      'that was logged in to this account before, or ask an administrator to remove the ' +
      'authenticator app. On the machine of the platform, "servery people link <email> ' +
      '--remove-totp" removes it. If those codes were not yours, somebody knows your password: ' +
      'change it.',
    seconds,
  );
}

/** Digests, so that a dump doesn't tell who logged in from where. */
function keyOf({ vault }: SlowDownDeps, ...parts: readonly string[]): string {
  return vault.digest('log-in-attempt', parts.join('\0')).toString('hex');
}

function originKey(deps: SlowDownDeps, { email, address, known }: Attempt): string {
  if (known !== null) return keyOf(deps, email, 'known', known);
  return keyOf(deps, email, 'address', networkOf(address));
}

function addressKey(deps: SlowDownDeps, { address }: Attempt): string {
  return keyOf(deps, '', 'address', networkOf(address));
}

/** A new password or app starts a new count. */
function codeKey(deps: SlowDownDeps, credentials: Credentials, known: string | null): string {
  const { personGuid, passwordHash, sealedTotpSecret } = credentials;
  const parts = ['code', personGuid, passwordHash, sealedTotpSecret?.toString('hex'), known];
  return keyOf(deps, JSON.stringify(parts));
}
