import { after, before } from 'node:test';
import type { OperationId } from '@servery/contract';
import { FixedClock } from '@servery/support/clock.ts';
import { newGuid } from '@servery/support/ids.ts';
import { createVault, type Vault } from '@servery/support/secret.ts';
import { officeClientHandlers } from '../../src/clients/office/handlers.ts';
import type { Database } from '../../src/database/database.ts';
import type { Caller, Person } from '../../src/http/operation.ts';
import { officeConnectionHandlers } from '../../src/partners/office/connections/handlers.ts';
import { officePartnerHandlers } from '../../src/partners/office/partners/handlers.ts';
import { requirePartner } from '../../src/partners/partners.ts';
import type { Grant, Reach } from '../../src/reach/reach.ts';
import { officeWebhookHandlers } from '../../src/webhooks/office/handlers.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import {
  callOperation,
  NOW_MS,
  principal,
  type RequestParts,
  type TestAnswer,
} from '../request.ts';

/** Accounts and connections of one database, with a clock that a test moves. */
export interface AccountFixture {
  readonly database: Database;
  readonly databaseUrl: string;
  readonly clock: FixedClock;
  readonly vault: Vault;
  /** Accounts that must not be ended. */
  readonly kept: Set<string>;
  /** Calls an operation at the time of the clock, for the whole platform if nobody is named. */
  call(id: OperationId, parts?: RequestParts): Promise<TestAnswer>;
}

/** Opens it for the tests of a file; what it gives is there once they run. */
export function openAccountFixture(): AccountFixture {
  const vault = createVault(Buffer.alloc(32, 7));
  const clock = new FixedClock(NOW_MS);
  const kept = new Set<string>();
  let own: TestDatabase;
  let handlers: Readonly<Record<string, unknown>>;
  before(async () => {
    own = await createTestDatabase();
    const isKept = async (clientId: string) => kept.has(clientId);
    const targetRules = { allowsLoopback: true };
    const { database } = own;
    const deps = {
      ...{ database, vault, clock, realClock: clock, isKept, targetRules, brand: 'Platform' },
      requirePartner: (reach: Reach, guid: string) => requirePartner({ database }, reach, guid),
    };
    handlers = {
      ...officeClientHandlers(deps),
      ...officeConnectionHandlers(deps),
      ...officePartnerHandlers(deps),
      ...officeWebhookHandlers(deps),
    };
  });
  after(() => own.drop());
  return {
    vault,
    clock,
    kept,
    get database() {
      return own.database;
    },
    get databaseUrl() {
      return own.url;
    },
    call: (id, parts = {}) =>
      callOperation(handlers, id, {
        nowMs: clock.nowMs(),
        caller: platformWide,
        ...parts,
      }),
  };
}

/** An account of the whole platform that may do everything. */
export const platformWide: Caller = principal({ type: 'BACK_OFFICE' });

/** A person with such rights. */
export function person(...grants: readonly Grant[]): Person {
  return {
    type: 'PERSON',
    personGuid: newGuid(),
    name: 'Ada Mary Cook',
    email: 'ada@example.com',
    sessionGuid: newGuid(),
    grants,
  };
}
