import { isPostgresError } from './postgres-error.ts';

/** SQLSTATEs of a database that takes no writes, and what a person has to know about it. */
const REASONS: Readonly<Record<string, string>> = {
  '53100': 'The disk of the database is full.',
  '58030': 'The disk of the database reports errors.',
  '25006': 'The database is read-only.',
};

/** Why the database takes no writes, in a sentence; null when the error does not say so. */
export function whyUnwritable(error: unknown): string | null {
  return isPostgresError(error) ? (REASONS[error.code] ?? null) : null;
}

/**
 * Whether the database takes writes, as far as a process has seen: a statement that failed for want
 * of disk, or because the database is read-only, says that it does not, until a trial write comes
 * through. It needs no write to know that.
 */
export class Writing {
  #trouble: string | null = null;

  /** Is told why a statement failed. */
  failed(error: unknown): void {
    this.#trouble = whyUnwritable(error) ?? this.#trouble;
  }

  /** A write that takes new space has come through. */
  succeeded(): void {
    this.#trouble = null;
  }

  /** Why it takes none, in a sentence; null when nothing says so. */
  trouble(): string | null {
    return this.#trouble;
  }
}
