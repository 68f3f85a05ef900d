import { timingSafeEqual } from 'node:crypto';
import type { Vault } from '@servery/support/secret.ts';
import { ApiError } from './errors.ts';

/** Raise it when the content changes, so that an older token is refused, not misread. */
const VERSION = 1;
const MAC_BYTES = 16;
const HEADER_BYTES = 1 + MAC_BYTES;

/** Tokens are opaque and authenticated: `open` gives exactly what `seal` took (CFG-9, PTN-3). */
export interface PageTokens<Position> {
  seal(position: Position): string;
  /** Throws 400 for altered, foreign and mistyped tokens. */
  open(token: string): Position;
}

/**
 * A token of another list or another environment does not open, even if both have the same master
 * key. `Position` must survive JSON. `parameter` is the query
 * parameter that errors name.
 */
export function pageTokens<Position>(
  vault: Pick<Vault, 'digest' | 'environment'>,
  list: string,
  parameter = 'pageToken',
): PageTokens<Position> {
  const macOf = (payload: Buffer) => {
    const name = Buffer.from(`${vault.environment}\0${list}\0`);
    const signed = Buffer.concat([Buffer.of(VERSION), name, payload]);
    return vault.digest('page-token', signed).subarray(0, MAC_BYTES);
  };
  return {
    seal(position) {
      const payload = Buffer.from(JSON.stringify(position));
      return Buffer.concat([Buffer.of(VERSION), macOf(payload), payload]).toString('base64url');
    },
    open(token) {
      const bytes = Buffer.from(token, 'base64url');
      // Decoding forgives stray characters and unused bits, but a token has exactly one spelling.
      if (bytes.length <= HEADER_BYTES || bytes.toString('base64url') !== token) {
        throw foreignToken(parameter);
      }
      const payload = bytes.subarray(HEADER_BYTES);
      const mac = bytes.subarray(1, HEADER_BYTES);
      if (bytes[0] !== VERSION || !timingSafeEqual(mac, macOf(payload))) {
        throw foreignToken(parameter);
      }
      return JSON.parse(payload.toString()) as Position;
    },
  };
}

export function foreignToken(parameter = 'pageToken'): ApiError {
  return new ApiError(
    'badRequest',
    `${parameter} does not come from this list: send it unchanged to the list that it came from, ` +
      'or leave it out to start at the first page.',
  );
}
