import type { CallOptions, DemoCallers } from './client.ts';
import type { ExpectedOperation } from './operations.ts';
import { beginApp, type LoggedInPerson, loggedInPerson, newPerson, type Person } from './people.ts';

/** The parts of the back office that this file knows. */
export const peopleFamilies: readonly string[] = [
  'people',
  'sessions',
  'session',
  'invitations',
  'me',
];

const PASSWORD = 'another fine sentence';
const VIEW = { page: 'payments', name: 'Denied this week', query: 'state=DENIED&period=week' };

/** A call that is answered by 200, on a person made for it. */
export async function peopleSample(
  callers: DemoCallers,
  { id, session }: ExpectedOperation,
): Promise<CallOptions> {
  const name = id.replace('backOffice.', '');
  if (session) return sampleOfSession(callers, name);
  if (name.startsWith('people.')) return sampleOfPeople(callers, name);
  if (name === 'sessions.demoPeople') return {};
  if (name === 'sessions.beginDemo') {
    const demo = callers.platform.demo.people.find(({ role }) => role === 'READ_ONLY');
    return { json: { personGuid: demo?.personGuid ?? '' } };
  }
  if (name === 'sessions.demoToken') return { json: { account: 'partner' } };
  if (name === 'sessions.begin') {
    const { person, password } = await loggedInPerson(callers);
    return { json: { email: person.email, password } };
  }
  const { token } = await newPerson(callers);
  return { json: name.endsWith('accept') ? { token, name: 'A', password: PASSWORD } : { token } };
}

async function sampleOfSession(callers: DemoCallers, name: string): Promise<CallOptions> {
  const person = await loggedInPerson(callers);
  const { headers, password, sessionGuid } = person;
  const call: CallOptions = { headers, token: null };
  switch (name) {
    case 'me.sessions.end':
      return { ...call, params: { sessionGuid } };
    case 'me.password.change':
      return { ...call, json: { currentPassword: password, newPassword: PASSWORD } };
    case 'me.totp.begin':
      return { ...call, json: { password } };
    case 'me.totp.confirm':
      return { ...call, json: { code: await beginApp(callers, person), password } };
    case 'me.totp.remove':
      await useApp(callers, person);
      return { ...call, json: { password } };
    case 'me.views.save':
      return { ...call, json: VIEW };
    case 'me.views.delete':
      return { ...call, params: { viewGuid: await saveView(callers, person) } };
    default:
      return call;
  }
}

async function saveView(callers: DemoCallers, { headers }: LoggedInPerson): Promise<string> {
  const options = { headers, json: VIEW };
  const saved = await callers.anonymous().call('backOffice.me.views.save', 200, options);
  return (saved.json as { viewGuid: string }).viewGuid;
}

/** Confirms an authenticator app, which logging in asks for then. */
async function useApp(callers: DemoCallers, person: LoggedInPerson): Promise<void> {
  const { headers, password } = person;
  const json = { code: await beginApp(callers, person), password };
  await callers.anonymous().call('backOffice.me.totp.confirm', 200, { headers, json });
}

async function sampleOfPeople(callers: DemoCallers, name: string): Promise<CallOptions> {
  if (name === 'people.list') return {};
  if (name === 'people.removeTotp') {
    const secured = await loggedInPerson(callers);
    await useApp(callers, secured);
    return { params: { personGuid: secured.person.personGuid } };
  }
  if (name === 'people.sessions.end') {
    const { person, sessionGuid } = await loggedInPerson(callers);
    return { params: { personGuid: person.personGuid, sessionGuid } };
  }
  const { person } = await newPerson(callers);
  const { managementGroupGuid } = callers.platform.demo;
  const role = { role: 'GROUP_ADMINISTRATOR', managementGroupGuid };
  const params = { personGuid: person.personGuid };
  if (name === 'people.reactivate') {
    await (await callers.as('operator')).call('backOffice.people.deactivate', 200, { params });
  }
  switch (name) {
    case 'people.create':
      return { json: { email: `x${person.email}`, name: 'Ring person', role } };
    case 'people.update':
      return { params, json: { name: 'Renamed' } };
    case 'people.roles.give':
      return { params, json: role };
    case 'people.roles.take':
      return { params: { ...params, roleGuid: person.roles[0]?.roleGuid ?? '' } };
    default:
      return { params };
  }
}

/** Bodies with a wrong value (422). */
export const peopleWrong: Readonly<Record<string, unknown>> = {
  'sessions.begin': { email: 'ada@example.com', password: 7 },
  'sessions.beginDemo': { personGuid: 7 },
  'sessions.demoToken': { account: 7 },
  'invitations.inspect': { token: 7 },
  'invitations.accept': { token: 7, name: 'A', password: PASSWORD },
  'me.password.change': { currentPassword: 7, newPassword: PASSWORD },
  'me.totp.begin': { password: 7 },
  'me.totp.confirm': { code: 7, password: PASSWORD },
  'me.totp.remove': { password: 7 },
  'me.views.save': { ...VIEW, page: 'Not a page' },
  'people.create': { email: 'nobody', name: 'A', role: { role: 'OPERATOR' } },
  'people.update': { name: null },
  'people.roles.give': { role: 'KING' },
};

