import {
  ALREADY_CAPTURED,
  type AuthorizationOrder,
  type CaptureOrder,
  type ProcessorAnswer,
  type VoidOrder,
} from '../../src/payments/processor.ts';

/** What the issuer says to one attempt of a payment. */
export type Decision = 'approve' | 'decline' | 'approveLess' | 'approveOtherCurrency';

/** How the far end treats one payment. */
export interface FarEndPlan {
  /** By attempt; beyond the list it approves. */
  readonly decisions: readonly Decision[];
  readonly declinesVoid: boolean;
  readonly declinesCapture: boolean;
  /** It lies: voids are answered as if there were no hold. */
  readonly hidesHold: boolean;
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
}

interface LateEffect {
  readonly atMs: number;
  readonly happen: () => void;
}

/** Field 39 for a refusal that has no story. */
const REFUSED = '57';
/** Field 39 for giving up what was declined. */
const NOTHING_HELD = '12';

/**
 * A processor of the model's own: a ledger and the rules of the port, nothing else. What it says is
 * true; what reaches our processes of that is decided at the port.
 */
export class FarEnd {
  readonly holds = new Map<string, Hold>();
  /** What must never be asked of it. */
  readonly breaches: string[] = [];
  readonly #answers = new Map<string, ProcessorAnswer>();
  readonly #orders = new Map<string, string>();
  readonly #planOf: (paymentId: string) => FarEndPlan;
  #lateEffects: LateEffect[] = [];

  constructor(planOf: (paymentId: string) => FarEndPlan) {
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
      ...{ key, paymentId, state: 'HELD', capturedMinor: 0, capturedBy: null },
      amountMinor: decision === 'approveLess' ? amountMinor - 1 : amountMinor,
      currencyCode: decision === 'approveOtherCurrency' ? 'XTS' : currencyCode,
      authorizationCode: String(100_000 + this.holds.size),
    };
    this.holds.set(key, hold);
    return this.#remember(key, approvalOf(hold, hold.amountMinor));
  }

  inquire(key: string): ProcessorAnswer {
    return this.#answers.get(key) ?? { outcome: 'notFound', explanation: 'no such call' };
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
        `I4: ${key} asks for ${amountMinor} ${currencyCode} of ${authorizationKey}`,
      );
    }
    if (hold.state === 'CAPTURED' && hold.capturedBy !== 'by hand') {
      this.breaches.push(`I1: ${key} captures ${authorizationKey} again, after ${hold.capturedBy}`);
    }
    const others = [...this.holds.values()].filter(
      (other) => other.paymentId === hold.paymentId && other.state === 'CAPTURED',
    );
    if (others.some((other) => other !== hold)) {
      this.breaches.push(`I1: ${key} captures a second hold of one payment`);
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
    if (!hold || this.#planOf(hold.paymentId).hidesHold) {
      return { outcome: 'notFound', explanation: 'no such hold' };
    }
    if (hold.state === 'CAPTURED') {
      return this.#remember(key, { outcome: 'declined', responseCode: ALREADY_CAPTURED });
    }
    if (hold.state === 'HELD' && this.#planOf(hold.paymentId).declinesVoid) {
      return this.#remember(key, { outcome: 'declined', responseCode: REFUSED });
    }
    hold.state = 'VOIDED';
    return this.#remember(key, approvalOf(hold, hold.amountMinor));
  }

  /** A person at the processor takes the money of a hold, past us. */
  captureByHand(paymentId: string): boolean {
    const hold = this.holdsOf(paymentId).find(({ state }) => state === 'HELD');
    if (!hold) return false;
    Object.assign(hold, {
      state: 'CAPTURED',
      capturedMinor: hold.amountMinor,
      capturedBy: 'by hand',
    });
    return true;
  }

  holdsOf(paymentId: string): Hold[] {
    return [...this.holds.values()].filter((hold) => hold.paymentId === paymentId);
  }

  /** Has a call its effect at a later instant of the environment. */
  later(atMs: number, happen: () => void): void {
    this.#lateEffects.push({ atMs, happen });
  }

  tick(nowMs: number): void {
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
    reference: `far ${key}`,
  };
}
