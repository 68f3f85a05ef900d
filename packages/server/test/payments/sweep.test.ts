import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { FixedClock } from '@servery/support/clock.ts';
import type { Database } from '../../src/database/database.ts';
import { createPaymentSweep, type SweepDeps } from '../../src/payments/due/sweep.ts';
import { openPaymentFixture, type PaymentFixture } from './fixture.ts';
import { listAttempts } from './fixture-store.ts';
import { beginLife, type Life } from './life.ts';

let fixture: PaymentFixture;
before(async () => {
  fixture = await openPaymentFixture();
});
after(() => fixture.close());
/** What an earlier test left is done. */
beforeEach(async () => {
  fixture.clock.advance(10 * MINUTE_MS);
  await runDue(deskDeps());
});

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const unknown = { outcome: 'unknown', explanation: 'scripted silence' } as const;
const notFound = { outcome: 'notFound', explanation: 'scripted: not known' } as const;
const approval = {
  outcome: 'approved',
  authorizationCode: '123456',
  amountMinor: 1250,
  currencyCode: 'USD',
  reference: 'scripted',
} as const;

const background = { isSequential: false };
const inOrder = { isSequential: true };

const deskDeps = () => ({ ...fixture.deps, timer: fixture.timer });
const operationsOf = ({ calls }: Life) => calls.map((call) => call.split(' ')[0]);
const runDue = (deps: SweepDeps, options = background) =>
  createPaymentSweep(deps).runDue(fixture.clock.nowMs(), options);

async function authorized(): Promise<Life> {
  const life = beginLife(fixture);
  assert.equal((await life.put()).paymentState, 'AUTHORIZED');
  return life;
}

/** Nobody works on it, and it is as due as it was. */
async function assertGivenBack(life: Life, dueAt: Date | null): Promise<void> {
  const row = await life.row();
  assert.deepEqual([row.leaseHolder, row.leaseExpiresAt], [null, null]);
  assert.deepEqual([row.dueAt, row.tries], [dueAt, 0]);
}

/** A processor that stops the process with its first call of an operation. */
function stopsAt(
  life: Life,
  operation: 'inquire' | 'void',
): Required<Pick<SweepDeps, 'stopping'>> & SweepDeps {
  const stop = new AbortController();
  const { processor } = life.deps;
  const stopping = {
    ...processor,
    [operation]: async (...order: Parameters<typeof processor.inquire>) => {
      stop.abort();
      return await processor[operation](...(order as Parameters<typeof processor.void>));
    },
  };
  return { ...life.deps, processor: stopping, stopping: stop.signal };
}

/** A database whose transactions fail while `isBroken` says so. */
function breaking(isBroken: () => boolean): Database {
  return {
    ...fixture.database,
    transaction: async (run, options) => {
      if (isBroken()) throw new RangeError('scripted defect');
      return await fixture.database.transaction(run, options);
    },
  };
}

for (const options of [background, inOrder]) {
  const how = options.isSequential ? 'in order' : 'in the background';
  test(`createPaymentSweep PAY-I8: a stop waits for the calls under way, ${how}`, async () => {
    const lives = await Promise.all(Array.from({ length: 12 }, authorized));
    fixture.clock.advance(5 * MINUTE_MS);
    const stop = new AbortController();
    const answers = Promise.withResolvers<void>();
    const begun: string[] = [];
    const stopped = Promise.withResolvers<void>();
    const atOnce = options.isSequential ? 1 : 3;
    const slow = {
      ...fixture.processor,
      void: async (...order: Parameters<typeof fixture.processor.void>) => {
        if (begun.push(order[0].key) === atOnce) {
          stop.abort();
          stopped.resolve();
        }
        await answers.promise;
        return await fixture.processor.void(...order);
      },
    };
    const run = runDue({ ...deskDeps(), processor: slow, stopping: stop.signal }, options);
    await Promise.race([stopped.promise, run]);
    answers.resolve();
    const done = await run;
    assert.equal(begun.length, atOnce, 'no call was begun after the stop');
    assert.equal(done.filter(({ toState }) => toState === 'VOIDED').length, atOnce);
    const rows = await Promise.all(lives.map((life) => life.row()));
    const waiting = rows.filter(({ state }) => state !== 'VOIDED');
    assert.equal(waiting.length, 12 - atOnce);
    assert.ok(waiting.every(({ leaseHolder, tries }) => leaseHolder === null && tries === 0));
    await runDue(deskDeps(), options);
    for (const life of lives) assert.equal(await life.state(), 'VOIDED');
  });
}

