import {
  ALREADY_CAPTURED,
  type CaptureOrder,
  type ProcessorAnswer,
  type VoidOrder,
} from '@servery/card-simulator/messages.ts';
import type { AuthorizationOrder } from '../../src/payments/processors/processor.ts';

/** What the issuer says to one attempt of a payment. */
export type Decision = 'approve' | 'decline' | 'approveLess' | 'approveOtherCurrency';

/** How the processor treats one payment. */
export interface ProcessorPlan {
  /** By attempt; beyond the list it approves. */
  readonly decisions: readonly Decision[];
  readonly declinesVoid: boolean;
  readonly declinesCapture: boolean;
  /**
   * It lies: for so long from the first void on, voids are answered as if there were no hold; null
   * when it does not, and infinity when it never tells the truth.
   */
  readonly hidesHoldMs: number | null;
  /** Meanwhile inquiries are answered like that too, for a day at most: else nobody can know. */
  readonly hidesFromInquiries: boolean;
}

/** The outside truth of one attempt. */
export interface Hold {
  readonly key: string;
  readonly paymentId: string;
  readonly amountMinor: number;
  readonly currencyCode: string;
  readonly authorizationCode: string;
  state: 'HELD' | 'VOIDED' | 'CAPTURED';
  capturedMinor: number;
  /** The key of the capture; `by hand` when it was not ours. */
  capturedBy: string | null;
  /** When somebody captured it by hand, in the processor's time. */
  capturedAtMs: number | null;
}

interface LateEffect {
  readonly atMs: number;
  readonly happen: () => void;
}

const DAY_MS = 24 * 3_600_000;
/** Field 39 for a refusal that has no story. */
const REFUSED = '57';
/** Field 39 for giving up what was declined. */
const NOTHING_HELD = '12';

/**
 * A processor of the model's own: a ledger and the rules of the port, nothing else. What it says is
 * true; what reaches our processes of that is decided at the port.
 */
export class ModelProcessor {
  readonly holds = new Map<string, Hold>();
  /** What must never be asked of it. */
  readonly breaches: string[] = [];
  readonly #answers = new Map<string, ProcessorAnswer>();
  readonly #orders = new Map<string, string>();
  readonly #planOf: (paymentId: string) => ProcessorPlan;
  /** By hold that is hidden for a time: when it was to be given up first. */
  readonly #firstVoidMs = new Map<string, number>();
  /** By key of an authorization: when it was not found, first and last. */
  readonly #missedMs = new Map<string, readonly [firstMs: number, lastMs: number]>();
  #lateEffects: LateEffect[] = [];
  /** Its own time, which goes on when the environment's clock goes back. */
  #nowMs = Number.NEGATIVE_INFINITY;

  constructor(planOf: (paymentId: string) => ProcessorPlan) {
    this.#planOf = planOf;
  }

  authorize(order: AuthorizationOrder): ProcessorAnswer {
    const { key, paymentId, merchantGuid, amountMinor, currencyCode } = order;
    this.#sameOrder(key, [paymentId, merchantGuid, amountMinor, currencyCode]);
    const known = this.#answers.get(key);
    if (known) return known;
    const attempt = Number(key.split(':')[2]);
    const decision = this.#planOf(paymentId).decisions[attempt - 1] ?? 'approve';
    if (decision === 'decline')
      return this.#remember(key, { outcome: 'declined', responseCode: '05' });
    const hold: Hold = {
      ...{ key, paymentId, state: 'HELD', capturedMinor: 0, capturedBy: null, capturedAtMs: null },
      amountMinor: decision === 'approveLess' ? amountMinor - 1 : amountMinor,
      currencyCode: decision === 'approveOtherCurrency' ? 'XTS' : currencyCode,
      authorizationCode: String(100_000 + this.holds.size),
    };
    this.holds.set(key, hold);
    return this.#remember(key, approvalOf(hold, hold.amountMinor));
  }

