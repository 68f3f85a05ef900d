import {
  authorizationKey,
  type NotProcessed,
  type ProcessorAnswer,
} from '@servery/card-simulator/messages.ts';
import { mayComeThrough } from '@servery/postgres/away.ts';
import type { Vault } from '@servery/support/secret.ts';
import { LATE, within } from '@servery/support/timer.ts';
import { ApiError } from '../../http/errors.ts';
import type { Principal, RequestFor, RestaurantContext } from '../../http/operation.ts';
import { mayHoldNumber } from '../../text/sent-number.ts';
import { holdsNumber } from '../../text/spelled-number.ts';
import { type CardData, CardDataFault, checkClaims, readCardData } from '../cards/card-data.ts';
import { openWithAnyOf } from '../cards/card-envelope.ts';
import type { CardKeyring } from '../cards/keyring.ts';
import { describeTestCard } from '../cards/test-cards.ts';
import { updateNotFoundDue } from '../life/attempt-store.ts';
import { denialFor } from '../life/denials.ts';
import { newLease, SETTLE_MARGIN_MS } from '../life/lease.ts';
import { makeMove, moveFor, type PaymentMove } from '../life/outcome.ts';
import { type OutcomeDeps, recordMove, recordOutcome } from '../life/record.ts';
import { findPayment, type PaymentRow } from '../life/store.ts';
import { authorizedMinor } from '../life/tip.ts';
import { callWithDeadline } from '../processors/deadline.ts';
import type { Processor } from '../processors/processor.ts';
import {
  type AuthorizationRequest,
  readAuthorization,
  refuseAuthorization,
} from './authorization-request.ts';
import { type Intent, makeIntent, refuseIntent } from './intent.ts';
import { recordIntent } from './record-intent.ts';
import { judgeRepeat, type RepeatMode } from './repeats.ts';
import { assessRisk } from './risk.ts';
import type { UnderWay } from './under-way.ts';
import { countPayment } from './velocity.ts';
import type { VelocityLimits } from './velocity-limits.ts';

export interface AuthorizeDeps extends OutcomeDeps {
  readonly vault: Vault;
  readonly keyring: CardKeyring;
  readonly processor: Processor;
  readonly underWay: UnderWay;
  readonly kind: 'sandbox' | 'production';
  readonly repeat: RepeatMode;
  readonly velocityLimits?: VelocityLimits | null;
}

export interface AuthorizeInput
  extends Pick<
    RequestFor<'creditCards.authorize'>,
    'body' | 'faults' | 'keep' | 'note' | 'waitedMs'
  > {
  readonly principal: Pick<Principal, 'clientId' | 'holdsLegacyCardKey'>;
  readonly restaurant: Pick<RestaurantContext, 'guid' | 'currencyCode'>;
  /** In lower case (PAY-9). */
  readonly paymentUuid: string;
  /** What else the client sent and logs may keep, for example headers. */
  readonly besides: unknown;
}

export const PROCESSOR_DEADLINE_MS = 15_000;

/** Callers get an answer within 25 s; one second is for the network. */
export const ANSWER_LIMIT_MS = 24_000;

/** An operator has to configure a processor and restart the server first. */
const ABSENT_RETRY_SECONDS = 600;

interface Progress {
  recorded: PaymentRow | null;
  /** The caller was told that nothing was recorded, so the processor must not be asked anymore. */
  isRefused: boolean;
  readonly note: AuthorizeInput['note'];
}

/**
 * Authorizes a card payment or answers its repeat (PAY-5 to PAY-8). The returned state is durable
 * (PAY-I2). If the outcome takes too long, the caller sees ACKNOWLEDGED and the work continues.
 * Throws ApiError `badRequest`, `unprocessable` and `conflict`; `internal` when nothing was
 * processed and the caller may repeat; `unavailable` when the payment wasn't recorded, its outcome
 * can't be read, or no processor is configured.
 */
export async function authorize(deps: AuthorizeDeps, input: AuthorizeInput): Promise<PaymentRow> {
  const progress: Progress = { recorded: null, isRefused: false, note: input.note };
  const work = authorizeToTheEnd(deps, input, progress);
  deps.underWay.add(work);
  const answer = await within(work, ANSWER_LIMIT_MS - input.waitedMs, deps.timer);
  const told = answer === LATE ? progress.recorded : answer;
  if (told) input.note({ payment: { state: told.state } });
  if (answer !== LATE) return answer;
  // The caller gets an answer now, so only the log can report a failure.
  work.catch((error: unknown) => {
    deps.log.error(
      { err: error, merchantGuid: input.restaurant.guid, paymentUuid: input.paymentUuid },
      'a payment failed after its caller had been answered',
    );
  });
  if (progress.recorded) return progress.recorded;
  progress.isRefused = true;
  throw new ApiError(
    'unavailable',
    'The payment could not be recorded in time. Repeat the request with the same paymentUuid in ' +
      'a few seconds: it is not carried out twice.',
  );
}

