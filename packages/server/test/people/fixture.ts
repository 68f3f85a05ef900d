import { randomBytes } from 'node:crypto';
import type { OperationId, RoleName } from '@servery/contract';
import { FixedClock } from '@servery/support/clock.ts';
import { newGuid } from '@servery/support/ids.ts';
import { createVault, type Vault } from '@servery/support/secret.ts';
import { attestEntries } from '../../src/audit/origin.ts';
import type { Database } from '../../src/database/database.ts';
import type { Person, Principal, RestaurantContext } from '../../src/http/operation.ts';
import { updatePassword } from '../../src/people/credential-store.ts';
import { type OfficePeopleDeps, officePeopleHandlers } from '../../src/people/office/handlers.ts';
import { hashRandomPassword } from '../../src/people/password.ts';
import { insertPerson, insertRole } from '../../src/people/person-store.ts';
import { type BegunSession, beginSession, findPersonOf } from '../../src/people/sessions.ts';
import { createTestDatabase } from '../database.ts';
import { callOperation, principal, type RequestParts, type TestAnswer } from '../request.ts';
import { insertPartner, insertRestaurant } from '../rows.ts';

/** The password of everybody in a test. */
export const PASSWORD = 'a fine long sentence';
/** Made and checked at the least cost: only one test is about what that costs. */
const passwordHash = hashRandomPassword(PASSWORD);

/** Where a role is given in a test; nothing is the platform. */
interface TestPlace {
  readonly managementGroupGuid?: string;
  readonly restaurantGuid?: string;
  readonly partnerGuid?: string;
}

/** A person of a test, logged in. */
export interface TestPerson {
  readonly personGuid: string;
  readonly email: string;
  readonly session: BegunSession;
  /** As the pipeline hands the person on. */
  readonly caller: Person;
}

/** A platform with two groups of a restaurant each, and a clock that a test moves. */
export interface PeopleFixture {
  readonly database: Database;
  readonly vault: Vault;
  /** The clock of sessions: the real one, which stands still here. */
  readonly clock: FixedClock;
  readonly deps: OfficePeopleDeps;
  /** How long each attempt that had to wait would have waited, in milliseconds. */
  readonly pauses: number[];
  readonly own: RestaurantContext;
  readonly other: RestaurantContext;
  readonly partnerGuid: string;
  /** A client of the whole platform with all scopes. */
  readonly machine: Principal;
  /** Adds a person with a role, a password and a session. */
  person(role: RoleName | null, place?: TestPlace): Promise<TestPerson>;
  /** Begins one more session of a person. */
  session(personGuid: string): Promise<BegunSession>;
  call(id: OperationId, parts?: RequestParts): Promise<TestAnswer>;
  drop(): Promise<void>;
}

const NOW_MS = Date.UTC(2026, 2, 1, 12, 0, 0);

/** Opens a platform for tests about people. */
export async function openPeopleFixture(): Promise<PeopleFixture> {
  const { database, drop } = await createTestDatabase();
  const vault = createVault(randomBytes(32));
  const clock = new FixedClock(NOW_MS);
  const pauses: number[] = [];
  const deps: OfficePeopleDeps = {
    database,
    vault,
    realClock: clock,
    config: { brand: 'Platform' },
    logInAsDemoAccount: async (name) =>
      name === 'partner' ? { clientId: 'demo-partner', accessToken: 'a.b.c' } : null,
    pause: async (durationMs) => void pauses.push(durationMs),
  };
  const { sql } = database;
  const now = new Date(NOW_MS);
  const handlers = officePeopleHandlers(deps);
  const session = (personGuid: string) =>
    database.transaction((tx) => beginSession(deps, tx, personGuid, sessionOrigin(vault)));
  return {
    database,
    vault,
    clock,
    deps,
    pauses,
    own: await insertRestaurant(sql, { createdAt: now }),
    other: await insertRestaurant(sql, { currencyCode: 'EUR', createdAt: now }),
    partnerGuid: await insertPartner(sql),
    machine: principal({ type: 'BACK_OFFICE' }),
    person: async (role, place = {}) => {
      const personGuid = newGuid();
      const email = `${personGuid}@example.com`;
      await addRow(database, { personGuid, email, role, place, now });
      const begun = await session(personGuid);
      const caller = await findPersonOf(deps, begun.token.reveal());
      if (!caller) throw new Error('a session that began is not there');
      return { personGuid, email, session: begun, caller };
    },
    session,
    call: (id, parts) => callOperation(handlers, id, parts),
    drop,
  };
}

interface Row {
  readonly personGuid: string;
  readonly email: string;
  readonly role: RoleName | null;
  readonly place: TestPlace;
  readonly now: Date;
}

async function addRow(
  { sql }: Database,
  { personGuid: guid, email, role, place, now }: Row,
): Promise<void> {
  await insertPerson(sql, { guid, email, name: 'Ada Byron', createdAt: now });
  await updatePassword(sql, guid, { passwordHash: await passwordHash, now });
  if (role === null) return;
  await insertRole(sql, guid, {
    guid: newGuid(),
    role,
    managementGroupGuid: null,
    restaurantGuid: null,
    partnerGuid: null,
    ...place,
    givenAt: now,
    givenBy: 'a test',
  });
}

/** What a session that no request begins comes from. */
export function sessionOrigin(vault: Vault) {
  const instant = new Date(NOW_MS);
  return {
    address: '127.0.0.1',
    userAgent: null,
    mark: null,
    originFor: (personGuid: string) => ({
      by: `person:${personGuid}`,
      requestId: null,
      operation: 'test',
      at: instant,
      realAt: instant,
      attest: attestEntries(vault),
    }),
  };
}
