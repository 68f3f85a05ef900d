/** How an answer ended: all of it came, it was cut at the cap, time ran out, or it broke off. */
export type AnswerEnd = 'whole' | 'capped' | 'late' | 'broken';

/** What a receiver answered: any final status, so that 2xx is told apart by whoever asks. */
export interface Answered {
  readonly kind: 'answered';
  readonly status: number;
  /** The first 64 KiB of the body as UTF-8, without characters that PostgreSQL cannot keep. */
  readonly text: string;
  readonly end: AnswerEnd;
  /** The header as it came, at most 200 characters; null when there is none. */
  readonly retryAfter: string | null;
  /** Where a redirection leads, at most 500 characters. It is told and never followed. */
  readonly location: string | null;
  /** The address that was checked and connected to. */
  readonly address: string;
  /** From the call to the end of the answer, on the machine's clock. */
  readonly durationMs: number;
}

/**
 * Why there is no answer:
 * - `blocked`: the target is refused by the rules, so that nothing was opened;
 * - `nameNotFound`: its name has no address, or no name server answered;
 * - `connectTimeout`: name, connection and TLS together took longer than allowed;
 * - `notConnected`: the connection was refused, or no way leads there;
 * - `certificate`: TLS failed, most often because the certificate is not valid for the name;
 * - `answerTimeout`: no status within the time for the answer;
 * - `connectionBroken`: the connection ended after the request began and before a status came;
 * - `notHttp`: what came is no HTTP answer;
 * - `stopped`: all connections were ended, because the process stops.
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

/** A post that got no status. */
export interface NotAnswered {
  readonly kind: FailureKind;
  /** What happened, in words of this program and the code of the error; one sentence. */
  readonly explanation: string;
  /** The address that was connected to; null when none was. */
  readonly address: string | null;
  /** From the call to the failure, on the machine's clock. */
  readonly durationMs: number;
}

/** What came of one post. */
export type Outcome = Answered | NotAnswered;
