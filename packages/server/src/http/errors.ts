import type { ErrorClass, OAuthError } from '@servery/contract';
import type { RefusalNotes } from './notes.ts';

export interface Fault {
  readonly where: string;
  readonly message: string;
  /** Default: that of the error. */
  readonly errorClass?: ErrorClass;
}

/** What a browser shows of an error: words for people, without commands. */
export interface ErrorWords {
  readonly title: string;
  readonly text: string;
}

export interface ApiErrorOptions {
  readonly faults?: readonly Fault[];
  /** Never a secret, never an internal trace. */
  readonly developerMessage?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly oauthCode?: OAuthError['error'];
  /** For errors that people meet in their browser: programs get the message. */
  readonly words?: ErrorWords;
  /** For the log only. */
  readonly cause?: unknown;
  /** For the explanation in the log of requests only. */
  readonly notes?: RefusalNotes;
}

/**
 * A refusal with a public text, thrown by domain code and rendered by `http` (API-1, API-2). The
 * message says what was wrong, where, and what to do (API-4).
 */
export class ApiError extends Error {
  readonly errorClass: ErrorClass;
  readonly faults: readonly Fault[];
  readonly developerMessage: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly oauthCode: OAuthError['error'] | null;
  readonly notes: RefusalNotes | null;
  readonly words: ErrorWords | null;

  constructor(errorClass: ErrorClass, message: string, options: ApiErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = 'ApiError';
    this.errorClass = errorClass;
    this.faults = options.faults ?? [];
    this.developerMessage = options.developerMessage ?? null;
    this.headers = options.headers ?? {};
    this.oauthCode = options.oauthCode ?? null;
    this.notes = options.notes ?? null;
    this.words = options.words ?? null;
  }
}
