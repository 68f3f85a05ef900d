import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newGuid } from '@servery/support/ids.ts';
import { claimDueDeliveries } from '../../src/webhooks/delivery/due-delivery-store.ts';
import { updateAttempted } from '../../src/webhooks/delivery/outcome-store.ts';
import { findRowsRead } from './claim-cost-store.ts';
import { insertDeliveries } from './event-rows-store.ts';
import { openWebhookFixture, type WebhookFixture } from './fixture.ts';

let fixture: WebhookFixture;
before(async () => {
  fixture = await openWebhookFixture();
});
after(() => fixture.close());

/** After so many a session keeps the plan of a statement. */
const LOOKS_BEFORE_KEPT = 10;
const WAITING = 120;
const BACKLOG = 2_000;
const FEW = 20;

const PLAN = { limit: 500, open: 500, ofEndpoint: 500, ofPartner: 500, known: [] };
const OPTIONS = { graceMs: 1_000, behind: null, only: null, slowAfter: 3, firstWindow: 500 };

// A new platform looks for deliveries long before there is one, so that the plan of a claim is made
// for an empty table, and kept until the database has looked at the table again.
test('claim: what was planned while nothing waited reads each delivery a few times', async () => {
  const partner = await fixture.partner();
  const { guid } = await partner.endpoint('/late');
  const now = new Date(fixture.clock.nowMs());
  const read = await fixture.database.transaction(async (sql) => {
    const options = { ...PLAN, ...OPTIONS, now, realNow: now, leaseHolder: newGuid() };
    const claim = () => claimDueDeliveries(sql, options);
    for (let look = 0; look < LOOKS_BEFORE_KEPT; look += 1) assert.deepEqual(await claim(), []);
    await partner.events(WAITING);
    const before = await findRowsRead(sql);
    const claimed = await claim();
    assert.equal(claimed.filter(({ endpointGuid }) => endpointGuid === guid).length, WAITING);
    return (await findRowsRead(sql)) - before;
  });
  assert.ok(read <= WAITING * 4, `${read} rows were read for ${WAITING}`);
});

test('claim: neither endpoints without work nor what is over is read', async () => {
  const partner = await fixture.partner();
  const [idle, busy] = [await partner.endpoint('/idle'), await partner.endpoint('/busy')];
  const of = (endpointGuid: string) => ({ partnerGuid: partner.partnerGuid, endpointGuid });
  await insertDeliveries(fixture.database.sql, of(idle.guid), { waiting: 0, over: BACKLOG });
  await insertDeliveries(fixture.database.sql, of(busy.guid), { waiting: FEW, over: BACKLOG });
  const now = new Date(fixture.clock.nowMs() + FEW * 1_000);
  const read = await fixture.database.transaction(async (sql) => {
    const options = { ...PLAN, ...OPTIONS, now, realNow: now, leaseHolder: newGuid() };
    const before = await findRowsRead(sql);
    const claimed = await claimDueDeliveries(sql, options);
    assert.equal(claimed.filter(({ endpointGuid }) => endpointGuid === busy.guid).length, FEW);
    return (await findRowsRead(sql)) - before;
  });
  assert.ok(read <= (WAITING + FEW) * 4, `${read} rows were read for ${FEW}`);
});

test('claim: what came of a delivery is written without reading all that waits', async () => {
  const partner = await fixture.partner();
  const { guid: endpointGuid } = await partner.endpoint('/backlog');
  const of = { partnerGuid: partner.partnerGuid, endpointGuid };
  await insertDeliveries(fixture.database.sql, of, { waiting: BACKLOG, over: BACKLOG });
  const now = new Date(fixture.clock.nowMs() + BACKLOG * 1_000);
  const read = await fixture.database.transaction(async (sql) => {
    const options = { ...PLAN, ...OPTIONS, now, realNow: now, leaseHolder: newGuid() };
    const claimed = await claimDueDeliveries(sql, { ...options, limit: FEW, only: of });
    assert.equal(claimed.length, FEW);
    const attempt = {
      ...{ number: 1, at: now, sentAt: now, isProbe: false, url: 'http://127.0.0.1/' },
      ...{ status: 204, answerBody: null, isAnswerCut: false, durationMs: 1, fault: null },
      ...{ outcome: 'DELIVERED' as const, explanation: null },
    };
    const made = claimed.map((each) => {
      return {
        claimed: each,
        attempt,
        state: 'DELIVERED',
        dueAt: now,
        tries: 0,
        early: 0,
        nextAt: null,
      } as const;
    });
    const before = await findRowsRead(sql);
    assert.equal((await updateAttempted(sql, made)).size, FEW);
    return (await findRowsRead(sql)) - before;
  });
  assert.ok(read <= FEW * 4, `${read} rows were read for ${FEW}`);
});
