import { timingSafeEqual } from 'node:crypto';
import type { Vault } from '@servery/support/secret.ts';
import { ApiError } from './errors.ts';

/** Raised when the content of a token changes, so that an older one is refused, not misread. */
const VERSION = 1;
const MAC_BYTES = 16;
const HEADER_BYTES = 1 + MAC_BYTES;

/**
 * The page tokens of one list. A token is opaque and authenticated: only this installation can make
 * one, so that what comes out of `open` is exactly what went into `seal` (decisions CFG-9, PTN-3).
 */
export interface PageTokens<Position> {
  /** The token for a position; base64url, so that it needs no encoding in a URL or a header. */
  seal(position: Position): string;
  /** What `seal` was given. Throws 400 for altered, foreign and mistyped tokens. */
  open(token: string): Position;
}

/**
 * Makes the page tokens of the list with the name `list`; a token of another list does not open.
 * `Position` must survive JSON.
 */
export function pageTokens<Position>(vault: Vault, list: string): PageTokens<Position> {
  const macOf = (payload: Buffer) => {
    const name = Buffer.from(`${list}\0`);
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
      // Decoding forgives stray characters and unused bits; a token has exactly one spelling.
      if (bytes.length <= HEADER_BYTES || bytes.toString('base64url') !== token) {
        throw foreignToken();
      }
      const payload = bytes.subarray(HEADER_BYTES);
      const mac = bytes.subarray(1, HEADER_BYTES);
      if (bytes[0] !== VERSION || !timingSafeEqual(mac, macOf(payload))) throw foreignToken();
      // Only `seal` of this list makes bytes that come this far.
      return JSON.parse(payload.toString()) as Position;
    },
  };
}

/** The 400 for a page token that this list of this caller did not give (decisions CFG-9, PTN-3). */
export function foreignToken(): ApiError {
  return new ApiError(
    'badRequest',
    'pageToken is not one that this list gave: send it unchanged to the list that it came from, ' +
      'or leave it out to start at the first page.',
  );
}
