import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type OperationId, operationById } from '@servery/contract';
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
  'backOffice.me.totp.begin': 'An authenticator app is none before it is confirmed.',
};

/** The entries of the audit log that this request left. */
async function entriesOf({ callers }: StatusRequests, answer: Answer): Promise<Entry[]> {
  const operator = await callers.as('operator');
  const requestId = String(header(answer, `${callers.platform.brand}-Request-ID`));
  const { json } = await operator.call('backOffice.audit.list', 200, { query: { requestId } });
  return (json as { results: Entry[] }).results;
}

/**
 * For each of the operations that change something: what it changes is in the audit log
 * with the request that did it, and what it refuses leaves nothing there.
 */
export function testAuditEntries(
  operations: readonly ExpectedOperation[],
  requests: StatusRequests,
): void {
  for (const operation of operations.filter(({ method }) => method !== 'GET')) {
    const { id, success } = operation;
    test(`${id} ${success}: what it changes is in the audit log`, async () => {
      const request = await requests.sample(operation);
      const caller = await requests.callerOf(request);
      const entries = await entriesOf(requests, await caller.call(id, success, request.options));
      if (leaveNothing[id]) return assert.deepEqual(entries, []);
      assert.ok(entries.length > 0, 'the record says nothing of it');
      for (const entry of entries) {
        assert.equal(entry.operation, id);
        assert.match(entry.actor, /./);
        assert.notDeepEqual(entry.before, entry.after);
      }
    });
    const refusals = operationById(id as OperationId).statuses.filter((status) =>
      [400, 404, 409, 422].includes(status),
    );
    if (refusals.length === 0) continue;
    test(`${id} ${refusals.join(' ')}: what is refused leaves nothing in the record`, async () => {
      for (const status of refusals) {
        const request = await requests.requestFor(operation, status);
        // The 409 of the moves of the clock takes another one under way.
        if (!request) continue;
        const caller = await requests.callerOf(request);
        const answer = await caller.call(id, status, request.options);
        assert.deepEqual(await entriesOf(requests, answer), [], String(status));
      }
    });
  }
}
