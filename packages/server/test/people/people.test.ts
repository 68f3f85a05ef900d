import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Person } from '@servery/contract';
import { newGuid } from '@servery/support/ids.ts';
import { findPersonOf } from '../../src/people/sessions.ts';
import { listAuditEntries } from '../audit/entry-rows-store.ts';
import { countWaiting } from '../database.ts';
import { principal } from '../request.ts';
import { openPeopleFixture, PASSWORD, type PeopleFixture, type TestPerson } from './fixture.ts';
import { countOperators, holdEntries } from './fixture-store.ts';

const MINUTE_MS = 60_000;

let fixture: PeopleFixture;
let operator: TestPerson;
let administrator: TestPerson;
before(async () => {
  fixture = await openPeopleFixture();
  operator = await fixture.person('OPERATOR');
  administrator = await fixture.person('GROUP_ADMINISTRATOR', ownGroup());
});
after(() => fixture.drop());

const ownGroup = () => ({ managementGroupGuid: fixture.own.managementGroupGuid });
const otherGroup = () => ({ managementGroupGuid: fixture.other.managementGroupGuid });

async function change(
  name: 'update' | 'deactivate' | 'reactivate' | 'invite' | 'removeTotp' | 'roles.give',
  by: TestPerson,
  personGuid: string,
  body?: unknown,
) {
  const params = { personGuid };
  return await fixture.call(`backOffice.people.${name}`, { caller: by.caller, params, body });
}

async function take(by: TestPerson, personGuid: string, roleGuid: string) {
  const params = { personGuid, roleGuid };
  return await fixture.call('backOffice.people.roles.take', { caller: by.caller, params });
}

async function create(by: TestPerson, body: unknown) {
  return await fixture.call('backOffice.people.create', { caller: by.caller, body });
}

async function read(personGuid: string): Promise<Person> {
  const parts = { caller: operator.caller, params: { personGuid } };
  const { status, body } = await fixture.call('backOffice.people.get', parts);
  assert.equal(status, 200);
  return body;
}

test('backOffice.people.create 200: a person is added with a role and a link', async () => {
  const email = 'Grace@Example.com';
  const role = { role: 'READ_ONLY', ...ownGroup() };
  const { status, body } = await create(administrator, { email, name: 'Grace', role });
  assert.equal(status, 200);
  const { person, invitation } = body;
  assert.equal(body.accountExisted, false);
  assert.equal(person.email, 'grace@example.com');
  assert.deepEqual([person.passwordChangedAt, person.invitedUntil], [null, invitation.expiresAt]);
  assert.equal(invitation.url, `http://127.0.0.1:4400/console/invitation#${invitation.token}`);
  assert.equal(person.roles[0].givenBy, `person:${administrator.personGuid}`);
  const [entry] = await listAuditEntries(fixture.database.sql, person.personGuid);
  assert.equal(entry?.operation, 'backOffice.people.create');
  assert.equal(entry.actor, `person:${administrator.personGuid}`);
  assert.equal(entry.managementGroupGuid, fixture.own.managementGroupGuid);
  assert.equal(entry.before, null);
  assert.equal(entry.after?.email, 'grace@example.com');
  assert.ok(!JSON.stringify(entry).includes(invitation.token), 'no entry holds what opens');
});

test('backOffice.people.create 409: an address that is within reach already', async () => {
  const known = await fixture.person('READ_ONLY', ownGroup());
  const role = { role: 'READ_ONLY', restaurantGuid: fixture.own.guid };
  const { status, body } = await create(administrator, { email: known.email, name: 'X', role });
  assert.equal(status, 409);
  assert.match(body.message, /give that person a role/);
});

test('backOffice.people.create 403: who may not give the role hears of no account', async () => {
  const { email } = await fixture.person('READ_ONLY', otherGroup());
  const more = { email, name: 'X', role: { role: 'OPERATOR' } };
  for (const sent of [more, { ...more, email: 'nobody.yet@example.com' }]) {
    assert.equal((await create(administrator, sent)).status, 403);
  }
});

test('backOffice.people.create 200: a word on an account is nothing to a new one', async () => {
  const role = { role: 'READ_ONLY', ...ownGroup() };
  const person = { email: 'fresh@example.com', name: 'Fresh', role, existingAccount: true };
  const { status, body } = await create(administrator, person);
  assert.deepEqual([status, body.accountExisted], [200, false]);
  assert.notEqual(body.invitation, null);
});

