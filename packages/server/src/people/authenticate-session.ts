import { csrfHeaderName } from '@servery/contract';
import { ApiError } from '../http/errors.ts';
import type { Caller, IdentifyCaller, Unauthenticated } from '../http/operation.ts';
import { unauthorized } from '../tokens/bearer.ts';
import type { PeopleDeps } from './people-deps.ts';
import { readSessionCookie } from './session-cookie.ts';
import { findPersonOf, isCsrfToken } from './sessions.ts';

/** Throws ApiError `unauthorized`, also without a header. */
export type IdentifyClient = (header: string | undefined, nowMs: number) => Promise<Caller>;

/**
 * A client's token or, without an `Authorization` header, a person's session cookie. Browsers send
 * cookies by themselves, so changes must repeat the session's CSRF token, which other sites can't
 * know. Throws ApiError `unauthorized`, and `forbidden` without that token.
 */
export function identifyCaller(deps: PeopleDeps, identifyClient: IdentifyClient): IdentifyCaller {
  return async (request, nowMs) => {
    const { authorization, cookie } = request.headers;
    const token = authorization === undefined ? readSessionCookie(cookie).token : null;
    if (token === null) {
      if (authorization === undefined && request.operation?.security === 'session') {
        throw unauthorized(
          'The cookie of a session is missing: log in first (POST /backoffice/v1/sessions).',
          { token: { problem: 'missing' } },
        );
      }
      return await identifyClient(authorization, nowMs);
    }
    const person = await findPersonOf(deps, token);
    if (!person) throw sessionEnded();
    if (request.method !== 'GET' && request.method !== 'HEAD') requireCsrfToken(request, token);
    return person;
  };
}

function requireCsrfToken({ headers }: Unauthenticated, token: string): void {
  const given = headers[csrfHeaderName.toLowerCase()];
  if (typeof given === 'string' && isCsrfToken(token, given)) return;
  const what = given === undefined ? 'is missing' : "is not this session's";
  throw new ApiError(
    'forbidden',
    `The header ${csrfHeaderName} ${what}: send the csrfToken of the session with every request ` +
      'that changes something (GET /backoffice/v1/session returns it).',
    { notes: { token: { kind: 'SESSION', problem: 'csrf' } } },
  );
}

export function sessionEnded(): ApiError {
  return unauthorized('The session has ended: log in again.', {
    token: { kind: 'SESSION', problem: 'sessionEnded' },
  });
}
