import { isUnknown, type Operation } from './history.ts';
import {
  backgroundSteps,
  effectOf,
  explains,
  type ModelPayment,
  stepTo,
  untouched,
} from './model.ts';
import type { MovedClock } from './moved-clock.ts';

/** What the search for an order came to; `complaint` says what no order explains. */
export type Judgement =
  | { readonly isLinearizable: true }
  | { readonly isLinearizable: false; readonly complaint: string };

/** How one payment ended, as the database says when all is quiet. */
export interface PaymentEnd {
  readonly state: ModelPayment['state'];
  readonly version: number;
}

/**
 * A place in the search: which answers and effects have found their moment, at which instant the
 * last of them was, and how the payment is then.
 */
interface Place {
  /** By index of the answer: whether it still needs its moment. */
  readonly openAnswers: bigint;
  /** By index of the request: whether it has had its effect. */
  readonly effects: bigint;
  readonly atUs: number;
  readonly payment: ModelPayment;
}

interface Search {
  readonly answers: readonly Operation[];
  readonly requests: readonly Request[];
  readonly clock: MovedClock;
  readonly end: PaymentEnd;
}

/** Something that may have an effect once, between two instants; for ever when it broke off. */
interface Request {
  readonly operation: Operation;
  readonly lastUs: number;
  /** Index of its answer; -1 when none came. */
  readonly answer: number;
}

const MAX_PLACES = 400_000;

/**
 * Looks for an order of all that was asked of one payment in which every answer is right and which
 * keeps to time: what ended before something else began comes first. It is the search of Wing and
 * Gong with the memory of Lowe. A request has its effect at most once, before it is answered; one
 * that broke off has it at any time later, or never. Steps of the platform itself may happen
 * whenever they may happen, and in the end the payment must be as `end` says.
 */
export function judgeHistory(
  operations: readonly Operation[],
  clock: MovedClock,
  end: PaymentEnd,
): Judgement {
  const answers = operations.filter((operation) => !isUnknown(operation));
  const search: Search = { answers, requests: requestsOf(operations, answers), clock, end };
  const first: Place = {
    openAnswers: (1n << BigInt(answers.length)) - 1n,
    effects: 0n,
    atUs: 0,
    payment: untouched,
  };
  /** The earliest instant at which each place was seen: who is there later can do no more. */
  const seen = new Map<string, number>();
  const open = [settleAnswers(search, first)];
  let furthest = open[0] as Place;
  for (let place = open.pop(); place; place = open.pop()) {
    if (isGoal(search, place)) return { isLinearizable: true };
    if (count(place.openAnswers) < count(furthest.openAnswers)) furthest = place;
    for (const next of followers(search, place)) {
      const key = keyOf(search, next);
      if ((seen.get(key) ?? Infinity) <= next.atUs) continue;
      seen.set(key, next.atUs);
      open.push(next);
    }
    if (seen.size > MAX_PLACES) {
      return { isLinearizable: false, complaint: `undecided after ${MAX_PLACES} places` };
    }
  }
  return { isLinearizable: false, complaint: complain(search, furthest) };
}

function requestsOf(operations: readonly Operation[], answers: readonly Operation[]): Request[] {
  return operations
    .filter(({ kind, status }) => {
      // A PUT may meet the 409 that came of its own payment: it was voided before the answer.
      return kind === 'put' ? status !== 404 : kind !== 'read' && status !== 409 && status !== 404;
    })
    .map((operation) => ({
      operation,
      lastUs: isUnknown(operation) ? Infinity : operation.endUs,
      answer: answers.indexOf(operation),
    }));
}

function isGoal({ end }: Search, { openAnswers, payment }: Place): boolean {
  return openAnswers === 0n && payment.state === end.state && payment.version === end.version;
}

/**
 * Gives every answer that is right at this very instant its moment. An answer changes nothing, so
 * that no order is lost by placing it as soon as it fits.
 */
function settleAnswers({ answers, clock }: Search, place: Place): Place {
  const { atUs, payment } = place;
  const mostMs = clock.atMostMs(latestUs(answers, place));
  let { openAnswers } = place;
  answers.forEach((answer, index) => {
    const bit = 1n << BigInt(index);
    if ((openAnswers & bit) === 0n || answer.startUs > atUs) return;
    if (explains(payment, answer, mostMs)) openAnswers &= ~bit;
  });
  return { ...place, openAnswers };
}

