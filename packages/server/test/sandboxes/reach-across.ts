import assert from 'node:assert/strict';
import {
  csrfHeaderName,
  exampleOf,
  type Operation,
  operations,
  sessionCookieName,
} from '@servery/contract';
import { LATE, within } from '@servery/support/timer.ts';
import { demoClientNames } from '../../src/sandbox/demo-file.ts';
import type { Place, Sent } from './place.ts';

/** What a place gives to somebody, for the requests that follow. */
export interface Credential {
  readonly holder: string;
  readonly kind: 'token' | 'session';
  readonly secret: string;
  readonly csrfToken: string;
}

const inHeader = ({ secret }: Credential) => ({ authorization: `Bearer ${secret}` });
const inCookie = ({ secret, csrfToken }: Credential) => ({
  cookie: `${sessionCookieName}=${secret}`,
  [csrfHeaderName]: csrfToken,
});

const protectedOperations = operations.filter(({ security }) => security !== 'none');
const AT_ONCE = 16;
/**
 * One in so many operations is also tried with the credential in the wrong place, which all read in
 * the same way. No divisor in common with how many holders there are: all have their turn.
 */
const SELDOM = 7;
const ANSWER_LIMIT_MS = 20_000;
const SOME_GUID = '7d0c8f5a-6c1e-4f0b-9a53-2f4f6c1b9e77';

/** A token of every account, and a session of a person in every role. */
export async function issueAll(place: Place): Promise<Credential[]> {
  const tokens = demoClientNames.map(async (holder): Promise<Credential> => {
    return { holder, kind: 'token', secret: await place.token(holder), csrfToken: '' };
  });
  const sessions = place.demo.people.map(async ({ role, email, password }): Promise<Credential> => {
    const json = { email, password };
    const begun = await place.with(null, 'backOffice.sessions.begin', { json });
    assert.equal(begun.status, 200, begun.text);
    const [cookie = ''] = (begun.headers.get('set-cookie') ?? '').split(';');
    const secret = cookie.slice(cookie.indexOf('=') + 1);
    return { holder: role, kind: 'session', secret, csrfToken: begun.body.csrfToken };
  });
  return await Promise.all([...tokens, ...sessions]);
}

/** Of how many parts of all operations which one is tried. */
export interface Share {
  readonly part: number;
  readonly of: number;
}

/**
 * Sends the operations of that part with a token and with a session, where they belong and now and
 * then where they do not, by turns with those of all holders. Lists what was not refused.
 */
export async function reachAcross(
  credentials: readonly Credential[],
  at: Place,
  { part, of }: Share,
): Promise<{ readonly sent: number; readonly wrong: readonly string[] }> {
  const kinds = (['token', 'session'] as const).map((kind) =>
    credentials.filter((credential) => credential.kind === kind),
  );
  const own = protectedOperations.filter((_, number) => number % of === part);
  const tries = own.flatMap((operation, turn) =>
    kinds
      .flatMap((held) => held[turn % held.length] ?? [])
      .flatMap((credential) => {
        const all = credential.kind === 'token' ? [inHeader, inCookie] : [inCookie, inHeader];
        const carries = all.slice(0, turn % SELDOM === 0 ? 2 : 1);
        return carries.map((carry) => ({ operation, credential, headers: carry(credential) }));
      }),
  );
  const wrong: string[] = [];
  const left = tries.values();
  const sendOn = async () => {
    for (const { operation, credential, headers } of left) {
      const sent = { ...requestOf(operation, at), headers };
      // Somebody who is let in gets streams without an end.
      const received = await within(at.with(null, operation.id, sent), ANSWER_LIMIT_MS);
      if (received !== LATE && received.status === 401) continue;
      const { holder, kind } = credential;
      const told = received === LATE ? 'no end' : `${received.status} ${received.text}`;
      wrong.push(`${operation.id} with the ${kind} of ${holder}: ${told}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sendOn));
  return { sent: tries.length, wrong };
}

/** What would be served if the caller were let in. */
function requestOf(operation: Operation, at: Place): Sent {
  const { params, requestBody } = operation;
  const known: Readonly<Record<string, string>> = {
    restaurantGuid: at.restaurant,
    merchantUuid: at.restaurant,
    managementGroupGuid: at.demo.managementGroupGuid,
    clientId: at.demo.clients.partner.clientId,
    personGuid: at.demo.people[0]?.personGuid ?? '',
    collection: 'menuItems',
  };
  const names = Object.keys(params);
  return {
    params: Object.fromEntries(names.map((name) => [name, known[name] ?? SOME_GUID])),
    restaurant: at.restaurant,
    ...(requestBody && { json: exampleOf(requestBody, at.demo.brand) }),
  };
}
