import { createHash } from 'node:crypto';
import { brandOf } from '@servery/support/card-types.ts';
import type { Fault } from './faults.ts';
import type { AuthorizedEntry, Hold, Ledger, LedgerEntry } from './ledger.ts';
import {
  ALREADY_CAPTURED,
  type Approved,
  type CaptureOrder,
  type Declined,
  type Operation,
  type Orders,
  type ProcessorAnswer,
  type VoidOrder,
  type WireAuthorization,
} from './messages.ts';
import type { CardOutcome, SimulatedCard } from './simulated-cards.ts';

export type Call = {
  [Name in Operation]: { readonly operation: Name; readonly order: Orders[Name] };
}[Operation];

export type Delivery =
  | { readonly kind: 'answer'; readonly answer: ProcessorAnswer }
  /** No answer, ever: the caller gives up at its own deadline. */
  | { readonly kind: 'silence' }
  /** The connection breaks. */
  | { readonly kind: 'dropped' }
  /** An answer that can't be read. */
  | { readonly kind: 'broken' };

/** What a call adds to the ledger, and its answer. */
export interface Effect {
  readonly entries: readonly LedgerEntry[];
  readonly delivery: Delivery;
}

// Response codes of ISO 8583.
const INVALID_TRANSACTION = '12';
const DO_NOT_HONOUR = '05';
const INSUFFICIENT_FUNDS = '51';

const silence: Delivery = { kind: 'silence' };
const dropped: Delivery = { kind: 'dropped' };

/** Decides by the ledger, the test card of an authorization, and the ordered fault. */
export function performCall(
  ledger: Ledger,
  call: Call,
  row: SimulatedCard | null,
  fault: Fault | null,
): Effect {
  const { operation, order } = call;
  if (operation === 'inquire') return inquire(ledger, order.key, fault);
  const known = ledger.findAnswer(order.key);
  if (known) return answer(known);
  if (fault?.kind === 'notProcessed') return notProcessed('a fault was injected');
  const isoCode = fault?.kind === 'declined' ? fault.responseCode : null;
  switch (operation) {
    case 'authorize':
      if (fault?.kind === 'lateApproval') return late(order, fault.questions ?? 1);
      if (isoCode !== null) return recordHold(order, row, declined(isoCode));
      if (fault?.kind === 'otherAmount') return recordHold(order, row, otherApproval(order, fault));
      return authorize(ledger, order, row);
    case 'capture':
      return isoCode === null ? capture(ledger, order) : refuse(order, isoCode);
    case 'void':
      return isoCode === null ? giveUp(ledger, order) : refuse(order, isoCode);
  }
}

function authorize(ledger: Ledger, order: WireAuthorization, row: SimulatedCard | null): Effect {
  const { paymentId } = order;
  // A repeat while the first call is still in progress.
  if (ledger.findLate(order.key)) return { entries: [], delivery: dropped };
  const approval = approvalOf(order);
  const approve = (delivery?: Delivery) => recordHold(order, row, approval, delivery);
  switch (row?.outcome) {
    case 'declined':
      return recordHold(order, row, declined(row.isoCode ?? DO_NOT_HONOUR));
    case 'lostAnswerAfterDecline':
      return recordHold(order, row, declined(row.isoCode ?? DO_NOT_HONOUR), dropped);
    case 'timeOutAfterHold':
      return approve(silence);
    case 'timeOutBeforeHold':
      return { entries: [], delivery: silence };
    case 'lostAnswerAfterHold':
    case 'inquiryUnanswered':
    case 'reversalFails':
      return approve(dropped);
    case 'lostAnswerBeforeHold':
      return { entries: [], delivery: dropped };
    case 'brokenAnswerAfterHold':
      return approve({ kind: 'broken' });
    case 'wrongAmount':
      return recordHold(order, row, { ...approval, amountMinor: order.amountMinor + 1 });
    case 'wrongCurrency':
      return recordHold(order, row, { ...approval, currencyCode: otherCurrency(order) });
    case 'lateApproval':
      return late(order, 1);
    case 'veryLateApproval':
      return late(order, 2);
    case 'notProcessed':
      return notProcessed('the test card is never processed');
    case 'notProcessedOnce':
      return ledger.isExcused(paymentId) ? approve() : excuse(paymentId);
    default:
      return approve();
  }
}

function inquire(ledger: Ledger, key: string, fault: Fault | null): Effect {
  if (fault?.kind === 'notProcessed') return notProcessed('a fault was injected');
  const known = ledger.findAnswer(key);
  if (!known) return missing(ledger, key, `no call has the key ${key}`);
  const conduct = ledger.findHold(key)?.entry.conduct;
  const isUnanswered = conduct === 'inquiryUnanswered' || conduct === 'reversalFails';
  return isUnanswered ? { entries: [], delivery: dropped } : answer(known);
}

function capture(ledger: Ledger, order: CaptureOrder): Effect {
  const known = ledger.findHold(order.authorizationKey);
  if (!known) return noHold(ledger, order.authorizationKey);
  const { hold, entry } = known;
  const fits =
    hold.state === 'HELD' &&
    order.amountMinor <= hold.amountMinor &&
    order.currencyCode === hold.currencyCode;
  if (!fits) return refuse(order, INVALID_TRANSACTION);
  if (entry.conduct === 'captureFails') return refuse(order, INSUFFICIENT_FUNDS);
  if (entry.conduct === 'captureNotProcessedOnce' && !ledger.isExcused(order.key)) {
    return excuse(order.key);
  }
  const isSilent = entry.conduct === 'captureTimesOutOnce';
  return change('captured', order, answerOf(entry, order), isSilent);
}

