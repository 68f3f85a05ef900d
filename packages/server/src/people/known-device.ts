import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Vault } from '../support/secret.ts';

const NONCE_BYTES = 9;

/** The account that a browser was logged in to, with the password that it had then. */
export interface MarkedAccount {
  /** In lower case. */
  readonly email: string;
  /** Null before the first password. */
  readonly passwordChangedAt: Date | null;
}

/**
 * What a browser keeps from a log-in: it opens nothing, and says that this account was logged in
 * to from here. While somebody guesses at the account from the same address, its owner is counted
 * apart. It is for the present password alone: who changes it after a theft leaves the thief no
 * attempts of his own. `present` is what the browser has, which is kept where it fits the account.
 */
export function deviceMark(
  vault: Pick<Vault, 'digest'>,
  account: MarkedAccount,
  present: string | null,
): string {
  if (present !== null && isDeviceMark(vault, account, present)) return present;
  const nonce = randomBytes(NONCE_BYTES).toString('base64url');
  return `${nonce}~${proofOf(vault, account, nonce)}`;
}

/** Whether the browser that sent this was logged in to the account with its present password. */
export function isDeviceMark(
  vault: Pick<Vault, 'digest'>,
  account: MarkedAccount,
  mark: string,
): boolean {
  const [nonce = '', proof = ''] = mark.split('~', 2);
  const [right, given] = [Buffer.from(proofOf(vault, account, nonce)), Buffer.from(proof)];
  return right.length === given.length && timingSafeEqual(right, given);
}

function proofOf(
  vault: Pick<Vault, 'digest'>,
  { email, passwordChangedAt }: MarkedAccount,
  nonce: string,
): string {
  const password = passwordChangedAt?.getTime() ?? '';
  return vault.digest('known-device', `${email}\0${password}\0${nonce}`).toString('base64url');
}