test('backOffice.people.create 409: who cannot log in anymore, beyond reach', async () => {
  const gone = await fixture.person('READ_ONLY', otherGroup());
  await change('deactivate', operator, gone.personGuid);
  const role = { role: 'READ_ONLY', ...ownGroup() };
  const { status, body } = await create(administrator, { email: gone.email, name: 'X', role });
  assert.deepEqual([status, /ask an operator/.test(body.message)], [409, true], body.message);
  const seen = await create(operator, { email: gone.email, name: 'X', role });
  assert.match(seen.body.message, /reactivate that person/);
});

test('backOffice.people.create 200: who works elsewhere gets the role and no link', async () => {
  const known = await fixture.person('GROUP_ADMINISTRATOR', otherGroup());
  const role = { role: 'READ_ONLY', ...ownGroup() };
  const person = { email: known.email, name: 'X', role };
  const denied = await create(administrator, { ...person, existingAccount: false });
  assert.equal(denied.status, 409);
  const wrong = await create(administrator, { ...person, existingAccount: 'yes' });
  assert.equal(wrong.status, 422);
  const unasked = await create(administrator, person);
  assert.equal(unasked.status, 409, 'somebody else chose its password');
  assert.match(unasked.body.message, /Ask the person.* Then send "existingAccount": true\.$/);
  assert.equal((await read(known.personGuid)).roles.length, 1);
  assert.equal((await listAuditEntries(fixture.database.sql, known.personGuid)).length, 0);
  const { status, body } = await create(administrator, { ...person, existingAccount: true });
  assert.equal(status, 200);
  assert.equal(body.invitation, null, 'a link would open all that the person has elsewhere');
  assert.equal(body.accountExisted, true, 'somebody else chose its password');
  assert.equal(body.person.name, 'Ada Byron');
  assert.deepEqual(
    body.person.roles.map((held: { role: string }) => held.role),
    ['READ_ONLY'],
    'roles out of reach are not shown',
  );
  assert.equal((await read(known.personGuid)).roles.length, 2);
  const invited = await change('invite', administrator, known.personGuid);
  assert.equal(invited.status, 403);
});

test('backOffice.people.create 403: nobody gives more than he has', async () => {
  const machine = principal({
    type: 'BACK_OFFICE',
    scopes: new Set(['people:read', 'people:write'] as const),
  });
  const person = { email: 'more@example.com', name: 'More', role: { role: 'OPERATOR' } };
  assert.equal((await create(administrator, person)).status, 403);
  const byMachine = await fixture.call('backOffice.people.create', {
    principal: machine,
    body: person,
  });
  assert.equal(byMachine.status, 403);
  assert.match(byMachine.body.message, /more than you can do there yourself/);
  assert.equal((await create(operator, person)).status, 200);
});

test('backOffice.people.create 422: places where a role cannot be, or none', async () => {
  const cases: [role: object, told: RegExp][] = [
    [{ role: 'OPERATOR', ...ownGroup() }, /only for platform/],
    [{ role: 'PARTNER_DEVELOPER' }, /only for partner/],
    [{ role: 'RESTAURANT_ADMINISTRATOR', ...ownGroup() }, /only for restaurant/],
    [{ role: 'READ_ONLY', ...ownGroup(), restaurantGuid: fixture.own.guid }, /for one place/],
    [{ role: 'READ_ONLY', ...otherGroup() }, /no such group, or you don/],
    [{ role: 'READ_ONLY', managementGroupGuid: newGuid() }, /no such group, or you don/],
    [{ role: 'READ_ONLY', restaurantGuid: fixture.other.guid }, /no such restaurant, or/],
    [{ role: 'PARTNER_DEVELOPER', partnerGuid: newGuid() }, /no such partner, or/],
    [{ role: 'READ_ONLY', managementGroupGuid: 'x' }, /managementGroupGuid must be a GUID/],
    [{ role: 'KING' }, /role.role must be one of/],
  ];
  for (const [role, told] of cases) {
    const { status, body } = await create(administrator, {
      email: 'nowhere@example.com',
      name: 'Nowhere',
      role,
    });
    assert.equal(status, 422, JSON.stringify(role));
    assert.match(body.message, told);
  }
  const { body } = await fixture.call('backOffice.people.list', { caller: operator.caller });
  assert.ok(!JSON.stringify(body).includes('nowhere@example.com'), 'nothing was added');
});

