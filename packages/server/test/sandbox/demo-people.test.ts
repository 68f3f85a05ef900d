import assert from 'node:assert/strict';
import { test } from 'node:test';
import { roleNames } from '@servery/contract';
import { logIn } from '../../src/people/log-in.ts';
import { findPerson } from '../../src/people/person-list-store.ts';
import { type DemoPeopleDeps, ensureDemoPeople } from '../../src/sandbox/demo-people.ts';
import { openBackOffice } from '../back-office.ts';
import { sessionOrigin } from '../people/office.ts';

const document = {
  format: 'servery.group/1',
  managementGroup: { name: 'Demo' },
  partners: [{ name: 'Connected' }, { name: 'Stranger' }],
  restaurants: [
    {
      info: { general: { name: 'Grill', timeZone: 'Europe/Rome', currencyCode: 'EUR' } },
      configuration: {},
    },
  ],
  connections: [{ partner: 'Connected', restaurant: 'Grill' }],
};

test('start: a sandbox has a person in each role, who can log in, after each start', async (t) => {
  const office = await openBackOffice();
  t.after(office.drop);
  await office.load(document);
  const { guid } = JSON.parse(await office.dump()).managementGroup;
  const deps: DemoPeopleDeps = { ...office, realClock: office.clock };
  const people = await ensureDemoPeople(deps, guid);
  assert.deepEqual(
    people.map(({ role }) => role),
    roleNames,
  );
  assert.equal(new Set(people.map(({ password }) => password)).size, people.length);
  for (const { email, password, personGuid, role, managementGroupGuid } of people) {
    const request = { email, password, code: null };
    const pause = async () => {};
    const begun = await logIn({ ...deps, pause }, request, sessionOrigin(office.vault));
    assert.equal(begun.personGuid, personGuid);
    const stored = await findPerson(office.database.sql, personGuid, new Date(0));
    assert.deepEqual(
      stored?.roles.map((held) => [held.role, held.managementGroupGuid]),
      [[role, managementGroupGuid]],
    );
  }
  assert.deepEqual(await ensureDemoPeople(deps, guid), people, 'a second start keeps them');
  const atOnce = await Promise.all([ensureDemoPeople(deps, guid), ensureDemoPeople(deps, guid)]);
  for (const each of atOnce) assert.deepEqual(each, people, 'and so do two at once');
});
