import type { webhookOutcomes } from '@servery/contract';

type AttemptOutcome = (typeof webhookOutcomes)[number];

export type AnswerEnd = 'whole' | 'capped' | 'late' | 'broken';

export interface Answered {
  readonly kind: 'ANSWERED';
  readonly status: number;
  /** The first 64 KiB, without characters that PostgreSQL cannot store. */
  readonly text: string;
  readonly end: AnswerEnd;
  /** At most 200 characters. */
  readonly retryAfter: string | null;
  /** At most 500 characters; shown and never followed. */
  readonly location: string | null;
  readonly address: string;
  readonly durationMs: number;
}

/** `STOPPED`: the process stops, which says nothing about the receiver. */
export type FailureKind = Exclude<AttemptOutcome, 'DELIVERED' | 'REDIRECT' | 'STATUS'> | 'STOPPED';

export interface NotAnswered {
  readonly kind: FailureKind;
  readonly explanation: string;
  readonly address: string | null;
  readonly durationMs: number;
}

export type Outcome = Answered | NotAnswered;

/** Its text goes to the partner. */
export class DialFailed extends Error {
  readonly kind: FailureKind;

  constructor(kind: FailureKind, explanation: string) {
    super(explanation);
    this.kind = kind;
  }
}

/** Never the error's text, which may quote the receiver. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? error.name) : '';
  return /^[A-Za-z][A-Za-z_]{1,60}\d{0,2}$/.test(code) ? code : 'Error';
}
