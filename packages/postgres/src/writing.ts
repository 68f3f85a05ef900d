import { isPostgresError } from './postgres-error.ts';

const REASONS: Readonly<Record<string, string>> = {
  '53100': 'The disk of the database is full.',
  '58030': 'The disk of the database reports errors.',
  '25006': 'The database is read-only.',
};

/** Why the database accepts no writes, in a sentence; null if the error says nothing about that. */
export function whyUnwritable(error: unknown): string | null {
  return isPostgresError(error) ? (REASONS[error.code] ?? null) : null;
}

/**
 * Whether the database takes writes, as far as this process has seen. After a statement failed
 * because the disk is full or the database is read-only, it does not until a trial write succeeds.
 */
export class Writing {
  #trouble: string | null = null;

  failed(error: unknown): void {
    this.#trouble = whyUnwritable(error) ?? this.#trouble;
  }

  /** A write that takes new space has succeeded. */
  succeeded(): void {
    this.#trouble = null;
  }

  trouble(): string | null {
    return this.#trouble;
  }
}
