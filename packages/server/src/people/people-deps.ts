import type { Clock } from '@servery/support/clock.ts';
import type { Vault } from '@servery/support/secret.ts';
import type { Database } from '../database/database.ts';

/** People live in real time: a sandbox's clock logs nobody in or out. */
export interface PeopleDeps {
  readonly database: Database;
  readonly vault: Vault;
  readonly realClock: Clock;
}
