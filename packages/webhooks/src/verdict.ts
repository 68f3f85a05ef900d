/**
 * Why a webhook is refused:
 * - `missingHeader`: a header of the signature is missing;
 * - `malformedHeader`: a header of the signature is malformed;
 * - `malformedSecret`: what you passed is not a webhook secret;
 * - `bodyTruncated`: the body is empty or ends too early;
 * - `bodyReserialized`: the body is not the bytes that were sent, because something parsed it and
 *   wrote it again, or changed its characters;
 * - `headerChanged`: the branded signature proves that the body and the secret are right, so a
 *   header that the other signature covers was changed;
 * - `wrongSecret`: the signature of these bytes was not made with any of the secrets;
 * - `clock`: the signature is right, but the attempt is too old or from the future.
 */
export type VerifyFailure =
  | 'missingHeader'
  | 'malformedHeader'
  | 'malformedSecret'
  | 'bodyTruncated'
  | 'bodyReserialized'
  | 'headerChanged'
  | 'wrongSecret'
  | 'clock';

/** A webhook whose signature is right. */
export interface Valid {
  readonly isValid: true;
  /** The index of the secret that made the signature: shows when an old one is no longer used. */
  readonly secretIndex: number;
}

/** A webhook that you must not trust. */
export interface Invalid {
  readonly isValid: false;
  readonly reason: VerifyFailure;
  /** What is wrong and what to do, in a sentence or two; holds no secret. */
  readonly explanation: string;
}

/** The result of checking a signature. */
export type Verdict = Valid | Invalid;

/** Makes a refusal. */
export function invalid(reason: VerifyFailure, explanation: string): Invalid {
  return { isValid: false, reason, explanation };
}
