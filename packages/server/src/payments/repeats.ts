import { timingSafeEqual } from 'node:crypto';
import { ApiError } from '../http/errors.ts';
import { wireState } from './lifecycle.ts';
import type { PaymentRow } from './store.ts';

/** The switch `payments.repeat`: answer an identical repeat again, or refuse every one. */
export type RepeatMode = 'replay' | 'conflict';

/** What tells whether a request repeats the payment that was found. */
export interface RepeatFacts {
  readonly clientId: string;
  readonly contentDigest: Buffer;
  readonly mode: RepeatMode;
}

/**
 * The rules for a PUT whose paymentUuid was used before (P7): `show` the payment as it is, or have
 * it authorized `again`, because the earlier attempt surely had no effect. Throws ApiError
 * `conflict` for another client, for other content, for a payment that somebody changed since, and,
 * in the mode `conflict`, for every repeat of a payment that was tried.
 */
export function judgeRepeat(payment: PaymentRow, facts: RepeatFacts): 'show' | 'again' {
  // Another client learns only that the identifier is taken.
  if (payment.clientId !== facts.clientId) throw taken();
  if (!timingSafeEqual(payment.contentDigest, facts.contentDigest)) {
    throw new ApiError(
      'conflict',
      'This paymentUuid was used for a payment with other content. ' +
        'Repeat a payment unchanged, or generate a new paymentUuid.',
    );
  }
  if (payment.state === 'ABORTED') return 'again';
  if (facts.mode === 'conflict') throw taken();
  if (wireState(payment) === null) throw changedSince();
  return 'show';
}

/** The refusal of a repeat whose payment another system changed, such as by a void (P7). */
export function changedSince(): ApiError {
  return new ApiError(
    'conflict',
    'This payment was changed since by another system, for example voided or captured on the ' +
      'point of sale. For a new payment generate a new paymentUuid.',
  );
}

function taken(): ApiError {
  return new ApiError(
    'conflict',
    'This paymentUuid was used before. Generate a unique one for each payment.',
  );
}
