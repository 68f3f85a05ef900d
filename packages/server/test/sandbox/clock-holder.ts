/**
 * A process that takes hold of a sandbox's clock and never gives it back, for tests that kill it:
 * `node clock-holder.ts <database address> <real time> <where to>`, times in epoch milliseconds.
 */

import { FixedClock } from '@servery/support/clock.ts';
import { connectDatabase } from '../../src/database/database.ts';
import { everywhere } from '../../src/support/due-work.ts';
import { openClockFixture } from './clock-fixture.ts';

const [, , url = '', realNow = '', target = ''] = process.argv;
const fixture = await openClockFixture(connectDatabase({ url }), new FixedClock(Number(realNow)));
const { promise: never } = Promise.withResolvers<void>();
fixture.work.add(Number(target), 'endless', () => {
  process.send?.('held');
  return never;
});
// The channel to the parent keeps this process alive while nothing else happens.
process.on('message', () => {});
await fixture.mover.next(everywhere);
