import type { Clock } from '@servery/support/clock.ts';
import type { Database } from '../../database/database.ts';

export interface EditDeps {
  readonly database: Database;
  readonly realClock: Clock;
}
