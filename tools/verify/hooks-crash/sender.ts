import { readDatabaseTimeMs } from '@servery/postgres/database.ts';
import { databaseClock } from '@servery/support/clock.ts';
import { runEvery } from '@servery/support/runner.ts';
import { createVault } from '@servery/support/secret.ts';
import { machineTimer } from '@servery/support/timer.ts';
import { connectDatabase } from '../../../packages/server/src/database/database.ts';
import { createLog } from '../../../packages/server/src/support/log.ts';
import { DeliveryWork } from '../../../packages/server/src/webhooks/delivery/delivery-work.ts';
import { Targets } from '../../../packages/server/src/webhooks/sockets/targets.ts';

/** Delivers the events of a database until it is killed: one of the senders of a run. */

const LOOK_MS = 100;
const CLOCK_MS = 1_000;
/** Short, so that what a killed sender held goes on soon. */
const LEASE_GRACE_MS = 1_500;

const [url = '', masterKey = ''] = process.argv.slice(2);
const database = connectDatabase({ url, poolSize: 6 });
const clock = databaseClock(await readDatabaseTimeMs(database.sql));
const log = createLog('warn', null);
const work = new DeliveryWork({
  ...{ database, clock, realClock: clock, log, brand: 'Platform', timer: machineTimer },
  vault: createVault(Buffer.from(masterKey, 'base64')),
  targets: new Targets({ rules: { allowsLoopback: true } }),
  leaseGraceMs: LEASE_GRACE_MS,
});
const look = async () => void (await work.runDue(clock.nowMs(), { isSequential: false }));
// The database is killed too: what fails because of that is tried again.
const ignore = () => {};
runEvery(LOOK_MS, look, ignore, 100);
runEvery(CLOCK_MS, () => clock.follow(() => readDatabaseTimeMs(database.sql)), ignore);
setInterval(() => {}, CLOCK_MS);
console.log('ready');
