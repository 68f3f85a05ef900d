import { createHmac, randomBytes } from 'node:crypto';

const STEP_SECONDS = 30;
const DIGITS = 6;
const SECRET_BYTES = 20;
/** A telephone's clock may be half a minute off: the step before and after are accepted too. */
const STEPS_AROUND = 1;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** A new secret for an authenticator app (RFC 4226 asks for 160 bits). */
export function newTotpSecret(): Buffer {
  return randomBytes(SECRET_BYTES);
}

/** The secret as a person types it into an app (RFC 4648, base32 without padding). */
export function base32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += BASE32[(value >>> bits) & 31];
    }
    value &= (1 << bits) - 1;
  }
  return bits > 0 ? text + BASE32[(value << (5 - bits)) & 31] : text;
}

/** The address that an app reads from a QR code. */
export function totpUri(secret: Uint8Array, issuer: string, email: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(email)}`;
  const parameters = new URLSearchParams({ secret: base32(secret), issuer });
  return `otpauth://totp/${label}?${parameters}`;
}

/** The code of a time step (RFC 6238 with HMAC-SHA-1, which is what apps know). */
export function totpCode(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

/**
 * The time step that a code is for, or null when it is none of now. Steps up to `lastStep` are
 * refused: a code counts once, also for somebody who looked over a shoulder.
 */
export function acceptedStep(
  secret: Uint8Array,
  code: string,
  { nowMs, lastStep }: { readonly nowMs: number; readonly lastStep: number | null },
): number | null {
  const digits = code.replaceAll(/\s/g, '');
  const present = Math.floor(nowMs / 1_000 / STEP_SECONDS);
  for (let step = present - STEPS_AROUND; step <= present + STEPS_AROUND; step += 1) {
    const isUsed = lastStep !== null && step <= lastStep;
    if (!isUsed && totpCode(secret, step) === digits) return step;
  }
  return null;
}
