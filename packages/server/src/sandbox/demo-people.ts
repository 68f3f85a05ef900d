import type { RoleName } from '@servery/contract';
import type { Clock } from '@servery/support/clock.ts';
import { derivedGuid } from '@servery/support/ids.ts';
import type { Vault } from '@servery/support/secret.ts';
import { systemOrigin } from '../audit/origin.ts';
import type { Database, Sql } from '../database/database.ts';
import { findCredentialsOf, updatePassword } from '../people/credential-store.ts';
import { demoAddress } from '../people/demo-sign-in.ts';
import { hashRandomPassword, isPassword } from '../people/password.ts';
import { findHeldPerson, insertPerson, insertRole } from '../people/person-store.ts';
import { recordPerson } from '../people/record-person.ts';
import type { DemoPerson } from './demo-file.ts';
import { listPartnerReach, listRestaurants } from './store.ts';

export interface DemoPeopleDeps {
  readonly database: Database;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly realClock: Clock;
  /** If set, everybody gets this one. */
  readonly password?: Promise<DemoPassword>;
}

interface DemoPassword {
  readonly text: string;
  readonly hash: string;
}

interface Plan {
  readonly name: string;
  readonly role: RoleName;
  readonly place: Omit<DemoPerson, 'personGuid' | 'name' | 'email' | 'password' | 'role'>;
}

const nowhere = { managementGroupGuid: null, restaurantGuid: null, partnerGuid: null };

/**
 * Creates missing people. Passwords follow from the master key, so every process has the same; a
 * changed password is reset so that `demo.json` stays right.
 */
export async function ensureDemoPeople(
  deps: DemoPeopleDeps,
  groupGuid: string,
): Promise<DemoPerson[]> {
  const plans = await plan(deps.database.sql, groupGuid);
  return await Promise.all(plans.map((each) => ensurePerson(deps, groupGuid, each)));
}

async function plan(sql: Sql, managementGroupGuid: string): Promise<Plan[]> {
  const restaurant = (await listRestaurants(sql, managementGroupGuid)).find((one) => !one.archived);
  const partner = (await listPartnerReach(sql, managementGroupGuid)).find(
    ({ connections }) => connections > 0,
  );
  const group = { managementGroupGuid };
  const people: [string, RoleName, Partial<Plan['place']> | undefined][] = [
    ['Olu Operator', 'OPERATOR', {}],
    ['Gita Group', 'GROUP_ADMINISTRATOR', group],
    [
      'Rosa Restaurant',
      'RESTAURANT_ADMINISTRATOR',
      restaurant && { restaurantGuid: restaurant.guid },
    ],
    ['Lars Looker', 'READ_ONLY', group],
    ['Dana Developer', 'PARTNER_DEVELOPER', partner && { partnerGuid: partner.guid }],
  ];
  return people.flatMap(([name, role, place]) =>
    place ? [{ name, role, place: { ...nowhere, ...place } }] : [],
  );
}

async function ensurePerson(
  deps: DemoPeopleDeps,
  groupGuid: string,
  { name, role, place }: Plan,
): Promise<DemoPerson> {
  const { database, vault, realClock } = deps;
  const personGuid = derivedGuid(groupGuid, `people/${role}`);
  const email = demoAddress(role);
  const given = await deps.password;
  const password =
    given?.text ?? vault.digest('demo-password', email).toString('base64url').slice(0, 24);
  const person = { personGuid, name, email, password, role, ...place };
  const known = await findCredentialsOf(database.sql, personGuid);
  if (known && !given && (await isPassword(known.passwordHash, password))) return person;
  const passwordHash = given?.hash ?? (await hashRandomPassword(password));
  await database.transaction(async (sql) => {
    const now = new Date(realClock.nowMs());
    const text = { guid: personGuid, email, name, createdAt: now };
    const isNew = known === null && (await insertPerson(sql, text));
    const before = isNew ? null : await findHeldPerson(sql, personGuid, now);
    const guid = derivedGuid(personGuid, 'role');
    if (isNew) {
      const by = { givenAt: now, givenBy: 'system:start' };
      await insertRole(sql, personGuid, { guid, role, ...place, ...by });
    }
    await updatePassword(sql, personGuid, { passwordHash, now });
    await recordPerson(sql, systemOrigin(deps, 'start', 'start'), personGuid, before);
  });
  return person;
}