  inquire(key: string): ProcessorAnswer {
    const hold = this.holds.get(key);
    if (hold && this.#isHiddenFromInquiries(hold)) return this.#miss(key, 'no such call yet');
    return this.#answers.get(key) ?? this.#miss(key, 'no such call');
  }

  capture(order: CaptureOrder): ProcessorAnswer {
    const { key, authorizationKey, amountMinor, currencyCode } = order;
    this.#sameOrder(key, [authorizationKey, amountMinor, currencyCode]);
    const known = this.#answers.get(key);
    if (known) return known;
    const hold = this.holds.get(authorizationKey);
    if (!hold) return { outcome: 'notFound', explanation: 'no such hold' };
    if (amountMinor > hold.amountMinor || currencyCode !== hold.currencyCode) {
      this.breaches.push(
        `PAY-I4: ${key} asks for ${amountMinor} ${currencyCode} of ${authorizationKey}`,
      );
    }
    if (hold.state === 'CAPTURED' && hold.capturedBy !== 'by hand') {
      this.breaches.push(
        `PAY-I1: ${key} captures ${authorizationKey} again, after ${hold.capturedBy}`,
      );
    }
    const others = [...this.holds.values()].filter(
      (other) => other.paymentId === hold.paymentId && other.state === 'CAPTURED',
    );
    if (others.some((other) => other !== hold)) {
      this.breaches.push(`PAY-I1: ${key} captures a second hold of one payment`);
    }
    if (hold.state === 'CAPTURED') {
      return this.#remember(key, { outcome: 'declined', responseCode: ALREADY_CAPTURED });
    }
    if (hold.state === 'VOIDED' || this.#planOf(hold.paymentId).declinesCapture) {
      return this.#remember(key, { outcome: 'declined', responseCode: REFUSED });
    }
    Object.assign(hold, { state: 'CAPTURED', capturedMinor: amountMinor, capturedBy: key });
    return this.#remember(key, approvalOf(hold, amountMinor));
  }

  void(order: VoidOrder): ProcessorAnswer {
    const { key, authorizationKey } = order;
    this.#sameOrder(key, [authorizationKey]);
    const known = this.#answers.get(key);
    if (known) return known;
    const hold = this.holds.get(authorizationKey);
    if (this.#answers.get(authorizationKey)?.outcome === 'declined') {
      return this.#remember(key, { outcome: 'declined', responseCode: NOTHING_HELD });
    }
    if (!hold) return this.#miss(authorizationKey, 'no such hold');
    if (!this.#firstVoidMs.has(hold.key)) this.#firstVoidMs.set(hold.key, this.#nowMs);
    if (this.#isHidden(hold)) return this.#miss(authorizationKey, 'no such hold');
    if (hold.state === 'CAPTURED') {
      return this.#remember(key, { outcome: 'declined', responseCode: ALREADY_CAPTURED });
    }
    if (hold.state === 'HELD' && this.#planOf(hold.paymentId).declinesVoid) {
      return this.#remember(key, { outcome: 'declined', responseCode: REFUSED });
    }
    hold.state = 'VOIDED';
    return this.#remember(key, approvalOf(hold, hold.amountMinor));
  }

  /** Whether voids are answered as if there were no such hold. */
  #isHidden({ key, paymentId }: Hold): boolean {
    const firstVoidMs = this.#firstVoidMs.get(key);
    if (firstVoidMs === undefined) return false;
    return this.#nowMs < firstVoidMs + (this.#planOf(paymentId).hidesHoldMs ?? 0);
  }

  #isHiddenFromInquiries(hold: Hold): boolean {
    const { hidesFromInquiries, hidesHoldMs } = this.#planOf(hold.paymentId);
    return hidesFromInquiries && (hidesHoldMs ?? 0) < DAY_MS && this.#isHidden(hold);
  }

  /** A question after a hold, or after the call that would have made it, finds nothing. */
  #miss(key: string, explanation: string): ProcessorAnswer {
    const [firstMs = this.#nowMs] = this.#missedMs.get(key) ?? [];
    this.#missedMs.set(key, [firstMs, this.#nowMs]);
    return { outcome: 'notFound', explanation };
  }

  /** For how long a hold has been asked about in vain, from the first to the last question. */
  missedForMs({ key }: Hold): number {
    const [firstMs, lastMs] = this.#missedMs.get(key) ?? [0, 0];
    return lastMs - firstMs;
  }

  /** How long after a hold was to be given up first it was captured by hand, in ms. */
  capturedAfterMs({ key, capturedAtMs }: Hold): number {
    return (capturedAtMs ?? 0) - (this.#firstVoidMs.get(key) ?? Number.POSITIVE_INFINITY);
  }

  /** A person at the processor takes the money of a hold, past us. */
  captureByHand(paymentId: string): boolean {
    const hold = this.holdsOf(paymentId).find(({ state }) => state === 'HELD');
    if (!hold) return false;
    Object.assign(hold, {
      state: 'CAPTURED',
      capturedMinor: hold.amountMinor,
      capturedBy: 'by hand',
      capturedAtMs: this.#nowMs,
    });
    return true;
  }

  holdsOf(paymentId: string): Hold[] {
    return [...this.holds.values()].filter((hold) => hold.paymentId === paymentId);
  }

  /** Has a call its effect at a later instant of its own time. */
  later(atMs: number, happen: () => void): void {
    this.#lateEffects.push({ atMs, happen });
  }

  tick(nowMs: number): void {
    this.#nowMs = nowMs;
    const due = this.#lateEffects.filter(({ atMs }) => atMs <= nowMs);
    if (due.length === 0) return;
    this.#lateEffects = this.#lateEffects.filter(({ atMs }) => atMs > nowMs);
    for (const effect of due.toSorted((one, other) => one.atMs - other.atMs)) effect.happen();
  }

  /** The last instant at which something will still happen by itself. */
  lastEffectMs(): number {
    return Math.max(...this.#lateEffects.map(({ atMs }) => atMs));
  }

  #remember(key: string, answer: ProcessorAnswer): ProcessorAnswer {
    this.#answers.set(key, answer);
    return answer;
  }

  #sameOrder(key: string, content: readonly unknown[]): void {
    const text = JSON.stringify(content);
    const known = this.#orders.get(key);
    if (known !== undefined && known !== text) {
      this.breaches.push(`${key} came with ${text} after ${known}`);
    }
    this.#orders.set(key, text);
  }
}

function approvalOf(hold: Hold, amountMinor: number): ProcessorAnswer {
  const { authorizationCode, currencyCode, key } = hold;
  return {
    outcome: 'approved',
    ...{ authorizationCode, amountMinor, currencyCode },
    reference: `model ${key}`,
  };
}
