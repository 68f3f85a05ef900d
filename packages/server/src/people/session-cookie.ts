import { sessionCookieName } from '@servery/contract';

const BACK_OFFICE = '/backoffice/v1';
/** Longer than any session, because the device mark outlives it. */
const KEPT_SECONDS = 365 * 86_400;

export interface SessionCookie {
  readonly token: string | null;
  readonly mark: string | null;
}

/**
 * Scripts can't read it, other sites can't send it, and it goes only to the back office. Without a
 * token only the device mark stays.
 */
export function sessionCookie({ token, mark }: SessionCookie, baseUrl: string): string {
  const { protocol, pathname } = new URL(baseUrl);
  // A proxy may serve the platform below a path.
  const path = `${pathname.replace(/\/$/, '')}${BACK_OFFICE}`;
  const value = `${token ?? ''}${mark === null ? '' : `.${mark}`}`;
  const parts = [
    `${sessionCookieName}=${value}`,
    `Path=${path}`,
    `Max-Age=${value === '' ? 0 : KEPT_SECONDS}`,
    'HttpOnly',
    'SameSite=Strict',
  ];
  return [...parts, ...(protocol === 'https:' ? ['Secure'] : [])].join('; ');
}

export function readSessionCookie(header: string | undefined): SessionCookie {
  for (const pair of (header ?? '').split(';')) {
    const [name, value = ''] = pair.trim().split('=', 2);
    if (name !== sessionCookieName) continue;
    const [token, mark] = value.split('.', 2);
    return { token: token || null, mark: mark || null };
  }
  return { token: null, mark: null };
}
