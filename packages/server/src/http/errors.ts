import type { ErrorClass, OAuthError } from '@servery/contract';

/** One faulty place in a request, for the nested `errors[]` of an ErrorMessage (decisions STK-5). */
export interface Fault {
  /** Where: a property path such as `[3].quantity` or `requestMetadata.cardFirst6`. */
  readonly where: string;
  /** What was wrong and what to do, in one sentence. */
  readonly message: string;
}

/** What an ApiError may carry beside its class and its public text. */
export interface ApiErrorOptions {
  readonly faults?: readonly Fault[];
  /** More detail for the developer of the caller; never a secret, never an internal trace. */
  readonly developerMessage?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The code of RFC 6749, for its endpoints. */
  readonly oauthCode?: OAuthError['error'];
  /** The internal cause, for the log only. */
  readonly cause?: unknown;
}

/**
 * A refusal with a public text. Domain code throws it; `http` renders it in the error shape of the
 * interface that was called (decisions API-1) with the status and code of its class (API-2). The message
 * says what was wrong, where, and what to do (API-4).
 */
export class ApiError extends Error {
  readonly errorClass: ErrorClass;
  readonly faults: readonly Fault[];
  readonly developerMessage: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly oauthCode: OAuthError['error'] | null;

  constructor(errorClass: ErrorClass, message: string, options: ApiErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = 'ApiError';
    this.errorClass = errorClass;
    this.faults = options.faults ?? [];
    this.developerMessage = options.developerMessage ?? null;
    this.headers = options.headers ?? {};
    this.oauthCode = options.oauthCode ?? null;
  }
}
