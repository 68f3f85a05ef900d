import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { inspect } from 'node:util';

const REDACTED = '[secret]';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A value that must not be seen: its string, JSON and inspection are redacted (rule 9). */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The secret itself, for the one place that needs it. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return REDACTED;
  }

  toJSON(): string {
    return REDACTED;
  }

  [inspect.custom](): string {
    return REDACTED;
  }
}

/** What the master key is used for. Every purpose has a key of its own, derived from it. */
export interface Vault {
  /** The identity of the environment, which other environments with this master key don't share. */
  readonly environment: string;
  /**
   * Encrypts for storage (AES-256-GCM). `context` names the row that it belongs to: a sealed value
   * that was copied to another row does not open there.
   */
  seal(plaintext: Buffer, context: string): Buffer;
  /** Opens what `seal` made; throws when the bytes, the context or the master key differ. */
  open(sealed: Buffer, context: string): Buffer;
  /** A keyed digest (HMAC-SHA-256, 32 bytes): equal input is recognised, nothing can be guessed. */
  digest(purpose: string, data: string | Buffer): Buffer;
}

/** Makes the vault of a master key of 32 bytes, which lives outside the database. */
export function createVault(masterKey: Buffer, environment = ''): Vault {
  if (masterKey.length !== 32) {
    throw new Error(`the master key has ${masterKey.length} bytes, 32 are needed`);
  }
  const derive = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', masterKey, 'servery', purpose, 32));
  const sealKey = derive('seal');
  const digestKeys = new Map<string, Buffer>();
  const digestKey = (purpose: string) => {
    const known = digestKeys.get(purpose);
    if (known) return known;
    const key = derive(`digest:${purpose}`);
    digestKeys.set(purpose, key);
    return key;
  };
  return {
    environment,
    seal(plaintext, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', sealKey, nonce);
      cipher.setAAD(Buffer.from(context));
      return Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
    },
    open(sealed, context) {
      const tagAt = sealed.length - TAG_BYTES;
      const decipher = createDecipheriv('aes-256-gcm', sealKey, sealed.subarray(0, NONCE_BYTES));
      decipher.setAAD(Buffer.from(context));
      decipher.setAuthTag(sealed.subarray(tagAt));
      try {
        const text = decipher.update(sealed.subarray(NONCE_BYTES, tagAt));
        return Buffer.concat([text, decipher.final()]);
      } catch (cause) {
        throw new Error(
          'What the database holds sealed does not open: the master key is not the one that ' +
            'sealed it. Put it back (SERVERY_MASTER_KEY, or master.key in the data folder).',
          { cause },
        );
      }
    },
    digest: (purpose, data) => createHmac('sha256', digestKey(purpose)).update(data).digest(),
  };
}
