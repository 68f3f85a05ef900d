import { hash, verify } from '@node-rs/argon2';

/** Argon2id by RFC 9106, with the costs that OWASP recommends for a server that does other work. */
const COSTS = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

const SHORTEST = 12;
const LONGEST = 200;
const DISTINCT_AT_LEAST = 5;
/** A shorter name stands in many words by chance. */
const NAME_AT_LEAST = 3;

/** A hash that no password has: an unknown person costs the same time as a known one. */
let nobodysHash: Promise<string> | undefined;

/** The same text for the same password, however the keyboard composed its letters. */
function normalized(password: string): string {
  return password.normalize('NFKC');
}

/** Hashes a password for storage: argon2id in PHC form, with a salt of its own. */
export function hashPassword(password: string): Promise<string> {
  return hash(normalized(password), COSTS);
}

/**
 * Whether the password is the one behind the hash. Takes as long for null, which stands for a
 * person who is unknown or has no password yet.
 */
export async function isPassword(passwordHash: string | null, password: string): Promise<boolean> {
  nobodysHash ??= hashPassword('nobody has this one');
  const isRight = await verify(passwordHash ?? (await nobodysHash), normalized(password));
  return isRight && passwordHash !== null;
}

/**
 * What is wrong with a new password, in words that go on after its name; null when it may be used.
 * `email` is empty where the address is not known yet.
 */
export function passwordFault(password: string, email: string): string | null {
  const letters = [...normalized(password)];
  if (letters.length < SHORTEST || letters.length > LONGEST) {
    return `must have ${SHORTEST} to ${LONGEST} characters`;
  }
  if (new Set(letters).size < DISTINCT_AT_LEAST) {
    return `must have at least ${DISTINCT_AT_LEAST} different characters`;
  }
  const [name = ''] = email.split('@');
  const isEmail = name.length >= NAME_AT_LEAST && normalized(password).toLowerCase().includes(name);
  return isEmail ? 'must not contain the name in the e-mail address' : null;
}
