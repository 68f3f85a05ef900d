import type { Clock } from '@servery/support/clock.ts';
import type { Database } from '../../database/database.ts';

/** What the handlers of edits need. */
export interface EditDeps {
  readonly database: Database;
  readonly realClock: Clock;
}