test('createPaymentSweep PAY-I8: what was claimed as the process stopped is given back', async () => {
  const life = await authorized();
  fixture.clock.advance(5 * MINUTE_MS);
  const { dueAt } = await life.row();
  const stop = new AbortController();
  const refresh = async () => {
    stop.abort();
    return true;
  };
  const clock = { nowMs: () => fixture.clock.nowMs(), refresh };
  assert.deepEqual(await runDue({ ...life.deps, clock, stopping: stop.signal }), []);
  await assertGivenBack(life, dueAt);
  assert.deepEqual(operationsOf(life), ['authorize']);
});

test('settle PAY-I4: a stop comes between the question and the capture, too', async () => {
  const life = await authorized();
  await life.apply();
  await life.fulfil();
  life.script('capture', unknown);
  await life.capture();
  fixture.clock.advance(1_000);
  life.script('inquire', notFound);
  const before = await life.row();
  assert.equal(before.tries, 1);
  assert.deepEqual(await runDue(stopsAt(life, 'inquire')), []);
  assert.deepEqual(await life.row(), before, 'as if nobody had looked');
  assert.deepEqual(operationsOf(life), ['authorize', 'capture', 'inquire']);
  life.script('inquire', notFound);
  await life.sweep();
  assert.equal(await life.state(), 'CAPTURED');
});

test('followUp PAY-I1: a stop comes between the question and the reversal, too', async () => {
  const life = beginLife(fixture);
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    life.script('authorize', unknown);
    await life.put();
    life.script('inquire', notFound);
    await life.advance(20_000);
  }
  fixture.clock.advance(40_000);
  life.script('inquire', approval);
  await runDue(stopsAt(life, 'inquire'));
  assert.ok(!operationsOf(life).includes('void'));
  life.script('inquire', approval);
  life.script('void', approval);
  await life.sweep();
  const { merchantGuid, paymentUuid } = life.key;
  const attempts = await listAttempts(fixture.database.sql, merchantGuid, paymentUuid);
  assert.equal(attempts[0]?.outcome, 'REVERSED', 'nobody had to wait for a lease');
});

test('settle PAY-I8: work that fails in the background is let go of, and put off', async () => {
  const life = await authorized();
  fixture.clock.advance(5 * MINUTE_MS);
  const sound = fixture.logged.length;
  const offMs = await failThrice(life);
  assert.deepEqual(offMs, [1_000, 1_000, 1_000], 'a deadline that has passed cannot wait (PAY-I3)');
  const told = fixture.logged
    .slice(sound)
    .filter((line) => line.includes('work on a payment failed'));
  assert.equal(told.length, 3);
  await life.sweep();
  assert.equal(await life.state(), 'VOIDED');
});

test('settle PAY-I8: work that fails after a call backs off like a call without a result', async () => {
  const life = await authorized();
  life.script('void', unknown);
  await life.advance(5 * MINUTE_MS);
  fixture.clock.advance(1_000);
  assert.deepEqual(await failThrice(life), [2_000, 4_000, 8_000]);
  await life.sweep();
  assert.equal(await life.state(), 'VOIDED');
});

