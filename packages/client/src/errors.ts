import type { OperationId } from '@servery/contract';

/** What the platform says about a field of the request. */
export interface RefusedField {
  readonly code: number | null;
  /** Begins with the path of the field. */
  readonly message: string;
}

/** The details of an error response. */
export interface ErrorFacts {
  readonly operation: OperationId | null;
  readonly status: number;
  /** The code of the error, which `/errors/<code>` explains; null if it has none. */
  readonly code: number | null;
  /** What the platform says about single fields; empty if the message says everything. */
  readonly faults: readonly RefusedField[];
  /** Identifies this request, for the operators of the platform. */
  readonly requestId: string | null;
  /** The page that explains the error. */
  readonly link: string | null;
  /** How long to wait before you send the request again, if the platform says so. */
  readonly retryAfterMs: number | null;
}

/** The platform responded with an error. */
export class ErrorAnswer extends Error implements ErrorFacts {
  declare readonly operation: OperationId | null;
  declare readonly status: number;
  declare readonly code: number | null;
  declare readonly faults: readonly RefusedField[];
  declare readonly requestId: string | null;
  declare readonly link: string | null;
  declare readonly retryAfterMs: number | null;

  constructor(message: string, facts: ErrorFacts, options?: ErrorOptions) {
    super(message, options);
    Object.assign(this, facts);
  }
}

/** The platform refused the request, with a status from 400 to 499. */
export class Refused extends ErrorAnswer {
  override readonly name: string = 'Refused';
}

/** The platform failed, with a status of 500 or higher. */
export class PlatformFailed extends ErrorAnswer {
  override readonly name = 'PlatformFailed';
}

/** 401: the credentials or the token are wrong. */
export class Unauthenticated extends Refused {
  override readonly name = 'Unauthenticated';
}

/** 403: the account may not do this, or has no access to the restaurant. */
export class Forbidden extends Refused {
  override readonly name = 'Forbidden';
}

/** 404: it does not exist, or the account has no access to it. */
export class NotFound extends Refused {
  override readonly name = 'NotFound';
}

/** 409: the current state does not allow it. */
export class Conflict extends Refused {
  override readonly name = 'Conflict';
}

/** 429: a rate limit is reached. `retryAfterMs` says how long to wait. */
export class TooManyRequests extends Refused {
  override readonly name = 'TooManyRequests';
}

const byStatus: Readonly<Record<number, typeof Refused>> = {
  401: Unauthenticated,
  403: Forbidden,
  404: NotFound,
  409: Conflict,
  429: TooManyRequests,
};

/** The error for a response, by its status. */
export function errorAnswer(message: string, facts: ErrorFacts): ErrorAnswer {
  if (facts.status >= 500) return new PlatformFailed(message, facts);
  return new (byStatus[facts.status] ?? Refused)(message, facts);
}

/** No response came. The cause is what `fetch` threw. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  /** Whether the request may have changed something anyway. */
  readonly isOutcomeUnknown: boolean;

  constructor(message: string, isOutcomeUnknown: boolean, cause: unknown) {
    super(message, { cause });
    this.isOutcomeUnknown = isOutcomeUnknown;
  }
}

/** Why no response came: nothing arrived for that long. */
export class Silence extends Error {
  override readonly name = 'Silence';
  readonly durationMs: number;

  constructor(durationMs: number) {
    super(`Nothing arrived for ${durationMs / 1_000} seconds.`);
    this.durationMs = durationMs;
  }
}

/** What responded is not a Servery platform, for example a proxy. */
export class NotAPlatform extends Error {
  override readonly name = 'NotAPlatform';
  readonly status: number;
  /** True if the host may have a platform, but not at this path. */
  readonly isPathWrong: boolean;

  constructor(baseUrl: string, status: number, isPathWrong = false) {
    super(`What responds at ${baseUrl} is not a Servery platform (status ${status}).`);
    this.status = status;
    this.isPathWrong = isPathWrong;
  }
}

/** Something that you passed is wrong. Nothing was sent. */
export class InvalidInput extends Error {
  override readonly name = 'InvalidInput';
  /** The path of the field, for example `card.expYear`. */
  readonly field: string;

  constructor(field: string, problem: string) {
    super(`${field} ${problem}`);
    this.field = field;
  }
}
