import { FixedClock } from '@servery/support/clock.ts';
import type { ChangeOrigin } from '../../src/audit/entry-store.ts';
import type { Database } from '../../src/database/database.ts';
import type { ConnectionDeps } from '../../src/partners/connections.ts';
import { attest, NOW_MS } from '../request.ts';

/** Who changes connections in tests that do not ask who it was. */
export const origin: ChangeOrigin = {
  by: 'system:test',
  requestId: null,
  operation: 'test',
  at: new Date(NOW_MS),
  realAt: new Date(NOW_MS),
  attest,
};

/** What it takes to change a connection at an instant. */
export function at(database: Database, nowMs = NOW_MS): ConnectionDeps {
  return { database, clock: new FixedClock(nowMs) };
}
