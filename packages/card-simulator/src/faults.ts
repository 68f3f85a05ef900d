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
        /** The call has its effect; its answer can't be read. */
        | 'brokenAnswer'
        /** The call arrives twice. */
        | 'duplicate'
        | 'notProcessed';
    }
  /** The answer is lost, and this many inquiries (default: one) find nothing. */
  | { readonly kind: 'lateApproval'; readonly questions?: number }
  | { readonly kind: 'declined'; readonly responseCode: string }
  /** Approves this amount; null for one minor unit more than it was asked for. */
  | { readonly kind: 'otherAmount'; readonly amountMinor: number | null };

/** Applies to the next `count` calls that match. */
export interface FaultRule {
  readonly operation: Operation | 'any';
  readonly match?: {
    readonly key?: string;
    /** For an unknown payment, a part of the call's key between colons. */
    readonly paymentId?: string;
    readonly last4?: string;
  };
  readonly count: number;
  readonly fault: Fault;
}

export interface PutRule extends FaultRule {
  readonly id: number;
}

export interface CallFacts {
  readonly operation: Operation;
  readonly key: string;
  readonly paymentId: string | null;
  readonly last4: string | null;
  /** The key was answered before, so the call has no effect of its own. */
  readonly isRepeat: boolean;
}

/** Kept in memory only. */
export class FaultRules {
  #rules: PutRule[] = [];
  #lastId = 0;

  /** The oldest rule that matches a call applies. */
  add(rule: FaultRule): PutRule {
    this.#lastId += 1;
    const put = { id: this.#lastId, ...rule };
    this.#rules.push(put);
    return put;
  }

  list(): readonly PutRule[] {
    return this.#rules;
  }

  /** Returns how many rules it removed. */
  clear(): number {
    const { length } = this.#rules;
    this.#rules = [];
    return length;
  }

  /** Counts the call. */
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

/** Returns what is wrong with a rule, or null. */
export function ruleFault({ operation, fault }: FaultRule): string | null {
  if (operation === 'any' || canMeet(fault, operation)) return null;
  return `the fault ${fault.kind} does not exist for ${operation}`;
}

function canMeet(fault: Fault, operation: Operation): boolean {
  if (fault.kind === 'lateApproval' || fault.kind === 'otherAmount') {
    return operation === 'authorize';
  }
  // A declined inquiry would be an answer about the call in question.
  return fault.kind !== 'declined' || operation !== 'inquire';
}

function fits({ operation, match = {}, fault }: FaultRule, facts: CallFacts): boolean {
  const { key, paymentId, last4 } = match;
  if (facts.isRepeat && changesAnswer(fault)) return false;
  return (
    (operation === 'any' || operation === facts.operation) &&
    canMeet(fault, facts.operation) &&
    (key === undefined || key === facts.key) &&
    (paymentId === undefined || concerns(paymentId, facts)) &&
    (last4 === undefined || last4 === facts.last4)
  );
}

/** A key keeps its first answer. */
function changesAnswer({ kind }: Fault): boolean {
  return kind === 'declined' || kind === 'lateApproval' || kind === 'otherAmount';
}

function concerns(paymentId: string, facts: CallFacts): boolean {
  return facts.paymentId === paymentId || facts.key.split(':').includes(paymentId);
}
