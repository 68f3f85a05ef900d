export type AnswerEnd = 'whole' | 'capped' | 'late' | 'broken';

export interface Answered {
  readonly kind: 'answered';
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

/**
 * `notConnected`: refused or unreachable. `connectionBroken`: ended after the request began and
 * before a status. `stopped`: the process stops. `connectTimeout` covers name, connection and TLS.
 */
export type FailureKind =
  | 'blocked'
  | 'nameNotFound'
  | 'connectTimeout'
  | 'notConnected'
  | 'certificate'
  | 'answerTimeout'
  | 'connectionBroken'
  | 'notHttp'
  | 'stopped';

export interface NotAnswered {
  readonly kind: FailureKind;
  readonly explanation: string;
  readonly address: string | null;
  readonly durationMs: number;
}

export type Outcome = Answered | NotAnswered;