test('backOffice.people.create 400 422: what is missing or wrong is told', async () => {
  const role = { role: 'OPERATOR' };
  const cases = [
    [{}, 400],
    [{ email: 'a@example.com', role }, 400],
    [[], 422],
    [{ email: 'nobody', name: 'A', role }, 422],
    [{ email: 'a b@example.com', name: 'A', role }, 422],
    [{ email: 'a@example.com', name: ' ', role }, 422],
    [{ email: 'a@example.com', name: 'x'.repeat(101), role }, 422],
    [{ email: 'a@example.com', name: 'A', role: 'OPERATOR' }, 422],
    [{ email: 'a@example.com', name: 'A', role, admin: true }, 422],
  ] as const;
  for (const [body, status] of cases) {
    assert.equal((await create(operator, body)).status, status, JSON.stringify(body));
  }
});

test('backOffice.people 422: a slip in the name of a place gives no role everywhere', async () => {
  const role = { role: 'READ_ONLY', restaurantGuild: fixture.own.guid };
  const person = { email: 'slip@example.com', name: 'Slip', role };
  const added = await create(operator, person);
  assert.equal(added.status, 422);
  assert.match(added.body.message, /role\.restaurantGuild .*perhaps "restaurantGuid"/);
  const { personGuid } = await fixture.person('READ_ONLY', ownGroup());
  assert.equal((await change('roles.give', operator, personGuid, role)).status, 422);
  assert.equal((await read(personGuid)).roles.length, 1);
});

test('backOffice.people 422: of many unknown fields some are told, no card number', async () => {
  const names = Array.from({ length: 5_000 }, (_, index) => `field${index}`);
  const body = Object.fromEntries(['4111111111111111', ...names].map((name) => [name, 1]));
  const { personGuid } = await fixture.person('READ_ONLY', ownGroup());
  const { status, body: error } = await change('update', operator, personGuid, body);
  assert.equal(status, 422);
  assert.doesNotMatch(error.message, /4111/);
  assert.match(error.message, /and 4997 more faults\.$/);
  const long = { ['x'.repeat(1_000_000)]: 1 };
  const { message } = (await change('update', operator, personGuid, long)).body;
  assert.ok(message.length < 400, message.length);
});

test('backOffice.people.create 200: of many at once with one address one is made', async () => {
  const person = { email: 'race@example.com', name: 'Race', role: { role: 'OPERATOR' } };
  const answers = await Promise.all(Array.from({ length: 8 }, () => create(operator, person)));
  const statuses = answers.map(({ status }) => status).sort();
  assert.deepEqual(statuses, [200, ...Array(7).fill(409)]);
});

test('backOffice.people.list 200: only people within reach, page by page, by name', async () => {
  const restaurantPerson = await fixture.person('RESTAURANT_ADMINISTRATOR', {
    restaurantGuid: fixture.own.guid,
  });
  const outside = await fixture.person('GROUP_ADMINISTRATOR', otherGroup());
  const developer = await fixture.person('PARTNER_DEVELOPER', { partnerGuid: fixture.partnerGuid });
  const names = ['bea', 'Ada', 'Cid', 'ada'];
  for (const [index, name] of names.entries()) {
    const email = `list${index}@example.com`;
    await create(administrator, { email, name, role: { role: 'READ_ONLY', ...ownGroup() } });
  }
  const pages = async (caller: TestPerson): Promise<Person[]> => {
    const found: Person[] = [];
    let query: Record<string, string> = { pageSize: '2' };
    for (;;) {
      const { body } = await fixture.call('backOffice.people.list', {
        caller: caller.caller,
        query,
      });
      found.push(...body.results);
      if (body.nextPageToken === null) return found;
      query = { pageToken: body.nextPageToken };
    }
  };
  const all = await pages(operator);
  const guids = all.map(({ personGuid }) => personGuid);
  assert.equal(new Set(guids).size, guids.length, 'nobody twice');
  for (const { personGuid } of [restaurantPerson, outside, developer, operator]) {
    assert.ok(guids.includes(personGuid));
  }
  const shown = all.map(({ name }) => name.toLowerCase());
  assert.deepEqual(shown, [...shown].sort());
  const ours = (await pages(administrator)).map(({ personGuid }) => personGuid);
  assert.ok(ours.includes(restaurantPerson.personGuid), 'a restaurant of the group is in reach');
  for (const { personGuid } of [outside, developer, operator]) {
    assert.ok(!ours.includes(personGuid));
  }
});

