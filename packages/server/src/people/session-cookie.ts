import { sessionCookieName } from '@servery/contract';
import type { Secret } from '@servery/support/secret.ts';

const BACK_OFFICE = '/backoffice/v1';
/** Longer than any session, which the platform itself ends: the mark of the device outlives it. */
const KEPT_SECONDS = 365 * 86_400;

/** What a browser of somebody who logged in sends. */
export interface SessionCookie {
  /** Null after the session was ended. */
  readonly token: string | null;
  /** The mark of the device, which opens nothing; see `deviceMark`. */
  readonly mark: string | null;
}

/**
 * The `Set-Cookie` that holds a session: scripts cannot read it, no other site can send it, and it
 * goes to the back office alone. Without a token the browser keeps the mark of the device alone.
 * `baseUrl` is what the browser calls the platform by.
 */
export function sessionCookie(
  { token, mark }: { readonly token: Secret | null; readonly mark: string | null },
  baseUrl: string,
): string {
  const { protocol, pathname } = new URL(baseUrl);
  // A proxy may have the platform stand below a path.
  const path = `${pathname.replace(/\/$/, '')}${BACK_OFFICE}`;
  const value = `${token?.reveal() ?? ''}${mark === null ? '' : `.${mark}`}`;
  const parts = [
    `${sessionCookieName}=${value}`,
    `Path=${path}`,
    `Max-Age=${value === '' ? 0 : KEPT_SECONDS}`,
    'HttpOnly',
    'SameSite=Strict',
  ];
  return [...parts, ...(protocol === 'https:' ? ['Secure'] : [])].join('; ');
}

/** What a `Cookie` header holds of a session. */
export function readSessionCookie(header: string | undefined): SessionCookie {
  for (const pair of (header ?? '').split(';')) {
    const [name, value = ''] = pair.trim().split('=', 2);
    if (name !== sessionCookieName) continue;
    const [token, mark] = value.split('.', 2);
    return { token: token || null, mark: mark || null };
  }
  return { token: null, mark: null };
}
