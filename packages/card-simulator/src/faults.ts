import type { Operation } from './messages.ts';

/** What goes wrong with a call. `Before` and `After` say whether the call has its effect. */
export type Fault =
  | { readonly kind: 'delay'; readonly delayMs: number }
  | {
      readonly kind:
        | 'timeOutBefore'
        | 'timeOutAfter'
        | 'droppedConnectionBefore'
        | 'droppedConnectionAfter'
        /** It has its effect, and the answer cannot be read. */
        | 'brokenAnswer'
        /** It arrives twice. */
        | 'duplicate'
        /** The next of its kind says that nothing was processed. */
        | 'notProcessed';
    }
  /**
   * An authorization whose answer is lost and of which nothing is known, until so many questions
   * for it (one, where nothing is said) were answered with `notFound`.
   */
  | { readonly kind: 'lateApproval'; readonly questions?: number }
  /** Refused with an ISO 8583 response code. */
  | { readonly kind: 'declined'; readonly responseCode: string };

/** Which calls a fault meets: all that fit, as long as its count lasts. */
export interface FaultRule {
  readonly operation: Operation | 'any';
  readonly match?: {
    /** The key of the call. */
    readonly key?: string;
    /** The payment of the call; of an unknown one, a part of its key between colons. */
    readonly paymentId?: string;
    /** The last four digits of the card. */
    readonly last4?: string;
  };
  /** How many calls it meets. */
  readonly count: number;
  readonly fault: Fault;
}

/** A rule that was put, with its number and how many calls it will still meet. */
export interface PutRule extends FaultRule {
  readonly id: number;
}

/** What is known of a call before it is carried out. */
export interface CallFacts {
  readonly operation: Operation;
  readonly key: string;
  readonly paymentId: string | null;
  readonly last4: string | null;
  /** True when the key was answered before, so that the call has no effect of its own. */
  readonly isRepeat: boolean;
}

/** The faults that are ordered; they live as long as the process. */
export class FaultRules {
  #rules: PutRule[] = [];
  #lastId = 0;

  /** Orders a fault; the oldest rule that fits a call meets it. */
  add(rule: FaultRule): PutRule {
    this.#lastId += 1;
    const put = { id: this.#lastId, ...rule };
    this.#rules.push(put);
    return put;
  }

  /** The rules that will still meet a call, oldest first. */
  list(): readonly PutRule[] {
    return this.#rules;
  }

  /** Takes all rules back; gives how many. */
  clear(): number {
    const { length } = this.#rules;
    this.#rules = [];
    return length;
  }

  /** The fault of a call, which counts as met; null when none is ordered. */
  take(facts: CallFacts): Fault | null {
    const rule = this.#rules.find((candidate) => fits(candidate, facts));
    if (!rule) return null;
    const left = { ...rule, count: rule.count - 1 };
    this.#rules = this.#rules
      .map((other) => (other === rule ? left : other))
      .filter(({ count }) => count > 0);
    return rule.fault;
  }
}

/** Why a rule makes no sense; null when it does. */
export function ruleFault({ operation, fault }: FaultRule): string | null {
  if (operation === 'any' || canMeet(fault, operation)) return null;
  return `the fault ${fault.kind} does not exist for ${operation}`;
}

function canMeet(fault: Fault, operation: Operation): boolean {
  if (fault.kind === 'lateApproval') return operation === 'authorize';
  // To decline a question would be an answer to the call that it asks about.
  return fault.kind !== 'declined' || operation !== 'inquire';
}

function fits({ operation, match = {}, fault }: FaultRule, facts: CallFacts): boolean {
  const { key, paymentId, last4 } = match;
  // A key that was answered keeps its answer: these two would have to change it.
  if (facts.isRepeat && (fault.kind === 'declined' || fault.kind === 'lateApproval')) return false;
  return (
    (operation === 'any' || operation === facts.operation) &&
    canMeet(fault, facts.operation) &&
    (key === undefined || key === facts.key) &&
    (paymentId === undefined || concerns(paymentId, facts)) &&
    (last4 === undefined || last4 === facts.last4)
  );
}

function concerns(paymentId: string, facts: CallFacts): boolean {
  return facts.paymentId === paymentId || facts.key.split(':').includes(paymentId);
}
