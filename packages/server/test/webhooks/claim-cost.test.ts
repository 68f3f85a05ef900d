import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newGuid } from '../../src/support/ids.ts';
import { claimDueDeliveries } from '../../src/webhooks/due-delivery-store.ts';
import { findRowsRead } from './claim-cost-store.ts';
import { openPostOffice, type PostOffice } from './post-office.ts';

let office: PostOffice;
before(async () => {
  office = await openPostOffice();
});
after(() => office.close());

/** After so many a session keeps the plan of a statement. */
const LOOKS_BEFORE_KEPT = 10;
const WAITING = 120;

// A new platform looks for deliveries long before there is one, so that the plan of a claim is made
// for an empty table, and kept until the database has looked at the table again.
test('claim: what was planned while nothing waited reads each delivery a few times', async () => {
  const partner = await office.partner();
  const { guid } = await partner.endpoint('/late');
  const now = new Date(office.clock.nowMs());
  const read = await office.database.transaction(async (sql) => {
    const claim = () =>
      claimDueDeliveries(sql, {
        ...{ now, realNow: now, leaseHolder: newGuid(), graceMs: 1_000, behind: null, only: null },
        ...{ limit: 500, open: 500, ofEndpoint: 500, ofPartner: 500, slowAfter: 3, known: [] },
        firstWindow: 500,
      });
    for (let look = 0; look < LOOKS_BEFORE_KEPT; look += 1) assert.deepEqual(await claim(), []);
    await partner.events(WAITING);
    const before = await findRowsRead(sql);
    const claimed = await claim();
    assert.equal(claimed.filter(({ endpointGuid }) => endpointGuid === guid).length, WAITING);
    return (await findRowsRead(sql)) - before;
  });
  assert.ok(read <= WAITING * 4, `${read} rows were read for ${WAITING}`);
});