/** A call that does not fit what is there (409), or null when none is known. */
export async function peopleConflict(
  callers: DemoCallers,
  id: string,
): Promise<CallOptions | null> {
  const name = id.replace('backOffice.', '');
  if (name.startsWith('me.totp.')) return totpConflict(callers, name);
  const { person } = await newPerson(callers);
  const { email, personGuid } = person;
  const { managementGroupGuid } = callers.platform.demo;
  switch (name) {
    case 'people.create': {
      const role = { role: 'READ_ONLY', managementGroupGuid };
      return { json: { email, name: 'Ring person', role } };
    }
    case 'people.update': {
      const other = await newPerson(callers);
      return { params: { personGuid }, json: { email: other.person.email } };
    }
    case 'people.invite': {
      const params = { personGuid };
      await (await callers.as('operator')).call('backOffice.people.deactivate', 200, { params });
      return { params };
    }
    default:
      return lastOperatorCall(callers, name);
  }
}

async function totpConflict(callers: DemoCallers, name: string): Promise<CallOptions> {
  const person = await loggedInPerson(callers);
  const { headers, password } = person;
  const call = { headers, token: null };
  if (name === 'me.totp.confirm') return { ...call, json: { code: '000000', password } };
  await useApp(callers, person);
  return { ...call, json: { password } };
}

/** The demo operator is the only one: neither he nor his role can go. */
async function lastOperatorCall(callers: DemoCallers, name: string): Promise<CallOptions | null> {
  const demo = callers.platform.demo.people.find(({ role }) => role === 'OPERATOR');
  if (!demo) return null;
  const { personGuid } = demo;
  if (name === 'people.deactivate') return { params: { personGuid } };
  if (name !== 'people.roles.take') return null;
  const operator = await callers.as('operator');
  const params = { personGuid };
  const { roles } = (await operator.call('backOffice.people.get', 200, { params })).json as Person;
  return { params: { personGuid, roleGuid: roles[0]?.roleGuid ?? '' } };
}

/** Reads every field of people, and gives each answer to `record`. */
export async function walkPeople(
  callers: DemoCallers,
  record: (type: string, json: unknown) => void,
): Promise<void> {
  const operator = await callers.as('operator');
  const anonymous = callers.anonymous();
  const invited = await newPerson(callers);
  const params = { personGuid: invited.person.personGuid };
  record('InvitedPerson', (await operator.call('backOffice.people.invite', 200, { params })).json);
  const again = await operator.call('backOffice.people.invite', 200, { params });
  const { token } = (again.json as { invitation: { token: string } }).invitation;
  const inspected = await anonymous.call('backOffice.invitations.inspect', 200, {
    json: { token },
  });
  record('Invitation', inspected.json);
  record('Person', (await operator.call('backOffice.people.deactivate', 200, { params })).json);
  const query = { pageSize: 2 };
  record('PersonPage', (await operator.call('backOffice.people.list', 200, { query })).json);
  await walkOwnAccount(callers, record);
  for (const { personGuid } of callers.platform.demo.people) {
    const options = { params: { personGuid } };
    record('Person', (await operator.call('backOffice.people.get', 200, options)).json);
  }
}

async function walkOwnAccount(
  callers: DemoCallers,
  record: (type: string, json: unknown) => void,
): Promise<void> {
  const anonymous = callers.anonymous();
  const person = await loggedInPerson(callers);
  const call = { headers: { ...person.headers, 'user-agent': 'the ring' } };
  const ask = async (id: string, json?: unknown) =>
    (await anonymous.call(`backOffice.${id}`, 200, { ...call, json })).json;
  record('DemoSignIn[]', await ask('sessions.demoPeople'));
  record('DemoToken', await ask('sessions.demoToken', { account: 'readOnly' }));
  record('BackOfficeSession', await ask('session.get'));
  const json = { email: person.person.email, password: person.password };
  await anonymous.call('backOffice.sessions.begin', 200, { ...call, json });
  record('PersonSession[]', await ask('me.sessions.list'));
  const { password } = person;
  record('BegunTotp', await ask('me.totp.begin', { password }));
  const code = await beginApp(callers, person);
  record('RecoveryCodes', await ask('me.totp.confirm', { code, password }));
  const view = await ask('me.views.save', VIEW);
  record('SavedView', view);
  record('SavedView[]', await ask('me.views.list'));
  const params = { viewGuid: (view as { viewGuid: string }).viewGuid };
  const deleted = await anonymous.call('backOffice.me.views.delete', 200, { ...call, params });
  record('DeletedView', deleted.json);
  record('EndedSession', await ask('session.end'));
}
