import { setTimeout as wait } from 'node:timers/promises';
import { type Answer, header } from './answer.ts';
import type { CallOptions, DemoCallers } from './client.ts';
import { openRestaurants } from './fixtures.ts';
import type { ExpectedOperation } from './operations.ts';
import { loggedInPerson } from './people.ts';
import { wrongStock } from './status-requests-stock.ts';

/** The parts of the back office that this file knows. */
export const logFamilies: readonly string[] = ['audit', 'requests'];

/** So many as take a minute: a busy machine may hold the platform for seconds, again and again. */
const LOOKS = 600;
const PAUSE_MS = 100;

/** A call on the logs that is answered by 200, on data made for it. */
export async function logSample(callers: DemoCallers, id: string): Promise<CallOptions> {
  if (!/requests\.(get|replay)$/.test(id)) return {};
  const params = { requestId: await loggedRequest(callers) };
  return id.endsWith('.replay') ? { params, json: { into: 'main' } } : { params };
}

/** What turns a sample into a call with a wrong value (422). */
export const logsWrong: Readonly<Record<string, unknown>> = {
  'requests.replay': { set: { nowhere: 1 } },
};

/** A login, which can't be replayed (409). */
export async function logConflict(callers: DemoCallers): Promise<CallOptions> {
  const refused = await callers.anonymous().call('auth.login', 400, { json: {} });
  return { params: { requestId: await logged(callers, refused) }, json: {} };
}

/** What turns a sample into a call that is refused as malformed (400). */
export function logMalformed({ id }: ExpectedOperation): CallOptions {
  if (id.endsWith('.export')) return { query: { after: 'the beginning' } };
  return { query: { status: '9xx', pageSize: 0 } };
}

/** Makes a request that is refused, waits until the log has it, and gives its identifier. */
async function loggedRequest(callers: DemoCallers): Promise<string> {
  const operator = await callers.as('operator');
  const query = { pageSize: 0 };
  return logged(callers, await operator.call('backOffice.alarms.list', 400, { query }));
}

/** Waits until the log has the request that was answered so, and gives its identifier. */
export async function logged(callers: DemoCallers, answer: Answer): Promise<string> {
  const operator = await callers.as('operator');
  const requestId = header(answer, `${callers.platform.brand}-Request-ID`) ?? '';
  for (let look = 0; look < LOOKS; look += 1) {
    const { json } = await operator.call('backOffice.requests.list', 200, { query: { requestId } });
    if ((json as { results: unknown[] }).results.length > 0) return requestId;
    await wait(PAUSE_MS);
  }
  throw new Error(`the log has no request ${requestId}`);
}

/** Somebody who administers one restaurant asks in a wrong way. */
async function refusedPerson(callers: DemoCallers, restaurantGuid: string): Promise<Answer> {
  const { person, headers } = await loggedInPerson(callers);
  const { personGuid } = person;
  const json = { role: 'RESTAURANT_ADMINISTRATOR', restaurantGuid };
  const role = { params: { personGuid }, json };
  await (await callers.as('operator')).call('backOffice.people.roles.give', 200, role);
  const options = { headers, query: { open: 'perhaps' } };
  return callers.anonymous().call('backOffice.alarms.list', 400, options);
}

/** Fields that no walk fills, and why. */
export const logFieldsElsewhere: Readonly<Record<string, string>> = {
  'AuditVerdict.firstBreak': 'The record of the platform is intact; server tests tamper with one.',
  'AuditBreak.kind': 'As above.',
  'AuditBreak.position': 'As above.',
  'AuditBreak.entryGuid': 'As above.',
  'AuditBreak.explanation': 'As above.',
};

/** Into a copy, where it is answered otherwise. */
async function replayWithFault(callers: DemoCallers): Promise<{ readonly into: string }> {
  const operator = await callers.as('operator');
  const params = { requestId: await loggedRequest(callers) };
  const set = { [`${callers.platform.brand}-Sandbox-Fault`]: 'status=500' };
  const call = { params, json: { set } };
  const { json } = await operator.call('backOffice.requests.replay', 200, call);
  return json as { into: string };
}

/** Reads every field of the logs, and gives each answer to `record`. */
export async function walkLogs(
  callers: DemoCallers,
  record: (type: string, json: unknown) => void,
): Promise<void> {
  const operator = await callers.as('operator');
  const read = async (id: string, options: CallOptions = {}) =>
    (await operator.call(`backOffice.${id}`, 200, options)).json;
  // Whoever is refused with a scope of a group or partner shows where it is held.
  await (await callers.as('orders')).call('backOffice.alarms.list', 400, { query: { open: 7 } });
  await (await callers.as('partner')).call('stock.list', 400);
  const [restaurantGuid] = openRestaurants(callers.platform.demo);
  const atRestaurant = { params: { restaurantGuid }, json: wrongStock };
  const refused = [
    await operator.call('backOffice.stock.set', 422, atRestaurant),
    await refusedPerson(callers, restaurantGuid),
  ];
  const logs = refused.map((answer) => logged(callers, answer));
  for (const requestId of [await loggedRequest(callers), ...(await Promise.all(logs))]) {
    record('LoggedRequestDetails', await read('requests.get', { params: { requestId } }));
  }
  for (const query of [{ status: '4xx', pageSize: 200 }, { pageSize: 200 }, { pageSize: 1 }]) {
    record('LoggedRequestPage', await read('requests.list', { query }));
  }
  const replayed = await replayWithFault(callers);
  record('ReplayedRequest', replayed);
  record('Sandbox', await read('sandboxes.get', { params: { name: replayed.into } }));
  record('AuditEntryPage', await read('audit.list', { query: { pageSize: 1 } }));
  for (let query: Record<string, string | number> = { pageSize: 200 }; ; ) {
    const page = (await read('audit.list', { query })) as { nextPageToken: string | null };
    record('AuditEntryPage', page);
    if (page.nextPageToken === null) break;
    query = { pageToken: page.nextPageToken };
  }
  record('AuditVerdict', await read('audit.verify'));
}
