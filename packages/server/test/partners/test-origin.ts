import { FixedClock } from '@servery/support/clock.ts';
import type { ChangeOrigin } from '../../src/audit/entry-store.ts';
import type { Database } from '../../src/database/database.ts';
import type { ConnectionDeps } from '../../src/partners/connections.ts';
import { attest, NOW_MS } from '../request.ts';

/** Whoever changes connections in tests that do not ask who it was. */
export const origin: ChangeOrigin = {
  by: 'system:test',
  requestId: null,
  operation: 'test',
  at: new Date(NOW_MS),
  realAt: new Date(NOW_MS),
  attest,
};

/** What changing a connection at an instant leans on. */
export function at(database: Database, nowMs = NOW_MS): ConnectionDeps {
  return { database, clock: new FixedClock(nowMs) };
}
