import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Vault } from '@servery/support/secret.ts';

const NONCE_BYTES = 9;

export interface MarkedAccount {
  readonly email: string;
  readonly passwordChangedAt: Date | null;
  readonly totpConfirmedAt: Date | null;
}

/**
 * Opens nothing; it shows that this browser logged in to the account before, so that the owner's
 * attempts count apart from a stranger's at the same address. Valid only for the current password
 * and app, so that a thief's older marks stop working. Keeps `present` when it fits.
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
 * Attempts count by device, so one mark must name one device, however it is spelled. Null for
 * another account's mark.
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