function giveUp(ledger: Ledger, order: VoidOrder): Effect {
  const known = ledger.findHold(order.authorizationKey);
  if (!known) return noHold(ledger, order.authorizationKey);
  const { hold, entry } = known;
  if (hold.state === 'CAPTURED') return refuse(order, ALREADY_CAPTURED);
  if (hold.state === 'DECLINED') return refuse(order, INVALID_TRANSACTION);
  const { conduct } = entry;
  if (conduct === 'voidFails' || conduct === 'reversalFails') {
    return refuse(order, INVALID_TRANSACTION);
  }
  if (conduct === 'voidMeetsCapture') return captureElsewhere(entry, hold, order);
  if (conduct === 'voidNotProcessedOnce' && !ledger.isExcused(order.key)) return excuse(order.key);
  const isSilent = conduct === 'voidTimesOutOnce' && hold.state === 'HELD';
  return change('voided', order, answerOf(entry, hold), isSilent);
}

/** Somebody else captures the hold just before the void. */
function captureElsewhere(entry: AuthorizedEntry, hold: Hold, order: VoidOrder): Effect {
  const elsewhere = { key: `elsewhere:${hold.key}`, authorizationKey: hold.key };
  const captured = change('captured', elsewhere, answerOf(entry, hold), true);
  const refusal = refuse(order, ALREADY_CAPTURED);
  return { entries: [...captured.entries, ...refusal.entries], delivery: refusal.delivery };
}

function recordHold(
  order: WireAuthorization,
  row: SimulatedCard | null,
  given: Approved | Declined,
  delivery: Delivery = { kind: 'answer', answer: given },
): Effect {
  return { entries: [authorizedEntry(order, given, row?.outcome ?? null)], delivery };
}

function late(order: WireAuthorization, questions: number): Effect {
  const entry = authorizedEntry(order, approvalOf(order), null);
  return { entries: [{ type: 'late', entry, questions }], delivery: dropped };
}

function authorizedEntry(
  order: WireAuthorization,
  given: Approved | Declined,
  conduct: CardOutcome | null,
): AuthorizedEntry {
  const { key, paymentId, merchantGuid, amountMinor, currencyCode } = order;
  const { number } = order.card;
  const card = { brand: brandOf(number), last4: number.slice(-4) };
  const hold = { key, paymentId, merchantGuid, amountMinor, currencyCode, ...card };
  return { type: 'authorized', hold, answer: given, conduct };
}

function approvalOf({ key, amountMinor, currencyCode }: WireAuthorization): Approved {
  const digest = createHash('sha256').update(key).digest();
  return {
    outcome: 'approved',
    authorizationCode: String(digest.readUInt32BE(0) % 1_000_000).padStart(6, '0'),
    amountMinor,
    currencyCode,
    reference: `sim-${digest.toString('hex', 4, 12)}`,
  };
}

function otherApproval(
  order: WireAuthorization,
  { amountMinor }: Extract<Fault, { kind: 'otherAmount' }>,
): Approved {
  return { ...approvalOf(order), amountMinor: amountMinor ?? order.amountMinor + 1 };
}

function answerOf({ answer: given }: AuthorizedEntry, about: { amountMinor: number }): Approved {
  return { ...(given as Approved), amountMinor: about.amountMinor };
}

function otherCurrency({ currencyCode }: WireAuthorization): string {
  return currencyCode === 'EUR' ? 'USD' : 'EUR';
}

function declined(responseCode: string): Declined {
  return { outcome: 'declined', responseCode };
}

function answer(given: ProcessorAnswer): Effect {
  return { entries: [], delivery: { kind: 'answer', answer: given } };
}

/** Leaves no trace: the same key may be tried again. */
function notProcessed(explanation: string): Effect {
  return answer({ outcome: 'notProcessed', explanation });
}

function excuse(subject: string): Effect {
  const { delivery } = notProcessed('the test card is processed when repeated');
  return { entries: [{ type: 'excused', subject }], delivery };
}

function change(
  type: 'captured' | 'voided',
  { key, authorizationKey }: VoidOrder,
  given: Approved,
  isSilent: boolean,
): Effect {
  const amountMinor = type === 'captured' ? given.amountMinor : 0;
  return {
    entries: [{ type, key, authorizationKey, amountMinor, answer: given }],
    delivery: isSilent ? silence : { kind: 'answer', answer: given },
  };
}

function refuse(order: CaptureOrder | VoidOrder, responseCode: string): Effect {
  const given = declined(responseCode);
  const { key, authorizationKey } = order;
  return {
    entries: [{ type: 'refused', key, authorizationKey, amountMinor: 0, answer: given }],
    delivery: { kind: 'answer', answer: given },
  };
}

function noHold(ledger: Ledger, key: string): Effect {
  return missing(ledger, key, `no hold has the key ${key}`);
}

/** For a hold that is only late, this counts as a question. */
function missing(ledger: Ledger, key: string, explanation: string): Effect {
  const { delivery } = answer({ outcome: 'notFound', explanation });
  return { entries: ledger.findLate(key) ? [{ type: 'missed', key }] : [], delivery };
}
