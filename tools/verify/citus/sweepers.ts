import { operationById } from '@servery/contract';
import { machineClock } from '@servery/support/clock.ts';
import { sleep } from '@servery/support/timer.ts';
import { connectDatabase, type Database } from '../../../packages/server/src/database/database.ts';
import { claimDuePayments } from '../../../packages/server/src/payments/due/due-store.ts';
import { newLease } from '../../../packages/server/src/payments/life/lease.ts';
import { findClock, updateClock } from '../../../packages/server/src/sandbox/clock-store.ts';
import { callerOf } from '../crash/caller.ts';
import { checkEvents } from '../crash/check-events.ts';
import { checkLedgers } from '../crash/check-ledgers.ts';
import { paymentName } from '../crash/history.ts';
import {
  findOpenWork,
  listEvents,
  listPayments,
  updateLeasesToEnded,
} from '../crash/payment-store.ts';
import { readProcessorLedger } from '../crash/processor-ledger.ts';
import type { Stage } from '../crash/stage.ts';
import { Payer } from './payer.ts';

const PAYMENTS = 240;
const AT_ONCE = 4;
const SWEEPERS = 8;
const BATCH = 10;
/** Beyond the time to apply and the end of the business day, before the capture deadline. */
const ASLEEP_MS = 30 * 3_600_000;
const LIMIT_MS = 120_000;
const POLL_MS = 200;
const ASK_LIMIT_MS = 10_000;

/** How many events each kind of payment ends with. */
const EVENTS = { VOIDED: 4, CAPTURED: 6 } as const;
/** A sweep makes the last two of them. */
const SWEPT = 2;

/**
 * Lets payments fall due while no server runs. Then several sweepers claim all of them at once, and
 * after that, the servers sweep them. Returns the number of violations.
 */
export async function trySweepers(stage: Stage, tell: (line: string) => void): Promise<number> {
  await makeOpenPayments(new Payer(stage));
  for (const server of stage.servers) await server.kill();
  const database = connectDatabase({ url: stage.databaseUrl, poolSize: 2 });
  try {
    const clock = await findClock(database.sql);
    const offsetMs = clock.offsetMs + ASLEEP_MS;
    await updateClock(database.sql, { ...clock, offsetMs, version: clock.version + 1 });
    const claimFaults = await tryClaims(stage, machineClock.nowMs() + offsetMs, tell);
    await updateLeasesToEnded(database.sql);
    return claimFaults + (await tryServers(stage, database, tell));
  } finally {
    await database.close();
  }
}

/** Half of them are authorized only, and the others wait for their capture. */
async function makeOpenPayments(payer: Payer): Promise<void> {
  const payments = payer.want(PAYMENTS).entries();
  const makeSome = async () => {
    for (const [index, payment] of payments) {
      await payer.authorize(payment);
      if (index % 2 === 0) continue;
      await payer.apply(payment);
      await payer.fulfil(payment);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, makeSome));
}

async function tryClaims(
  stage: Stage,
  nowMs: number,
  tell: (line: string) => void,
): Promise<number> {
  const claims = await Promise.all(
    Array.from({ length: SWEEPERS }, () => claimAll(stage.databaseUrl, new Date(nowMs))),
  );
  const claimed = claims.flat();
  const once = new Set(claimed).size;
  const counts = claims.map(({ length }) => length).join(', ');
  const twice = claimed.length - once;
  const left = PAYMENTS - once;
  tell(
    `${SWEEPERS} sweepers claimed ${once} of ${PAYMENTS} due payments (${counts}): ` +
      `${twice} twice, ${left} not`,
  );
  return twice + left;
}

/** Claims until nothing is left, as a server does, but does none of the work. */
async function claimAll(url: string, now: Date): Promise<string[]> {
  const database = connectDatabase({ url, poolSize: 1 });
  const claimed: string[] = [];
  try {
    for (;;) {
      const realNowMs = machineClock.nowMs();
      const lease = { ...newLease(realNowMs), realNow: new Date(realNowMs) };
      const rows = await claimDuePayments(database.sql, now, lease, BATCH);
      if (rows.length === 0) return claimed;
      claimed.push(...rows.map(({ paymentUuid }) => paymentUuid));
    }
  } finally {
    await database.close();
  }
}

async function tryServers(
  stage: Stage,
  { sql }: Database,
  tell: (line: string) => void,
): Promise<number> {
  await Promise.all(stage.servers.map((server) => server.start()));
  const limitAt = performance.now() + LIMIT_MS;
  let open = await findOpenWork(sql);
  for (; open.payments > 0 && performance.now() < limitAt; await sleep(POLL_MS)) {
    open = await findOpenWork(sql);
  }
  const moves = await Promise.all(stage.serverUrls.map((url) => countMoves(stage, url)));
  const payments = await listPayments(sql);
  const events = await listEvents(sql);
  const holds = await readProcessorLedger(stage.ledgerFile);
  const violations = [...checkEvents(payments, events), ...checkLedgers(payments, holds)];
  const states = Map.groupBy(payments, ({ state }) => state);
  const [captured = [], voided = []] = [states.get('CAPTURED'), states.get('VOIDED')];
  const lengths = Map.groupBy(events, paymentName);
  const other = payments.filter((payment) => {
    const must = payment.state in EVENTS ? EVENTS[payment.state as keyof typeof EVENTS] : 0;
    return lengths.get(paymentName(payment))?.length !== must;
  });
  tell(
    `${moves.length} servers swept ${payments.length} payments (${moves.join(' and ')} moves): ` +
      `${captured.length} captured, ${voided.length} voided, ${open.payments} left, ` +
      `${other.length} swept twice or not at all`,
  );
  for (const { rule, subject, text } of violations) tell(`  ${rule} ${subject}: ${text}`);
  const made = moves.reduce((sum, count) => sum + count, 0);
  const isEach = made === SWEPT * PAYMENTS && moves.every((count) => count > 0);
  return violations.length + other.length + (isEach ? 0 : 1);
}

/** Of this server since its start. */
async function countMoves({ demo }: Stage, server: string): Promise<number> {
  const { method, path } = operationById('backOffice.metrics');
  const asked = { server, method: method as 'GET', path, limitMs: ASK_LIMIT_MS };
  const answer = await callerOf(demo.clients.operator)(asked);
  if (answer?.status !== 200) throw new Error(`${path}: ${answer?.status} ${answer?.text}`);
  const counts = answer.text?.matchAll(/^servery_payment_moves_total\{.*\} (\d+)$/gm) ?? [];
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}
