/**
 * Why a webhook is refused:
 * - `missingHeader`: a header of the signature did not come, or was dropped on the way;
 * - `malformedHeader`: a header of the signature has another form;
 * - `malformedSecret`: what was given is no secret of a webhook;
 * - `bodyTruncated`: the body is empty or ends too early;
 * - `bodyReserialized`: the body is not the bytes that were sent, because something parsed it and
 *   wrote it again, or changed its characters;
 * - `headerChanged`: the branded signature proves that body and secret are right, so that a header
 *   which the other signature covers was changed;
 * - `wrongSecret`: no given secret made the signature of these bytes;
 * - `clock`: the signature is right, and the attempt is too old or from the future.
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
  /** Which of the given secrets made the signature, from 0: tells when an old one is not used. */
  readonly secretIndex: number;
}

/** A webhook that must not be believed. */
export interface Invalid {
  readonly isValid: false;
  readonly reason: VerifyFailure;
  /** What is wrong and what to do, in a sentence or two; holds no secret. */
  readonly explanation: string;
}

/** What a check of a signature comes to. */
export type Verdict = Valid | Invalid;

/** Makes a refusal. */
export function invalid(reason: VerifyFailure, explanation: string): Invalid {
  return { isValid: false, reason, explanation };
}
