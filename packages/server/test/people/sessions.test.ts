import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { updateDeactivated } from '../../src/people/person-store.ts';
import { csrfTokenOf, findPersonOf, isCsrfToken } from '../../src/people/sessions.ts';
import { openPeopleFixture, type PeopleFixture } from './fixture.ts';

let fixture: PeopleFixture;
before(async () => {
  fixture = await openPeopleFixture();
});
after(() => fixture.drop());

test('backOffice.session.get 401: a deactivated person has no session', async () => {
  const person = await fixture.person('OPERATOR');
  const now = new Date(fixture.clock.nowMs());
  await updateDeactivated(fixture.database.sql, person.personGuid, now);
  assert.equal(await findPersonOf(fixture.deps, person.session.token.reveal()), null);
});

test('backOffice.session.get: a role for a part does not read its metrics', async () => {
  const scopesOf = async (place: object) => {
    const { caller } = await fixture.person('READ_ONLY', place);
    return caller.grants.flatMap(({ scopes }) => [...scopes]);
  };
  assert.ok((await scopesOf({})).includes('metrics:read'));
  for (const place of [
    { managementGroupGuid: fixture.own.managementGroupGuid },
    { restaurantGuid: fixture.own.guid },
  ]) {
    const scopes = await scopesOf(place);
    assert.ok(!scopes.includes('metrics:read'));
    assert.ok(scopes.includes('stock.admin:read'));
  }
});

test('backOffice.session.get: a CSRF token belongs to its session alone', async () => {
  const [one, other] = ['token of one', 'token of another'];
  assert.ok(isCsrfToken(one, csrfTokenOf(one)));
  for (const given of ['', csrfTokenOf(other), csrfTokenOf(one).slice(1), one]) {
    assert.equal(isCsrfToken(one, given), false);
  }
});

test('backOffice.session.get: when it was used is written once a minute', async () => {
  const person = await fixture.person('OPERATOR');
  const token = person.session.token.reveal();
  const seenAt = async () => {
    const { body } = await fixture.call('backOffice.me.sessions.list', { caller: person.caller });
    return body[0].seenAt;
  };
  const first = await seenAt();
  fixture.clock.advance(59_999);
  await findPersonOf(fixture.deps, token);
  assert.equal(await seenAt(), first);
  fixture.clock.advance(1);
  await findPersonOf(fixture.deps, token);
  assert.notEqual(await seenAt(), first);
});
