import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';

const MODULUS_BITS = 2048;
const generate = promisify(generateKeyPair);

/** Uses a thread for up to a quarter of a second. */
export function makeSigningKeyPair() {
  return generate('rsa', { modulusLength: MODULUS_BITS });
}
