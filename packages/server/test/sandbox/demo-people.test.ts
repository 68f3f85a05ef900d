import assert from 'node:assert/strict';
import { test } from 'node:test';
import { roleNames } from '@servery/contract';
import { logIn } from '../../src/people/log-in.ts';
import { findPerson } from '../../src/people/person-store.ts';
import { type DemoPeopleDeps, ensureDemoPeople } from '../../src/sandbox/demo-people.ts';
import { openGroupDocumentFixture } from '../group-document/fixture.ts';
import { sessionOrigin } from '../people/fixture.ts';

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
  const fixture = await openGroupDocumentFixture();
  t.after(fixture.drop);
  await fixture.load(document);
  const { guid } = JSON.parse(await fixture.dump()).managementGroup;
  const deps: DemoPeopleDeps = { ...fixture, realClock: fixture.clock };
  const people = await ensureDemoPeople(deps, guid);
  assert.deepEqual(
    people.map(({ role }) => role),
    roleNames,
  );
  assert.equal(new Set(people.map(({ password }) => password)).size, people.length);
  for (const { email, password, personGuid, role, managementGroupGuid } of people) {
    const request = { email, password, code: null };
    const pause = async () => {};
    const begun = await logIn({ ...deps, pause }, request, sessionOrigin(fixture.vault));
    assert.equal(begun.personGuid, personGuid);
    const stored = await findPerson(fixture.database.sql, personGuid, new Date(0));
    assert.deepEqual(
      stored?.roles.map((held) => [held.role, held.managementGroupGuid]),
      [[role, managementGroupGuid]],
    );
  }
  assert.deepEqual(await ensureDemoPeople(deps, guid), people, 'a second start keeps them');
  const atOnce = await Promise.all([ensureDemoPeople(deps, guid), ensureDemoPeople(deps, guid)]);
  for (const each of atOnce) assert.deepEqual(each, people, 'and so do two at once');
});
