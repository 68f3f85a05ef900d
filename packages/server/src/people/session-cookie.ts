import { sessionCookieName } from '@servery/contract';
import type { Secret } from '../support/secret.ts';
import { SESSION_MS } from './sessions.ts';

const BACK_OFFICE = '/backoffice/v1';

/**
 * The `Set-Cookie` that holds a session: scripts cannot read it, no other site can send it, and it
 * goes to the back office alone. `baseUrl` is what the browser calls the platform by.
 */
export function sessionCookie(token: Secret, baseUrl: string): string {
  return cookie(token.reveal(), SESSION_MS / 1_000, baseUrl);
}

/** The `Set-Cookie` that has the browser forget its session. */
export function forgottenCookie(baseUrl: string): string {
  return cookie('', 0, baseUrl);
}

/** The session's token in a `Cookie` header, or null when there is none. */
export function readSessionCookie(header: string | undefined): string | null {
  for (const pair of (header ?? '').split(';')) {
    const [name, value] = pair.trim().split('=', 2);
    if (name === sessionCookieName && value) return value;
  }
  return null;
}

function cookie(value: string, maxAgeSeconds: number, baseUrl: string): string {
  const { protocol, pathname } = new URL(baseUrl);
  // A proxy may have the platform stand below a path.
  const path = `${pathname.replace(/\/$/, '')}${BACK_OFFICE}`;
  const parts = [
    `${sessionCookieName}=${value}`,
    `Path=${path}`,
    `Max-Age=${maxAgeSeconds}`,
    'HttpOnly',
    'SameSite=Strict',
  ];
  return [...parts, ...(protocol === 'https:' ? ['Secure'] : [])].join('; ');
}