test('backOffice.people.list 200 400: active ones and deactivated ones apart', async () => {
  const gone = await fixture.person('READ_ONLY', ownGroup());
  await change('deactivate', operator, gone.personGuid);
  const has = async (active: string) => {
    const query = { active, pageSize: '200' };
    const { body } = await fixture.call('backOffice.people.list', {
      caller: operator.caller,
      query,
    });
    return body.results.some(({ personGuid }: Person) => personGuid === gone.personGuid);
  };
  assert.deepEqual([await has('true'), await has('false')], [false, true]);
  const parts = { caller: operator.caller, query: { active: 'maybe' } };
  assert.equal((await fixture.call('backOffice.people.list', parts)).status, 400);
});

test('backOffice.people 404: out of reach and unknown are the same, and no GUID is nobody', async () => {
  const outside = await fixture.person('READ_ONLY', otherGroup());
  const names = [
    'update',
    'deactivate',
    'reactivate',
    'invite',
    'removeTotp',
    'roles.give',
  ] as const;
  const bodies: Record<string, unknown> = {
    update: { name: 'X' },
    'roles.give': { role: 'READ_ONLY', ...ownGroup() },
  };
  for (const name of names) {
    const messages: string[] = [];
    for (const personGuid of [outside.personGuid, operator.personGuid, newGuid(), 'x']) {
      const { status, body } = await change(name, administrator, personGuid, bodies[name]);
      assert.equal(status, 404, `${name} ${personGuid}`);
      messages.push(body.message);
    }
    assert.equal(new Set(messages.slice(0, 3)).size, 1);
  }
});

test('backOffice.people 403: only equals change a person who may do more than you', async () => {
  const both = await fixture.person('GROUP_ADMINISTRATOR', otherGroup());
  await change('roles.give', operator, both.personGuid, { role: 'READ_ONLY', ...ownGroup() });
  for (const name of ['update', 'deactivate', 'reactivate', 'invite', 'removeTotp'] as const) {
    const body = name === 'update' ? { name: 'Mallory' } : undefined;
    const { status } = await change(name, administrator, both.personGuid, body);
    assert.equal(status, 403, name);
  }
  assert.equal((await read(both.personGuid)).name, 'Ada Byron');
});

test('backOffice.people.update 200 409 422: name and address', async () => {
  const { personGuid } = await fixture.person('READ_ONLY', ownGroup());
  const renamed = await change('update', administrator, personGuid, { name: ' Ada Lovelace ' });
  assert.equal(renamed.body.name, 'Ada Lovelace');
  const moved = await change('update', administrator, personGuid, { email: 'Ada.L@example.com' });
  assert.deepEqual([moved.body.email, moved.body.name], ['ada.l@example.com', 'Ada Lovelace']);
  const taken = await change('update', administrator, personGuid, { email: operator.email });
  assert.equal(taken.status, 409);
  const unknown = { nam: 'Ada' };
  for (const body of [{ name: null }, { name: '' }, { email: 'x' }, { email: null }, 7, unknown]) {
    const { status } = await change('update', administrator, personGuid, body);
    assert.equal(status, 422, JSON.stringify(body));
  }
  const entries = await listAuditEntries(fixture.database.sql, personGuid);
  assert.deepEqual(
    entries.map(({ before, after: then }) => [before?.email === then?.email, then?.name]),
    [
      [true, 'Ada Lovelace'],
      [false, 'Ada Lovelace'],
    ],
  );
  await change('update', administrator, personGuid, { name: 'Ada Lovelace' });
  const { length } = await listAuditEntries(fixture.database.sql, personGuid);
  assert.equal(length, 2, 'nothing changed: no entry');
});

