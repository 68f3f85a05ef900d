import assert from 'node:assert/strict';
import { type Answer, header } from './answer.ts';
import type { ExpectedOperation } from './operations.ts';
import type { StatusRequests } from './status-requests.ts';

interface Entry {
  readonly actor: string;
  readonly operation: string;
  readonly requestId: string | null;
  readonly before: unknown;
  readonly after: unknown;
}

interface EntryPage {
  readonly results: readonly Entry[];
  readonly nextPageToken: string | null;
}

/** Calls whose sample changes nothing that is written down, and why. */
const leaveNothing: Readonly<Record<string, string>> = {
  'backOffice.configuration.plan': 'It only looks.',
  'backOffice.invitations.inspect': 'It only looks.',
  'backOffice.sessions.demoToken': 'A login of an account changes nothing.',
  'backOffice.me.totp.begin': 'An authenticator app is none before it is confirmed.',
  'backOffice.me.views.save': 'A view is for one person, and changes nothing else.',
  'backOffice.me.views.delete': 'A view is for one person, and changes nothing else.',
};

const requestIdOf = ({ callers }: StatusRequests, answer: Answer) =>
  String(header(answer, `${callers.platform.brand}-Request-ID`));

/** Requests that changed nothing: `assertNothingAudited` looks for all of them at once. */
const changedNothing = new Set<string>();

/** Asserts that the audit log has what this call changed, with the request that did it. */
export async function assertAudited(
  requests: StatusRequests,
  { id, method, success }: ExpectedOperation,
  answer: Answer,
): Promise<void> {
  const { status } = answer;
  if (method === 'GET' || ![success, 400, 404, 409, 422].includes(status)) return;
  const requestId = requestIdOf(requests, answer);
  if (status !== success || leaveNothing[id]) {
    changedNothing.add(requestId);
    return;
  }
  const operator = await requests.callers.as('operator');
  const { json } = await operator.call('backOffice.audit.list', 200, { query: { requestId } });
  const { results: entries } = json as EntryPage;
  assert.ok(entries.length > 0, 'the audit log says nothing of it');
  for (const entry of entries) {
    assert.equal(entry.operation, id);
    assert.match(entry.actor, /./);
    assert.notDeepEqual(entry.before, entry.after);
  }
}

/** Asserts that the whole audit log has nothing of what was refused, or only looked. */
export async function assertNothingAudited({ callers }: StatusRequests): Promise<void> {
  assert.ok(changedNothing.size > 0);
  const operator = await callers.as('operator');
  for (let pageToken: string | null = ''; pageToken !== null; ) {
    const query = { pageSize: 200, ...(pageToken === '' ? {} : { pageToken }) };
    const { json } = await operator.call('backOffice.audit.list', 200, { query });
    const page = json as EntryPage;
    const entries = page.results.filter(({ requestId }) => changedNothing.has(requestId ?? ''));
    assert.deepEqual(entries, []);
    pageToken = page.nextPageToken;
  }
}
