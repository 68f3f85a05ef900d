import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { brandedHeaders, operationById } from '@servery/contract';
import { type Answer, type Caller, callerOf } from './crash/caller.ts';
import { advanceClock } from './crash/clock-mover.ts';
import { crashCluster } from './crash/cluster.ts';
import { countItems, orderBody } from './crash/ordered-item.ts';
import { paymentRequest, type WantedPayment } from './crash/payment-request.ts';
import { isHeld, readProcessorLedger } from './crash/processor-ledger.ts';
import { reportLines } from './crash/report.ts';
import { killsOfAnything, playRun } from './crash/run.ts';
import { buildStage, type Stage } from './crash/stage.ts';

/** More at each server than it has connections to the database. */
const RACERS = 48;
const PORTIONS = 10;
const PATIENCE_MS = 30_000;
const REPEATS = 500;
/** By its lots each part is killed once: PostgreSQL, a server and the processor. */
const SEED = 20_261_545;
const KILLS = 3;
const LONGEST_MS = 60_000;

let stage: Stage;

before(async () => {
  stage = await buildStage(crashCluster);
});
after(async () => {
  await stage.close();
  stage.remove();
});

/** Sends each payment at the same time, to one server and the other by turns. */
async function race(payments: readonly WantedPayment[]): Promise<Answer[]> {
  const { demo } = stage;
  return await askAtOnce(
    await Promise.all(payments.map((payment) => paymentRequest(demo, 'partner', payment))),
  );
}

async function askAtOnce(
  requests: readonly Omit<Parameters<Caller>[0], 'server' | 'limitMs'>[],
): Promise<Answer[]> {
  const { demo, serverUrls } = stage;
  const caller = callerOf(demo.clients.partner);
  const answers = await Promise.all(
    requests.map((request, index) => {
      const server = serverUrls[index % serverUrls.length] ?? '';
      return caller({ ...request, server, limitMs: PATIENCE_MS });
    }),
  );
  return answers.map((answer) => answer ?? assert.fail('an account could not log in'));
}

function wantedPayment(): WantedPayment {
  return {
    merchantGuid: stage.demo.restaurants[0]?.guid ?? '',
    paymentUuid: randomUUID(),
    ...{ cardNumber: '4111111111111111', amount: 20, tipAmount: 3 },
  };
}

/** The answer to a repeat of the PUT, as soon as its outcome is known. */
async function untilKnown(payment: WantedPayment): Promise<string> {
  for (let tried = 1; tried <= REPEATS; tried += 1) {
    const [answer] = await race([payment]);
    if (!answer?.text?.includes('"ACKNOWLEDGED"')) return answer?.text ?? '';
  }
  return assert.fail(`the outcome is not known after ${REPEATS} repeats`);
}

/** How many holds the processor has that were not there before. */
async function newHolds<Result>(work: () => Promise<Result>) {
  const before = (await readProcessorLedger(stage.ledgerFile)).length;
  const result = await work();
  const holds = await readProcessorLedger(stage.ledgerFile);
  return { result, holds: holds.slice(before) };
}

test(`crash PAY-I1 PAY-I6: ${RACERS} identical PUTs at once over two servers make one hold`, async () => {
  const payment = wantedPayment();
  const { result: answers, holds } = await newHolds(() =>
    race(Array.from({ length: RACERS }, () => payment)),
  );
  assert.equal(holds.length, 1);
  assert.ok(holds.every(isHeld));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  const known = await untilKnown(payment);
  assert.match(known, /"paymentState":"AUTHORIZED"/);
  // Whoever came while it was under way was told so, all others the same in the same bytes.
  const others = answers.map(({ text }) => text).filter((text) => text !== known);
  for (const text of others) assert.match(text ?? '', /"paymentState":"ACKNOWLEDGED"/);
});

test(`crash PAY-I1 PAY-7: of ${RACERS} different PUTs at once over two servers one wins`, async () => {
  const payment = wantedPayment();
  const payments = Array.from({ length: RACERS }, (_, index) => ({
    ...payment,
    amount: payment.amount + index,
  }));
  const { result: answers, holds } = await newHolds(() => race(payments));
  assert.equal(holds.length, 1);
  const winner = answers.findIndex(({ status }) => status === 200);
  assert.deepEqual(
    answers.map(({ status }) => status),
    answers.map((_, index) => (index === winner ? 200 : 409)),
  );
  const amountMinor = ((payments[winner]?.amount ?? 0) + payment.tipAmount) * 100;
  assert.equal(holds[0]?.amountMinor, amountMinor);
});

test(`crash ORD-45 ORD-51: ${RACERS} guests buy the last ${PORTIONS} of an item at once over two servers`, async () => {
  const { demo, serverUrls } = stage;
  const [server = ''] = serverUrls;
  const merchantGuid = wantedPayment().merchantGuid;
  const partner = callerOf(demo.clients.partner);
  const [item] = await countItems(partner, { server, demo }, [merchantGuid], PORTIONS);
  assert.ok(item);
  const payments = Array.from({ length: RACERS }, wantedPayment);
  const headers = { [brandedHeaders(demo.brand).restaurantExternalId]: merchantGuid };
  const { result: answers, holds } = await newHolds(async () => {
    for (const { text } of await race(payments)) assert.match(text ?? '', /"AUTHORIZED"/);
    const { path } = operationById('orders.place');
    const placed = await askAtOnce(
      payments.map((payment) => ({
        ...{ method: 'POST', path, headers },
        json: orderBody(item, `last:${payment.paymentUuid}`, payment),
      })),
    );
    // Beyond the five minutes of what nobody bought.
    const orders = callerOf(demo.clients.orders);
    assert.ok((await advanceClock(orders, server, ['PT6M', 360_000]))?.isKnown);
    return placed;
  });
  const bought = payments.filter((_, index) => answers[index]?.status === 200);
  const refused = answers.filter(({ status }) => status !== 200);
  assert.deepEqual([bought.length, refused.length], [PORTIONS, RACERS - PORTIONS]);
  for (const { status, text } of refused) {
    assert.equal(status, 400, text ?? '');
    assert.match(text ?? '', /out of stock: leave it out|is left: order less/);
  }
  const { path } = operationById('stock.search');
  const json = { guids: [item.itemGuid] };
  const [stock] = await askAtOnce([{ method: 'POST', path, headers, json }]);
  assert.match(stock?.text ?? '', /"status":"OUT_OF_STOCK"/);
  // Not `isHeld`: where a business day ends in these minutes, what was bought is captured.
  const kept = holds.filter(({ voids }) => voids === 0);
  assert.deepEqual([holds.length, kept.length], [RACERS, PORTIONS]);
});

test(`crash PAY-I1–PAY-I11: ${KILLS} kills under load lose and double nothing, seed ${SEED}`, async (t) => {
  const trouble = killsOfAnything({ durationMs: LONGEST_MS, kills: KILLS });
  const options = { seed: SEED, trouble, isWild: true, endsLeases: true };
  const tell = (line: string) => t.diagnostic(line);
  const report = await playRun(stage, { ...options, clients: 1, guests: 6 }, tell);
  const lines = reportLines(report);
  for (const line of lines) tell(line);
  assert.deepEqual(report.violations, [], lines.join('\n'));
  assert.ok(report.payments.length > 0);
  assert.ok(report.orders.length > 0);
  assert.ok(report.operations.some(({ state }) => state === 'AUTHORIZED'));
});