/** The instant that must not be passed before every answer that ends there has its moment. */
function latestUs(answers: readonly Operation[], { openAnswers }: Place): number {
  let latest = Infinity;
  answers.forEach((answer, index) => {
    if ((openAnswers >> BigInt(index)) & 1n) latest = Math.min(latest, answer.endUs);
  });
  return latest;
}

/** The version that must not be passed before every answer that shows one has its moment. */
function newestVersion({ answers, end }: Search, { openAnswers }: Place): number {
  let newest = end.version;
  answers.forEach(({ version }, index) => {
    const isOpen = ((openAnswers >> BigInt(index)) & 1n) === 1n;
    if (isOpen && version !== null) newest = Math.min(newest, version);
  });
  return newest;
}

/** Every place that one step leads to, the likeliest last, because it is looked at first. */
function followers(search: Search, place: Place): Place[] {
  const latest = latestUs(search.answers, place);
  const newest = newestVersion(search, place);
  const steps = [
    ...laterPlaces(search, place),
    ...backgroundPlaces(search, place),
    ...effectPlaces(search, place),
  ];
  return steps
    .filter(({ atUs, payment }) => atUs <= latest && payment.version <= newest)
    .map((next) => settleAnswers(search, next));
}

/** Time passes until one of the answers to come may have its moment. */
function laterPlaces({ answers }: Search, place: Place): Place[] {
  return answers.flatMap(({ startUs }, index) => {
    const isOpen = ((place.openAnswers >> BigInt(index)) & 1n) === 1n;
    return isOpen && startUs > place.atUs ? [{ ...place, atUs: startUs }] : [];
  });
}

function backgroundPlaces({ clock }: Search, place: Place): Place[] {
  const { payment } = place;
  return backgroundSteps(payment).map(({ to, afterMs }) => {
    const fromMs = payment.authorizedMs + afterMs;
    const atUs = afterMs === 0 ? place.atUs : clock.mayShowFromUs(fromMs, place.atUs);
    return { ...place, atUs, payment: stepTo(payment, to, clock.atLeastMs(atUs)) };
  });
}

function effectPlaces({ requests }: Search, place: Place): Place[] {
  const tried = new Set<string>();
  return requests.flatMap(({ operation, lastUs, answer }, index) => {
    const bit = 1n << BigInt(index);
    const wasAnswered = answer >= 0 && ((place.openAnswers >> BigInt(answer)) & 1n) === 0n;
    const atUs = Math.max(place.atUs, operation.startUs);
    if ((place.effects & bit) !== 0n || wasAnswered || atUs > lastUs) return [];
    const payment = effectOf(operation, place.payment);
    // Of requests that ask for the same and all broke off, the earliest stands for the others.
    const name = `${operation.kind} ${operation.argument}`;
    if (payment === null || (answer < 0 && tried.has(name))) return [];
    if (answer < 0) tried.add(name);
    return [{ ...place, atUs, effects: place.effects | bit, payment }];
  });
}

/**
 * Places with the same name have the same future. Of requests that were answered it no longer
 * matters who had an effect.
 */
function keyOf({ requests }: Search, { openAnswers, effects, payment }: Place): string {
  let living = effects;
  requests.forEach(({ answer }, index) => {
    const wasAnswered = answer >= 0 && ((openAnswers >> BigInt(answer)) & 1n) === 0n;
    if (wasAnswered) living &= ~(1n << BigInt(index));
  });
  return [openAnswers.toString(36), living.toString(36), ...Object.values(payment)].join(' ');
}

function count(bits: bigint): number {
  return bits.toString(2).replaceAll('0', '').length;
}

function complain({ answers, end }: Search, { openAnswers, payment }: Place): string {
  const open = answers.filter((_, index) => ((openAnswers >> BigInt(index)) & 1n) === 1n);
  const [first] = open.sort((one, other) => one.endUs - other.endUs);
  const place = `${payment.state} in version ${payment.version}`;
  if (!first) return `no order leads to ${end.state} in version ${end.version}, only to ${place}`;
  const { kind, argument, status, state, version } = first;
  const answer = [status, state, version].filter((part) => part !== null).join(' ');
  return `no order explains ${kind} ${argument} → ${answer}; the furthest one leads to ${place}`;
}
