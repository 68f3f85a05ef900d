import crypto, { createPrivateKey, createPublicKey, generatePrime } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { promisify } from 'node:util';

/**
 * Loaded before the product by tests. An RSA key is the product of two primes, and to find them for
 * some hundred keys is a twentieth of the work of a run. Here one of them is known, and some keys
 * share the other. Each key is as long as asked for, and no two are the same.
 */
const primes = JSON.parse(readFileSync(new URL('test-primes.json', import.meta.url), 'utf8'));
const EXPONENT = 65_537n;
const newPrime = promisify(generatePrime);
const makePair = promisify(crypto.generateKeyPair);
/** By their length: a prime that no other process has, and the known ones that it was not used with. */
const begun = new Map();

const generateKeyPair = crypto.generateKeyPair.bind(crypto);
generateKeyPair[promisify.custom] = async (type, options) => {
  const bits = options.modulusLength / 2;
  const known = type === 'rsa' ? primes[bits] : undefined;
  if (!known) return await makePair(type, options);
  if (!begun.get(bits)?.unused.length) begun.set(bits, { own: findOwn(bits), unused: [...known] });
  const { own, unused } = begun.get(bits);
  return pairOf(BigInt(`0x${unused.pop()}`), await own);
};
crypto.generateKeyPair = generateKeyPair;
syncBuiltinESMExports();

async function findOwn(bits) {
  const prime = await newPrime(bits, { bigint: true });
  return prime % EXPONENT === 1n ? await findOwn(bits) : prime;
}

function pairOf(p, q) {
  const d = inverse(EXPONENT, (p - 1n) * (q - 1n));
  const numbers = { n: p * q, e: EXPONENT, d, p, q };
  Object.assign(numbers, { dp: d % (p - 1n), dq: d % (q - 1n), qi: inverse(q, p) });
  const encoded = Object.entries(numbers).map(([name, number]) => [name, encode(number)]);
  const key = { kty: 'RSA', ...Object.fromEntries(encoded) };
  const privateKey = createPrivateKey({ format: 'jwk', key });
  return { privateKey, publicKey: createPublicKey(privateKey) };
}

/** By Euclid's algorithm. */
function inverse(number, modulus) {
  let [rest, next] = [modulus, number % modulus];
  let [factor, nextFactor] = [0n, 1n];
  while (next > 0n) {
    const quotient = rest / next;
    [rest, next] = [next, rest - quotient * next];
    [factor, nextFactor] = [nextFactor, factor - quotient * nextFactor];
  }
  return factor < 0n ? factor + modulus : factor;
}

function encode(number) {
  const digits = number.toString(16);
  const bytes = Buffer.from(digits.length % 2 ? `0${digits}` : digits, 'hex');
  return bytes.toString('base64url');
}