test('backOffice.people.deactivate 200: sessions and links end at once', async () => {
  const person = await fixture.person('READ_ONLY', ownGroup());
  const { body } = await change('invite', administrator, person.personGuid);
  const token = person.session.token.reveal();
  assert.ok(await findPersonOf(fixture.deps, token));
  const { status, body: after } = await change('deactivate', administrator, person.personGuid);
  assert.equal(status, 200);
  assert.notEqual(after.deactivatedAt, null);
  assert.equal(await findPersonOf(fixture.deps, token), null);
  const inspect = await fixture.call('backOffice.invitations.inspect', {
    body: { token: body.invitation.token },
  });
  assert.equal(inspect.status, 404);
  assert.equal((await change('invite', administrator, person.personGuid)).status, 409);
  fixture.clock.advance(MINUTE_MS);
  const again = await change('deactivate', administrator, person.personGuid);
  assert.equal(again.body.deactivatedAt, after.deactivatedAt, 'the first instant stays');
  const back = await change('reactivate', administrator, person.personGuid);
  assert.equal(back.body.deactivatedAt, null);
  assert.equal(await findPersonOf(fixture.deps, token), null, 'what ended stays ended');
  const logIn = await fixture.call('backOffice.sessions.begin', {
    body: { email: person.email, password: PASSWORD },
  });
  assert.equal(logIn.status, 200);
});

test('backOffice.people.deactivate 409: you cannot deactivate your own account', async () => {
  const second = await fixture.person('OPERATOR');
  const { status, body } = await change('deactivate', second, second.personGuid);
  assert.equal(status, 409);
  assert.match(body.message, /your own account/);
});

test('backOffice.people.roles.give 200: once, and it counts at once', async () => {
  const person = await fixture.person('READ_ONLY', ownGroup());
  const role = { role: 'RESTAURANT_ADMINISTRATOR', restaurantGuid: fixture.own.guid };
  for (const _ of [1, 2]) {
    const { status, body } = await change('roles.give', administrator, person.personGuid, role);
    assert.deepEqual([status, body.roles.length], [200, 2]);
  }
  const now = await findPersonOf(fixture.deps, person.session.token.reveal());
  assert.ok(now?.grants.some(({ scopes }) => scopes.has('stock.admin:write')));
});

test('backOffice.people.roles.give 422: where one may only look one gives nothing', async () => {
  const mixed = await fixture.person('GROUP_ADMINISTRATOR', otherGroup());
  await change('roles.give', operator, mixed.personGuid, { role: 'READ_ONLY', ...ownGroup() });
  const caller = await findPersonOf(fixture.deps, mixed.session.token.reveal());
  assert.ok(caller);
  const victim = await fixture.person('READ_ONLY', otherGroup());
  const { status } = await fixture.call('backOffice.people.roles.give', {
    caller,
    params: { personGuid: victim.personGuid },
    body: { role: 'READ_ONLY', ...ownGroup() },
  });
  assert.equal(status, 422, 'where he may only look he gives nothing');
});

test('backOffice.people.roles.take 200 404: what is taken is gone at once', async () => {
  const person = await fixture.person('RESTAURANT_ADMINISTRATOR', {
    restaurantGuid: fixture.own.guid,
  });
  const [role] = (await read(person.personGuid)).roles;
  assert.ok(role);
  assert.equal((await take(administrator, person.personGuid, newGuid())).status, 404);
  assert.equal((await take(administrator, person.personGuid, 'x')).status, 404);
  const { status, body } = await take(administrator, person.personGuid, role.roleGuid);
  assert.deepEqual([status, body.roles], [200, []]);
  const now = await findPersonOf(fixture.deps, person.session.token.reveal());
  assert.deepEqual(now?.grants, []);
  const [entry] = await listAuditEntries(fixture.database.sql, person.personGuid);
  assert.equal(entry?.restaurantGuid, fixture.own.guid, 'its former place can read of it');
  const again = await take(administrator, person.personGuid, role.roleGuid);
  assert.equal(again.status, 404, 'nobody without a role is within reach');
});