/** Does the work on a payment three times with a database that fails; gives how long it waits. */
async function failThrice(life: Life): Promise<number[]> {
  const { tries: before } = await life.row();
  const offMs: number[] = [];
  for (let failures = 1; failures <= 3; failures += 1) {
    const nowMs = fixture.clock.nowMs();
    // The failing transaction is that of the move; putting off must come through.
    await runDue({ ...life.deps, database: failsFirst() });
    const { leaseHolder, dueAt, tries } = await life.row();
    assert.deepEqual([leaseHolder, tries], [null, before + failures]);
    offMs.push(Number(dueAt) - nowMs);
    await runDue({ ...life.deps, database: failsFirst() });
    assert.equal((await life.row()).tries, tries, 'not before its time');
    fixture.clock.advance(offMs.at(-1) ?? 0);
  }
  return offMs;
}

/** A database whose first transaction fails. */
function failsFirst(): Database {
  let count = 0;
  return breaking(() => {
    count += 1;
    return count === 1;
  });
}

test('clock advance: work that failed in a move does not hold up the next move', async () => {
  const life = await authorized();
  fixture.clock.advance(5 * MINUTE_MS);
  const realClock = new FixedClock(fixture.clock.nowMs());
  const deps = { ...life.deps, realClock };
  await assert.rejects(runDue({ ...deps, database: failsFirst() }, inOrder), /scripted defect/);
  assert.equal((await life.row()).leaseHolder, null);
  fixture.clock.advance(1_000);
  await runDue(deps, inOrder);
  assert.equal(await life.state(), 'VOIDED');
});

test('voidPayment PAY-I8: a void that fails on its way leaves no lease behind', async () => {
  const life = await authorized();
  let moves = 0;
  const database = breaking(() => {
    moves += 1;
    return moves === 2;
  });
  Object.assign(life.deps, { database });
  await life.void();
  const { state, leaseHolder, tries } = await life.row();
  assert.deepEqual([state, leaseHolder, tries], ['VOID_PENDING', null, 1]);
  await life.advance(1_000);
  assert.equal(await life.state(), 'VOIDED');
});

test('settle PAY-I8: work that cannot even be put off keeps its lease', async () => {
  const life = await authorized();
  fixture.clock.advance(5 * MINUTE_MS);
  const broken = { ...life.deps, database: breaking(() => true) };
  await assert.rejects(runDue(broken, inOrder), /scripted defect/);
  assert.notEqual((await life.row()).leaseHolder, null);
  fixture.clock.advance(30_000);
  await life.sweep();
  assert.equal(await life.state(), 'VOIDED');
});

test('settle PAY-I8: the lease of another is not given back with a failure', async () => {
  const life = await authorized();
  fixture.clock.advance(5 * MINUTE_MS);
  const taken = Promise.withResolvers<void>();
  const { processor } = life.deps;
  const successor = {
    ...processor,
    void: async (...order: Parameters<typeof processor.void>) => {
      taken.resolve();
      return await new Promise<never>(() => order);
    },
  };
  let inherited: Promise<unknown> = Promise.resolve();
  const slow = {
    ...processor,
    void: async () => {
      fixture.clock.advance(31_000);
      inherited = runDue({ ...life.deps, processor: successor });
      await taken.promise;
      return approval;
    },
  };
  let count = 0;
  const database = breaking(() => {
    count += 1;
    return count === 2;
  });
  await runDue({ ...life.deps, processor: slow, database });
  const { leaseHolder, state, tries } = await life.row();
  assert.deepEqual([state, tries], ['VOID_PENDING', 0]);
  assert.notEqual(leaseHolder, null);
  assert.equal(fixture.timer.fire(5_000), 1);
  await inherited;
});