async function authorizeToTheEnd(
  deps: AuthorizeDeps,
  input: AuthorizeInput,
  progress: Progress,
): Promise<PaymentRow> {
  const { principal, restaurant } = input;
  const nowMs = deps.clock.nowMs();
  const rules = {
    currencyCode: restaurant.currencyCode,
    kind: deps.kind,
    nowMs,
    mayOmitKeyId: principal.holdsLegacyCardKey,
  };
  const request = readAuthorization(input.body, rules, input.faults);
  const card = await openCard(deps, input, request, nowMs);
  if (deps.kind === 'sandbox') input.note({ payment: { testCard: describeTestCard(card) } });
  keepNumberOut(deps, input, request, card);
  const { clientId } = principal;
  const key = { merchantGuid: restaurant.guid, paymentUuid: input.paymentUuid };
  // Lease and deadlines start now: earlier work doesn't use up their time.
  const lease = newLease(deps.realClock.nowMs());
  const facts = { key, clientId, request, card, nowMs: deps.clock.nowMs(), lease };
  const made = makeIntent(deps.vault, facts);
  if (deps.processor.isAbsent) return await orUnrecorded(showKnown(deps, made));
  const refusal = assessRisk(request.guest) ?? (await orUnrecorded(countPayment(deps, facts)));
  const intent = refusal ? refuseIntent(made, refusal) : made;
  let { isOurs, payment } = await orUnrecorded(recordIntent(deps, intent));
  if (isOurs && refusal) {
    input.note({ payment: { deniedBy: refusal.rule, limit: refusal.limit } });
  }
  if (!isOurs) {
    const known = judgeRepeat(deps.database, payment, { intent, mode: deps.repeat });
    if ((await orUnrecorded(known)) === 'show') {
      input.note({ isRepeat: true });
      return payment;
    }
    // Time has passed since the intent, so the attempt and its lease start now.
    const move = nextAttempt(deps, payment);
    ({ isOurs, payment } = await orUnrecorded(recordMove(deps, payment, move)));
  }
  progress.recorded = payment;
  if (isOurs && payment.state === 'PENDING') {
    payment = await askProcessor(deps, payment, request, card, progress);
  }
  if (payment.state === 'ABORTED') {
    throw new ApiError(
      'internal',
      'The payment was not processed and no funds are held. ' +
        'It is safe to repeat the request with the same paymentUuid.',
      { notes: { rule: 'PAY-7' } },
    );
  }
  return payment;
}

/** Shows a known payment to its repeat (PAY-7). Throws ApiError `unavailable` and `conflict`. */
async function showKnown(deps: AuthorizeDeps, intent: Intent): Promise<PaymentRow> {
  const payment = await findPayment(deps.database.sql, intent.payment);
  if (payment) {
    const repeat = await judgeRepeat(deps.database, payment, { intent, mode: deps.repeat });
    if (repeat === 'show') return payment;
  }
  throw new ApiError(
    'unavailable',
    'No card processor is configured on this platform: the payment was not processed and no ' +
      'funds are held. Repeating it does not help until the operator sets a processor.',
    { headers: { 'retry-after': String(ABSENT_RETRY_SECONDS) } },
  );
}

/**
 * The caller must repeat the same request: a new paymentUuid could hold the money twice. The error
 * says nothing about money, because the payment may have been authorized long ago.
 */
async function orUnrecorded<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!mayComeThrough(error)) throw error;
    throw new ApiError(
      'unavailable',
      'The database did not confirm the payment in time. Repeat the request with the ' +
        'same paymentUuid in a few seconds: it is not carried out twice.',
      { cause: error },
    );
  }
}

/** Every failure is the same 422 (PAY-5). */
async function openCard(
  deps: AuthorizeDeps,
  { principal: { clientId }, note }: AuthorizeInput,
  request: AuthorizationRequest,
  nowMs: number,
): Promise<CardData> {
  const { cardNumberOrigin, cardFirst6, cardLast4, guest } = request;
  try {
    const keys = await deps.keyring.list(clientId, request.keyId, nowMs);
    const plainBytes = await openWithAnyOf(keys, request.encryptedCardData);
    const rules = { cardNumberOrigin, checksFormats: deps.kind === 'production' };
    const card = readCardData(plainBytes, rules);
    checkClaims(card, { cardFirst6, cardLast4, ...guest.billingAddress });
    return card;
  } catch (error) {
    if (!(error instanceof CardDataFault)) throw error;
    const text =
      deps.kind === 'sandbox'
        ? `The card data was refused: ${error.message}.`
        : 'The card data could not be verified.';
    const faults = [{ where: 'encryptedCardData', message: error.message }];
    note({ payment: { cardProblem: error.message } });
    throw new ApiError('unprocessable', text, { faults, notes: { rule: 'PAY-5' } });
  }
}

