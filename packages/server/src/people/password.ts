import { hash, verify } from '@node-rs/argon2';

/** RFC 9106, with OWASP's costs for a server that does other work too. */
const COSTS = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** The least that there is. */
const RANDOM_COSTS = { ...COSTS, memoryCost: 8, timeCost: 1 } as const;

const SHORTEST = 12;
const LONGEST = 200;
const DISTINCT_AT_LEAST = 5;
/** Shorter names occur in many words by chance. */
const NAME_AT_LEAST = 3;

/** Matches no password; makes an unknown person cost the same time as a known one. */
let nobodysHash: Promise<string> | undefined;

/** Keyboards compose the same letters differently. */
function normalized(password: string): string {
  return password.normalize('NFKC');
}

export function hashPassword(password: string): Promise<string> {
  return hash(normalized(password), COSTS);
}

/** For one of at least 128 random bits: nobody can try so many, however little each try costs. */
export function hashRandomPassword(password: string): Promise<string> {
  return hash(normalized(password), RANDOM_COSTS);
}

/** Null (no person or no password yet) takes the same time. */
export async function isPassword(passwordHash: string | null, password: string): Promise<boolean> {
  nobodysHash ??= hashPassword('nobody has this one');
  const isRight = await verify(passwordHash ?? (await nobodysHash), normalized(password));
  return isRight && passwordHash !== null;
}

/**
 * Words that continue the field's name; null when the password is fine. `email` is empty when not
 * known yet.
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
  return isEmail ? 'must not contain the name in the email address' : null;
}
