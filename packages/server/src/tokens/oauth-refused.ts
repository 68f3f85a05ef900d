import type { OAuthError } from '@servery/contract';
import type { Answer } from '../http/operation.ts';

/** Answers that hold a token or a word about one must not be kept (RFC 6749 section 5.1). */
export const noStore = { 'cache-control': 'no-store', pragma: 'no-cache' } as const;

const BASIC_CHALLENGE = 'Basic realm="oauth", charset="UTF-8"';

/** A refusal of a standard door, in the form of RFC 6749 section 5.2, not an ErrorMessage (AUTH-6). */
export class OAuthRefused extends Error {
  readonly error: OAuthError['error'];

  /** `description` is a constant text of the characters that the RFC allows: no `"` and no `\`. */
  constructor(error: OAuthError['error'], description: string) {
    super(description);
    this.name = 'OAuthRefused';
    this.error = error;
  }

  /** The answer: 401 with a challenge for `invalid_client`, else 400. */
  toAnswer(): Answer {
    const isUnauthorized = this.error === 'invalid_client';
    const json: OAuthError = { error: this.error, error_description: this.message };
    return {
      status: isUnauthorized ? 401 : 400,
      json,
      headers: isUnauthorized ? { ...noStore, 'www-authenticate': BASIC_CHALLENGE } : noStore,
    };
  }
}
