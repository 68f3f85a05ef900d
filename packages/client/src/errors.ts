import type { OperationId } from '@servery/contract';

/** What the platform says of a field of the request. */
export interface RefusedField {
  readonly code: number | null;
  /** Begins with the place of the field. */
  readonly message: string;
}

/** What an answer that is an error says of itself. */
export interface ErrorFacts {
  readonly operation: OperationId | null;
  readonly status: number;
  /** The class of the error, which the platform explains at `/errors/<code>`; null for none. */
  readonly code: number | null;
  /** What the platform says of single fields; empty when its message says all. */
  readonly faults: readonly RefusedField[];
  /** Names this request to the operators of the platform. */
  readonly requestId: string | null;
  /** The page that explains the class of the error. */
  readonly link: string | null;
  /** How long to wait before the request is sent again, if the platform says so. */
  readonly retryAfterMs: number | null;
}

/** The platform answered with an error. */
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

/** The platform refused a request with a status from 400 to 499. */
export class Refused extends ErrorAnswer {
  override readonly name: string = 'Refused';
}

/** The platform failed with a status from 500. */
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

/** 404: it does not exist, or is out of reach. */
export class NotFound extends Refused {
  override readonly name = 'NotFound';
}

/** 409: the state of something does not allow it. */
export class Conflict extends Refused {
  override readonly name = 'Conflict';
}

/** 429: a limit is reached. `retryAfterMs` says until when. */
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

/** The error of an answer, by its status. */
export function errorAnswer(message: string, facts: ErrorFacts): ErrorAnswer {
  if (facts.status >= 500) return new PlatformFailed(message, facts);
  return new (byStatus[facts.status] ?? Refused)(message, facts);
}

/** No answer came. The cause is what `fetch` threw. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  /** Whether the request may have changed something all the same. */
  readonly isOutcomeUnknown: boolean;

  constructor(message: string, isOutcomeUnknown: boolean, cause: unknown) {
    super(message, { cause });
    this.isOutcomeUnknown = isOutcomeUnknown;
  }
}

/** Why no answer came: nothing arrived for that long. */
export class Silence extends Error {
  override readonly name = 'Silence';
  readonly durationMs: number;

  constructor(durationMs: number) {
    super(`Nothing arrived for ${durationMs / 1_000} seconds.`);
    this.durationMs = durationMs;
  }
}

/** Something answered that is not a platform. */
export class NotAPlatform extends Error {
  override readonly name = 'NotAPlatform';
  readonly status: number;
  /** True when the host may have a platform, but not below the path of the address. */
  readonly isPathWrong: boolean;

  constructor(baseUrl: string, status: number, isPathWrong = false) {
    super(`What answers at ${baseUrl} is not a platform (status ${status}).`);
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
