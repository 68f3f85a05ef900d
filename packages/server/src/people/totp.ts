import { createHmac, randomBytes } from 'node:crypto';

const STEP_SECONDS = 30;
const DIGITS = 6;
const SECRET_BYTES = 20;
/** Phone clocks can be half a minute off. */
const STEPS_AROUND = 1;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** RFC 4226 asks for 160 bits. */
export function newTotpSecret(): Buffer {
  return randomBytes(SECRET_BYTES);
}

/** RFC 4648, without padding. */
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

export function totpUri(secret: Uint8Array, issuer: string, email: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(email)}`;
  const parameters = new URLSearchParams({ secret: base32(secret), issuer });
  return `otpauth://totp/${label}?${parameters}`;
}

export function totpCode(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

/**
 * Null when it is not current. Refuses steps up to `lastStep`: a code works once, even for somebody
 * who saw it.
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