/**
 * Logs keep nothing from a request that repeats its card number (PAY-14). The request is refused
 * when the number is in a field that has to be stored unchanged.
 */
function keepNumberOut(
  { kind }: AuthorizeDeps,
  { paymentUuid, body, faults, besides, keep }: AuthorizeInput,
  { localTransactionDate }: AuthorizationRequest,
  card: CardData,
): void {
  const { cardNumber } = card.reveal();
  const isSent = mayHoldNumber([paymentUuid, body, besides], cardNumber);
  keep(isSent ? 'nothing' : 'all');
  if (!isSent) return;
  const message = 'must not hold the number of the card';
  if (holdsNumber(paymentUuid, cardNumber)) faults.add(['paymentUuid'], message);
  if (holdsNumber(localTransactionDate, cardNumber)) {
    faults.add(['requestMetadata', 'localTransactionDate'], message);
  }
  refuseAuthorization(faults, kind);
}

/** Holds no database connection during the call. */
async function askProcessor(
  deps: AuthorizeDeps,
  payment: PaymentRow,
  request: AuthorizationRequest,
  card: CardData,
  progress: Progress,
): Promise<PaymentRow> {
  const { paymentId, attempt, merchantGuid, paymentUuid } = payment;
  const order = {
    key: authorizationKey(paymentId, attempt),
    paymentId,
    merchantGuid,
    amountMinor: authorizedMinor(payment),
    currencyCode: payment.currencyCode,
    card,
    cardNumberOrigin: request.cardNumberOrigin,
    willSaveCard: request.willSaveCard,
  };
  // A caller who was told that nothing was recorded may pay another way, so don't hold money.
  const answer =
    !progress.isRefused && isInTime(deps, payment)
      ? await callWithDeadline(deps.timer, PROCESSOR_DEADLINE_MS, (signal) =>
          deps.processor.authorize(order, signal),
        )
      : notAsked;
  progress.note({
    payment: {
      processor: {
        outcome: answer.outcome,
        responseCode: answer.outcome === 'declined' ? answer.responseCode : null,
        meaning: answer.outcome === 'declined' ? denialFor(answer.responseCode).staffText : null,
        isSent: answer.outcome !== 'notProcessed' || answer.isUnsent !== true,
      },
    },
  });
  if (answer.outcome === 'unknown') {
    const { explanation } = answer;
    deps.log.warn(
      { merchantGuid, paymentUuid, explanation },
      'the outcome of a payment is unknown',
    );
  }
  return await recordAnswer(deps, payment, answer);
}

/** If the lease is too short for call and write, another process may take over in between. */
function isInTime({ realClock }: AuthorizeDeps, { leaseExpiresAt }: PaymentRow): boolean {
  const leftMs = Number(leaseExpiresAt) - realClock.nowMs();
  return leftMs >= PROCESSOR_DEADLINE_MS + SETTLE_MARGIN_MS;
}

const notAsked: NotProcessed = {
  outcome: 'notProcessed',
  isUnsent: true,
  explanation: 'the payment was recorded too late for the processor to be asked',
};

/** Returns the payment as it was when its outcome can't be recorded. */
async function recordAnswer(
  deps: AuthorizeDeps,
  payment: PaymentRow,
  answer: ProcessorAnswer,
): Promise<PaymentRow> {
  try {
    const move = moveFor(payment, answer, deps.clock.nowMs());
    const { isOurs, payment: recorded } = await recordOutcome(deps, payment, move);
    // Another process moved the payment on. An attempt it gave up as not found holds money after
    // all: ask about it again at once, and tell the caller that it isn't settled.
    if (!isOurs && answer.outcome === 'approved') {
      await updateNotFoundDue(deps.database.sql, payment, new Date(deps.clock.nowMs()));
      if (recorded.state === 'ABORTED') return payment;
    }
    return recorded;
  } catch (error) {
    // The outcome can still be inquired. Until then, only this line tells a person about the hold.
    const { merchantGuid, paymentUuid, paymentId, attempt } = payment;
    const { outcome } = answer;
    const reference = outcome === 'approved' ? answer.reference : null;
    deps.log.error(
      { err: error, merchantGuid, paymentUuid, paymentId, attempt, outcome, reference },
      'the outcome of a payment could not be recorded',
    );
    return payment;
  }
}

function nextAttempt({ clock, realClock }: AuthorizeDeps, payment: PaymentRow): PaymentMove {
  const attempt = payment.attempt + 1;
  return makeMove('submittedAgain', clock.nowMs(), {
    change: { attempt, ...newLease(realClock.nowMs()) },
    begunKey: authorizationKey(payment.paymentId, attempt),
  });
}
