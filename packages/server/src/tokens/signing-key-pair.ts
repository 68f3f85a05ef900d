import { generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';

const MODULUS_BITS = 2048;
const generate = promisify(generateKeyPair);

export interface SigningKeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

/** Uses a thread for up to a quarter of a second. */
export async function makeSigningKeyPair(): Promise<SigningKeyPair> {
  return await generate('rsa', { modulusLength: MODULUS_BITS });
}
