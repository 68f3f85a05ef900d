import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Vault } from '../support/secret.ts';

const NONCE_BYTES = 9;

/**
 * What a browser keeps from a log-in: it opens nothing, and says that this account was logged in
 * to from here. While somebody guesses at the account from the same address, its owner is counted
 * apart. `present` is what the browser has, which is kept where it is for this account.
 */
export function deviceMark(
  vault: Pick<Vault, 'digest'>,
  email: string,
  present: string | null,
): string {
  if (present !== null && isDeviceMark(vault, email, present)) return present;
  const nonce = randomBytes(NONCE_BYTES).toString('base64url');
  return `${nonce}~${proofOf(vault, email, nonce)}`;
}

/** Whether the browser that sent this was logged in to the account before. */
export function isDeviceMark(vault: Pick<Vault, 'digest'>, email: string, mark: string): boolean {
  const [nonce = '', proof = ''] = mark.split('~', 2);
  const [right, given] = [Buffer.from(proofOf(vault, email, nonce)), Buffer.from(proof)];
  return right.length === given.length && timingSafeEqual(right, given);
}

function proofOf(vault: Pick<Vault, 'digest'>, email: string, nonce: string): string {
  return vault.digest('known-device', `${email}\0${nonce}`).toString('base64url');
}
