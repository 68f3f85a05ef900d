import assert from 'node:assert/strict';
import { type Answer, header } from './answer.ts';
import type { ExpectedOperation } from './operations.ts';
import type { StatusRequests } from './status-requests.ts';

interface Entry {
  readonly actor: string;
  readonly operation: string;
  readonly before: unknown;
  readonly after: unknown;
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

/** The entries of the audit log that this request left. */
async function entriesOf({ callers }: StatusRequests, answer: Answer): Promise<Entry[]> {
  const operator = await callers.as('operator');
  const requestId = String(header(answer, `${callers.platform.brand}-Request-ID`));
  const { json } = await operator.call('backOffice.audit.list', 200, { query: { requestId } });
  return (json as { results: Entry[] }).results;
}

/**
 * Asserts that the audit log has what this call changed, with the request that did it, and nothing
 * of what was refused.
 */
export async function assertAudited(
  requests: StatusRequests,
  { id, method, success }: ExpectedOperation,
  answer: Answer,
): Promise<void> {
  const { status } = answer;
  if (method === 'GET' || ![success, 400, 404, 409, 422].includes(status)) return;
  const entries = await entriesOf(requests, answer);
  if (status !== success || leaveNothing[id]) return assert.deepEqual(entries, []);
  assert.ok(entries.length > 0, 'the audit log says nothing of it');
  for (const entry of entries) {
    assert.equal(entry.operation, id);
    assert.match(entry.actor, /./);
    assert.notDeepEqual(entry.before, entry.after);
  }
}
