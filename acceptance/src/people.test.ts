import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { newGroup, newRestaurant } from './accounts.ts';
import { type CallOptions, DemoCallers } from './client.ts';
import { openRestaurants } from './fixtures.ts';
import { loggedInPerson, newPerson } from './people.ts';
import { platformUnderTest } from './platform.ts';
import { messageOf, nth } from './values.ts';

const platform = await platformUnderTest();
const callers = new DemoCallers(platform);
const operator = await callers.as('operator');
const anonymous = callers.anonymous();
const [restaurantGuid] = openRestaurants(platform.demo);
const { managementGroupGuid } = platform.demo;

const give = (personGuid: string, role: object) =>
  operator.call('backOffice.people.roles.give', 200, { params: { personGuid }, json: role });

const call = (id: string, status: number, options: CallOptions) =>
  anonymous.call(`backOffice.${id}`, status, options);

test('backOffice.invitations.accept 200 404: a link is used once, for a session', async () => {
  const { token } = await newPerson(callers);
  const json = { token, name: 'Ada Cook', password: `ring ${randomUUID()}` };
  const short = { ...json, password: 'short' };
  await call('invitations.accept', 422, { json: short });
  const begun = await call('invitations.accept', 200, { json });
  const cookie = String(begun.headers['set-cookie']);
  assert.match(cookie, /HttpOnly/i);
  assert.match(cookie, /SameSite=(Strict|Lax)/i);
  assert.match(cookie, /Path=\/backoffice/i);
  await call('invitations.inspect', 404, { json: { token } });
  await call('invitations.accept', 404, { json });
});

test('backOffice.session.get 200 401: what changes something needs the CSRF token', async () => {
  const { headers, person } = await loggedInPerson(callers);
  await give(person.personGuid, { role: 'GROUP_ADMINISTRATOR', managementGroupGuid });
  const { cookie, 'x-csrf-token': token } = headers as Record<string, string>;
  assert.ok(cookie && token);
  const change = { params: { restaurantGuid }, json: { changes: [] } };
  await call('session.get', 200, { headers: { cookie } });
  for (const given of [{}, { 'x-csrf-token': 'x' }, { 'x-csrf-token': `${token}x` }]) {
    await call('stock.set', 403, { ...change, headers: { cookie, ...given } });
  }
  const other = await loggedInPerson(callers);
  const foreign = { cookie, 'x-csrf-token': String(other.headers['x-csrf-token']) };
  await call('stock.set', 403, { ...change, headers: foreign });
  await call('stock.set', 200, { ...change, headers });
  await call('session.end', 403, { headers: { cookie } });
  await call('session.end', 200, { headers });
  await call('session.get', 401, { headers });
  await call('stock.set', 401, { ...change, headers });
});

test('backOffice.people.roles.give 200: each role reaches what is its own, at once', async () => {
  const group = await newGroup(callers, 'Ring strangers');
  const theirs = await newRestaurant(callers, group);
  const { headers, person } = await loggedInPerson(callers);
  const { personGuid } = person;
  const at = (guid: string) => ({ params: { restaurantGuid: guid }, headers });
  const change = (guid: string) => ({ ...at(guid), json: { changes: [] } });

  // READ_ONLY at the demo group, as everybody here begins.
  await call('stock.list', 200, at(restaurantGuid));
  await call('stock.set', 403, change(restaurantGuid));
  await call('stock.list', 404, at(theirs));
  await call('people.create', 403, { headers, json: {} });

  await give(personGuid, { role: 'RESTAURANT_ADMINISTRATOR', restaurantGuid: theirs });
  await call('stock.set', 200, change(theirs));
  await call('stock.set', 403, change(restaurantGuid));
  await call('restaurants.get', 200, at(theirs));

  const seen = await operator.call('backOffice.people.get', 200, { params: { personGuid } });
  const { roles } = seen.json as { roles: { roleGuid: string; role: string }[] };
  const index = roles.findIndex(({ role }) => role === 'RESTAURANT_ADMINISTRATOR');
  const params = { personGuid, roleGuid: nth(roles, index, 'role').roleGuid };
  await operator.call('backOffice.people.roles.take', 200, { params });
  await call('stock.set', 404, change(theirs));
  await operator.call('backOffice.people.deactivate', 200, { params: { personGuid } });
  await call('stock.list', 401, at(restaurantGuid));
});

test('backOffice.people.roles.give 200 403 422: nobody gives more than is his own', async () => {
  const group = await newGroup(callers, 'Ring others');
  const administrator = await loggedInPerson(callers);
  await give(administrator.person.personGuid, { role: 'GROUP_ADMINISTRATOR', managementGroupGuid });
  const { headers } = administrator;
  const { person } = await newPerson(callers);
  const params = { personGuid: person.personGuid };
  const asked = (json: object, status: number) =>
    call('people.roles.give', status, { headers, params, json });
  const above = await asked({ role: 'OPERATOR' }, 403);
  assert.match(messageOf(above), /more than you can do there yourself/);
  await asked({ role: 'GROUP_ADMINISTRATOR', managementGroupGuid: group }, 422);
  await asked({ role: 'RESTAURANT_ADMINISTRATOR', restaurantGuid }, 200);
});

test('backOffice.me.password.change 200: all other sessions end', async () => {
  const { person, password, headers } = await loggedInPerson(callers);
  const login = (secret: string, status: number) =>
    call('sessions.begin', status, { json: { email: person.email, password: secret } });
  const second = await login(password, 200);
  const [cookie = ''] = String(second.headers['set-cookie']).split(';');
  await call('session.get', 200, { headers: { cookie } });
  const newPassword = `ring ${randomUUID()}`;
  await call('me.password.change', 200, {
    headers,
    json: { currentPassword: password, newPassword },
  });
  await call('session.get', 401, { headers: { cookie } });
  await login(password, 401);
  await login(newPassword, 200);
});
