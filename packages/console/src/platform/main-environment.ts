import { Refused, SessionClient } from '@servery/client/back-office';
import type { SandboxDemo, WhoAmI } from '@servery/contract';
import { consolePath, platformUrl, sandboxName } from './address.ts';
import { after } from './present.ts';
import { call, holdsEverywhere, who } from './session.ts';

/** The name by which the platform knows it: it has the sandboxes, and is none of them. */
export const MAIN = 'main';

const mainUrl = platformUrl.replace(/\/sandboxes\/[^/]+$/, '');

/** The main environment for the person who is signed in there. */
export interface MainEnvironment {
  readonly call: typeof call;
  readonly holds: (scope: string) => boolean;
}

/** Null if nobody is signed in there: a sandbox beside it has people and sessions of its own. */
export async function enterMain(): Promise<MainEnvironment | null> {
  if (sandboxName === null) return asPerson(call, who.peek());
  try {
    const { csrfToken } = await new SessionClient({ baseUrl: mainUrl, after }).call(
      'backOffice.session.get',
    );
    const client = new SessionClient({ baseUrl: mainUrl, after, credentials: { csrfToken } });
    const whoami = await client.call('backOffice.whoami');
    return asPerson((id, request) => client.call(id, request), whoami);
  } catch (error) {
    if (error instanceof Refused && error.status === 401) return null;
    throw error;
  }
}

function asPerson(callAs: typeof call, person: WhoAmI | null): MainEnvironment {
  return { call: callAs, holds: (scope) => holdsEverywhere(scope, person) };
}

/** The console of the main environment or of a sandbox. */
export function consoleOf(name: string): string {
  return `${environmentUrl(name)}/console/`;
}

/** The page that is open, in another sandbox. */
export function samePageIn(name: string): string {
  return consoleOf(name) + location.pathname.slice(consolePath.length) + location.search;
}

/**
 * Signs in at a new copy: as the same person if the copy has them. Without a session, it asks who it
 * is. The browser keeps the session of each environment beside those of the others.
 */
export async function signInAt(
  name: string,
  { people }: Pick<SandboxDemo, 'people'>,
): Promise<void> {
  const person =
    people.find(({ email }) => email === who.peek()?.email) ??
    people.find(({ role }) => role === 'OPERATOR');
  if (!person) return;
  const { email, password } = person;
  const there = new SessionClient({ baseUrl: environmentUrl(name), after });
  await there.call('backOffice.sessions.begin', { body: { email, password } }).catch(() => {});
}

function environmentUrl(name: string): string {
  return name === MAIN ? mainUrl : `${mainUrl}/sandboxes/${name}`;
}
