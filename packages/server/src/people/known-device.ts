import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Vault } from '@servery/support/secret.ts';

const NONCE_BYTES = 9;

/** The account that a browser was logged in to, with what opened it then. */
export interface MarkedAccount {
  /** In lower case. */
  readonly email: string;
  /** Null before the first password. */
  readonly passwordChangedAt: Date | null;
  /** Null without an authenticator app. */
  readonly totpConfirmedAt: Date | null;
}

/**
 * What a browser keeps from a log-in: it opens nothing, and says that this account was logged in
 * to from here. While somebody guesses at the account from the same address, its owner is counted
 * apart. It is for the present password and the present authenticator app: marks that a thief
 * gathered before either was changed count no more. `present` is what the browser has, which is
 * kept where it fits the account.
 */
export function deviceMark(
  vault: Pick<Vault, 'digest'>,
  account: MarkedAccount,
  present: string | null,
): string {
  if (present !== null && deviceOf(vault, account, present) !== null) return present;
  const nonce = randomBytes(NONCE_BYTES).toString('base64url');
  return `${nonce}~${proofOf(vault, account, nonce)}`;
}

/**
 * The device that a mark of this account names; null for a mark of something else. One mark names
 * one device, however it is written: attempts are counted by it.
 */
export function deviceOf(
  vault: Pick<Vault, 'digest'>,
  account: MarkedAccount,
  mark: string,
): string | null {
  const [nonce = '', proof = '', ...rest] = mark.split('~');
  if (rest.length > 0) return null;
  const [right, given] = [Buffer.from(proofOf(vault, account, nonce)), Buffer.from(proof)];
  return right.length === given.length && timingSafeEqual(right, given) ? nonce : null;
}

function proofOf(
  vault: Pick<Vault, 'digest'>,
  { email, passwordChangedAt, totpConfirmedAt }: MarkedAccount,
  nonce: string,
): string {
  const password = passwordChangedAt?.getTime() ?? '';
  const app = totpConfirmedAt?.getTime() ?? '';
  const marked = `${email}\0${password}\0${app}\0${nonce}`;
  return vault.digest('known-device', marked).toString('base64url');
}