test('followUp PAY-I8: a question that fails is let go of, and put again', async () => {
  const life = beginLife(fixture);
  life.script('authorize', unknown);
  await life.put();
  life.script('inquire', notFound);
  await life.advance(20_000);
  assert.equal(await life.state(), 'ABORTED');
  fixture.clock.advance(MINUTE_MS);
  life.script('inquire', approval);
  await runDue({ ...life.deps, database: failsFirst() });
  await life.sweep();
  assert.deepEqual(operationsOf(life), ['authorize', 'inquire', 'inquire'], 'not at once');
  life.script('inquire', approval);
  life.script('void', approval);
  await life.advance(1_000);
  assert.equal(await life.state(), 'REVERSED');
});

test('clock set: what is put off by the time before it went back is not lost', async () => {
  const life = await authorized();
  fixture.clock.advance(5 * MINUTE_MS);
  const staleMs = fixture.clock.nowMs();
  const clock = { nowMs: () => staleMs };
  life.script('void', unknown);
  const sweep = createPaymentSweep({ ...life.deps, clock });
  fixture.clock.advance(-30 * DAY_MS);
  await sweep.clockWentBack?.(fixture.clock.nowMs());
  // This process had not looked yet, or read the clock just before.
  await sweep.runDue(staleMs, background);
  assert.equal(Number((await life.row()).dueAt), staleMs + 1_000);
  await sweep.bringBack?.(fixture.clock.nowMs());
  await life.sweep();
  assert.equal(await life.state(), 'VOIDED');
  fixture.clock.advance(30 * DAY_MS);
});

test('clock set: deadlines, and what waits no longer than ever, stay where they are', async () => {
  const waiting = await authorized();
  waiting.script('void', unknown, unknown, unknown, unknown, unknown, unknown, unknown, unknown);
  await waiting.void();
  for (let tries = 1; tries <= 7; tries += 1) await waiting.advance(5 * MINUTE_MS);
  const [dueAt, nowMs] = [Number((await waiting.row()).dueAt), fixture.clock.nowMs()];
  const longestMs = dueAt - nowMs;
  assert.ok(longestMs > 2 * MINUTE_MS);
  const applied = await authorized();
  const { captureDeadline } = await applied.apply();
  const sweep = createPaymentSweep(deskDeps());
  await sweep.bringBack?.(nowMs);
  assert.equal(Number((await waiting.row()).dueAt), dueAt);
  assert.deepEqual((await applied.row()).dueAt, captureDeadline);
  // Five minutes are the longest wait there is.
  await sweep.bringBack?.(dueAt - 5 * MINUTE_MS);
  assert.equal(Number((await waiting.row()).dueAt), dueAt);
  await sweep.bringBack?.(dueAt - 5 * MINUTE_MS - 1);
  assert.equal(Number((await waiting.row()).dueAt), dueAt - 5 * MINUTE_MS - 1);
});

test('settle PAY-I3: what was claimed by the time before the clock went back waits', async () => {
  const staleMs = fixture.clock.nowMs() + 30 * DAY_MS;
  const life = await authorized();
  const { dueAt } = await life.row();
  let nowMs = staleMs;
  const refresh = async () => {
    nowMs = fixture.clock.nowMs();
    return true;
  };
  const clock = { nowMs: () => nowMs, refresh };
  await createPaymentSweep({ ...life.deps, clock }).runDue(staleMs, background);
  assert.equal(await life.state(), 'AUTHORIZED');
  await assertGivenBack(life, dueAt);
});

test('clock move: what was claimed as a move began is left to the mover', async () => {
  const life = await authorized();
  fixture.clock.advance(5 * MINUTE_MS);
  const { dueAt } = await life.row();
  const clock = { nowMs: () => fixture.clock.nowMs(), refresh: async () => false };
  assert.deepEqual(await runDue({ ...life.deps, clock }), []);
  await assertGivenBack(life, dueAt);
  const done = await runDue({ ...life.deps, clock }, inOrder);
  assert.deepEqual(
    done
      .filter(({ paymentUuid }) => paymentUuid === life.key.paymentUuid)
      .map(({ toState }) => toState),
    ['VOID_PENDING', 'VOIDED'],
  );
});
