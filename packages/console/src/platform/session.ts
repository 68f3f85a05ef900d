import { computed, signal } from '@preact/signals';
import {
  NoAnswer,
  PlatformFailed,
  Refused,
  type RequestFor,
  SessionClient,
} from '@servery/client/back-office';
import type {
  AcceptInvitation,
  AnswerOf,
  BackOfficeSession,
  OperationId,
  WhoAmI,
} from '@servery/contract';
import { platformUrl, sandboxName } from './address.ts';
import { after } from './present.ts';

/**
 * - `starting`: nobody has asked yet.
 * - `unreachable`: the platform did not answer the first question.
 * - `signedOut`: nobody is signed in.
 * - `signedIn`: the platform knows who this is.
 * - `ended`: somebody was signed in. The page stays as it is, with all that was typed.
 */
export type SessionState =
  | { readonly kind: 'starting' }
  | { readonly kind: 'unreachable'; readonly error: unknown }
  | { readonly kind: 'signedOut' }
  | { readonly kind: 'signedIn' | 'ended'; readonly who: WhoAmI };

export const session = signal<SessionState>({ kind: 'starting' });

/** Who uses the page; null before that is known. */
export const who = computed(() => ('who' in session.value ? session.value.who : null));

let client = new SessionClient({ baseUrl: platformUrl, after });

/** Calls an operation as the person who is signed in. */
export async function call<Id extends OperationId>(
  id: Id,
  request: RequestFor<Id> = {},
): Promise<AnswerOf<Id>> {
  const sentBy = client;
  try {
    return await sentBy.call(id, request);
  } catch (error) {
    const state = session.value;
    const isEnded = error instanceof Refused && error.status === 401;
    // Somebody may have signed in again since this request was sent.
    if (isEnded && state.kind === 'signedIn' && sentBy === client) {
      session.value = { kind: 'ended', who: state.who };
    }
    if (sandboxName !== null && isRefused(error, 404)) void leaveIfDropped();
    throw error;
  }
}

/** The address of a sandbox that is gone says so, and leads to the main environment. */
async function leaveIfDropped(): Promise<void> {
  const asked = anonymous().call('backOffice.session.get');
  if (
    await asked.then(
      () => false,
      (error) => isRefused(error, 404),
    )
  )
    location.reload();
}

/** Finds out who is signed in, from the cookie that only the platform can read. */
export async function resumeSession(): Promise<void> {
  try {
    const begun = await new SessionClient({ baseUrl: platformUrl, after }).call(
      'backOffice.session.get',
    );
    await enter(begun);
  } catch (error) {
    if (error instanceof Refused && error.status === 401) {
      const state = session.value;
      session.value =
        state.kind === 'signedIn' ? { kind: 'ended', who: state.who } : { kind: 'signedOut' };
    } else if (session.value.kind === 'starting' || session.value.kind === 'unreachable') {
      session.value = { kind: 'unreachable', error };
    }
  }
}

export interface Login {
  readonly email: string;
  readonly password: string;
  readonly totpCode?: string | undefined;
}

/** Throws what the client throws. */
export async function signIn(login: Login): Promise<void> {
  await enter(await anonymous().call('backOffice.sessions.begin', { body: login }));
}

/** The people of a demo that this browser may be with one click: none outside of a sandbox. */
export async function listDemoPeople() {
  return await anonymous().call('backOffice.sessions.demoPeople');
}

export async function signInAsDemo(personGuid: string): Promise<void> {
  await enter(await anonymous().call('backOffice.sessions.beginDemo', { body: { personGuid } }));
}

/** Who a link is for. It needs nobody who is signed in. */
export async function inspectInvitation(token: string) {
  return await anonymous().call('backOffice.invitations.inspect', { body: { token } });
}

/** Signs in as the person whom the link is for. */
export async function acceptInvitation(body: AcceptInvitation): Promise<void> {
  await enter(await anonymous().call('backOffice.invitations.accept', { body }));
}

export async function signOut(): Promise<void> {
  await client.call('backOffice.session.end').catch((error) => {
    if (!(error instanceof Refused)) throw error;
  });
  client = anonymous();
  session.value = { kind: 'signedOut' };
}

async function enter({ csrfToken }: BackOfficeSession): Promise<void> {
  const entered = new SessionClient({ baseUrl: platformUrl, after, credentials: { csrfToken } });
  const whoami = await entered.call('backOffice.whoami');
  client = entered;
  session.value = { kind: 'signedIn', who: whoami };
}

function anonymous(): SessionClient {
  return new SessionClient({ baseUrl: platformUrl, after });
}

/** Whether the person holds a scope, anywhere or at one restaurant. */
export function holds(scope: string, restaurantGuid?: string): boolean {
  const grants = who.value?.grants ?? [];
  const isWide = (place: string) =>
    place === 'platform' || place === 'group' || place === 'partner';
  return grants.some(
    (grant) =>
      grant.scopes.some((held) => held.scope === scope) &&
      (restaurantGuid === undefined || isWide(grant.place) || grant.guid === restaurantGuid),
  );
}

/** Whether the scope covers the whole platform, as some operations need. */
export function holdsEverywhere(scope: string, person = who.value): boolean {
  return (person?.grants ?? []).some(
    (grant) => grant.place === 'platform' && grant.scopes.some((held) => held.scope === scope),
  );
}

/** Whether an error says that nothing is there to answer, rather than no. */
export function isAway(error: unknown): boolean {
  return error instanceof NoAnswer || (error instanceof PlatformFailed && error.status >= 502);
}

export function isRefused(error: unknown, status: number): error is Refused {
  return error instanceof Refused && error.status === status;
}