test('backOffice.people.roles 200: an entry stands where the role is, tells no other', async () => {
  const both = await fixture.person('READ_ONLY', otherGroup());
  const role = { role: 'RESTAURANT_ADMINISTRATOR', restaurantGuid: fixture.own.guid };
  await change('roles.give', operator, both.personGuid, role);
  await change('update', operator, both.personGuid, { name: 'Ada Lovelace' });
  const given = (await read(both.personGuid)).roles.find(({ restaurantGuid }) => restaurantGuid);
  await take(operator, both.personGuid, given?.roleGuid ?? '');
  await change('update', operator, both.personGuid, { name: 'Ada Byron' });
  const entries = await listAuditEntries(fixture.database.sql, both.personGuid);
  const rolesIn = (document: Record<string, unknown> | null) =>
    ((document?.roles ?? []) as { role: string }[]).map((held) => held.role);
  assert.deepEqual(
    entries.map(({ managementGroupGuid, restaurantGuid, before, after: then }) => [
      managementGroupGuid,
      restaurantGuid,
      rolesIn(before),
      rolesIn(then),
    ]),
    [
      [fixture.own.managementGroupGuid, fixture.own.guid, [], ['RESTAURANT_ADMINISTRATOR']],
      [null, null, ['READ_ONLY', role.role], ['READ_ONLY', role.role]],
      [fixture.own.managementGroupGuid, fixture.own.guid, ['RESTAURANT_ADMINISTRATOR'], []],
      [fixture.other.managementGroupGuid, null, ['READ_ONLY'], ['READ_ONLY']],
    ],
  );
});

test('backOffice.people.update 200: a name is told to the group of all the roles', async () => {
  const person = await fixture.person('READ_ONLY', ownGroup());
  const role = { role: 'RESTAURANT_ADMINISTRATOR', restaurantGuid: fixture.own.guid };
  await change('roles.give', operator, person.personGuid, role);
  await change('update', operator, person.personGuid, { name: 'Ada Lovelace' });
  const entry = (await listAuditEntries(fixture.database.sql, person.personGuid)).at(-1);
  assert.deepEqual(
    [entry?.managementGroupGuid, entry?.restaurantGuid],
    [fixture.own.managementGroupGuid, null],
  );
});

test('backOffice.people.roles.take 404: a role out of reach stays', async () => {
  const both = await fixture.person('READ_ONLY', otherGroup());
  await change('roles.give', operator, both.personGuid, { role: 'READ_ONLY', ...ownGroup() });
  const outside = (await read(both.personGuid)).roles.find(
    ({ managementGroupGuid }) => managementGroupGuid === fixture.other.managementGroupGuid,
  );
  const { status } = await take(administrator, both.personGuid, outside?.roleGuid ?? '');
  assert.equal(status, 404);
});

test('backOffice.people 409: the last operator stays, also when many try at once', async () => {
  const separate = await openPeopleFixture();
  try {
    const [first, second] = [await separate.person('OPERATOR'), await separate.person('OPERATOR')];
    const deactivate = (by: TestPerson, personGuid: string) =>
      separate.call('backOffice.people.deactivate', { caller: by.caller, params: { personGuid } });
    // Whoever is not kept waiting by the other one has looked for operators, and not committed.
    const pair = await separate.database.transaction(async (sql) => {
      await holdEntries(sql);
      const begun = [deactivate(first, second.personGuid), deactivate(second, first.personGuid)];
      while ((await countWaiting(separate.database.sql)) < begun.length);
      return { begun };
    });
    const answers = await Promise.all(pair.begun);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
    assert.equal(await countOperators(separate.database.sql), 1);
    const left = answers[0]?.status === 200 ? first : second;
    const byMachine = await separate.call('backOffice.people.deactivate', {
      principal: separate.machine,
      params: { personGuid: left.personGuid },
    });
    assert.equal(byMachine.status, 409);
    const { body } = await separate.call('backOffice.people.get', {
      caller: left.caller,
      params: { personGuid: left.personGuid },
    });
    const params = { personGuid: left.personGuid, roleGuid: body.roles[0].roleGuid };
    const taken = await separate.call('backOffice.people.roles.take', {
      caller: left.caller,
      params,
    });
    assert.equal(taken.status, 409);
    assert.match(taken.body.message, /another operator first/);
  } finally {
    await separate.drop();
  }
});

test('backOffice.people 200: a client with the scopes looks after people too', async () => {
  const { own, machine } = fixture;
  const ofGroup = principal({ ...machine, managementGroupGuid: own.managementGroupGuid });
  const role = { role: 'RESTAURANT_ADMINISTRATOR', restaurantGuid: own.guid };
  const body = { email: 'by.machine@example.com', name: 'Made', role };
  const made = await fixture.call('backOffice.people.create', { principal: ofGroup, body });
  assert.equal(made.status, 200);
  assert.equal(made.body.person.roles[0].givenBy, ofGroup.clientId);
  const params = { personGuid: made.body.person.personGuid };
  const ended = await fixture.call('backOffice.people.deactivate', { principal: ofGroup, params });
  assert.equal(ended.status, 200);
});
