import type { Approved, Declined, ProcessorAnswer } from './messages.ts';
import type { CardOutcome } from './simulated-cards.ts';

/** What became of an authorization. */
type HoldState = 'HELD' | 'DECLINED' | 'CAPTURED' | 'VOIDED';

/** What the ledger keeps of an authorization from its beginning; of the card only what may show. */
interface HoldFacts {
  readonly key: string;
  readonly paymentId: string;
  readonly merchantGuid: string;
  /** In minor units. */
  readonly amountMinor: number;
  readonly currencyCode: string;
  readonly brand: string;
  readonly last4: string;
}

/** What the simulated processor remembers of one authorization that had an effect. */
export interface Hold extends HoldFacts {
  readonly state: HoldState;
  /** In minor units; 0 until captured. */
  readonly capturedMinor: number;
}

/** An authorization that had an effect. */
export interface AuthorizedEntry {
  readonly type: 'authorized';
  readonly hold: HoldFacts;
  readonly answer: Approved | Declined;
  /** What the test card does later in the hold's life; null for nothing out of the ordinary. */
  readonly conduct: CardOutcome | null;
}

/** One line of the ledger. Nothing is ever changed or taken out: what happened is added. */
export type LedgerEntry =
  /** Which ledger this is: the first thing that is written, and said once. */
  | { readonly type: 'begun'; readonly ledgerId: string }
  | AuthorizedEntry
  /** A hold that nobody can learn of until so many questions were answered with `notFound`. */
  | { readonly type: 'late'; readonly entry: AuthorizedEntry; readonly questions: number }
  /** A question for a late hold was answered with `notFound`. */
  | { readonly type: 'missed'; readonly key: string }
  | {
      readonly type: 'captured' | 'voided' | 'refused';
      readonly key: string;
      readonly authorizationKey: string;
      /** What was captured, in minor units; 0 for the others. */
      readonly amountMinor: number;
      readonly answer: Approved | Declined;
    }
  /** Somebody was told that nothing was processed, which a test card says only once. */
  | { readonly type: 'excused'; readonly subject: string };

interface Known {
  hold: Hold;
  readonly entry: AuthorizedEntry;
}

interface Late {
  readonly entry: AuthorizedEntry;
  questions: number;
}

/** What follows from the entries of a ledger. It is the same after every reload. */
export class Ledger {
  readonly #holds = new Map<string, Known>();
  readonly #late = new Map<string, Late>();
  readonly #answers = new Map<string, Approved | Declined>();
  readonly #excused = new Set<string>();
  #id: string | null = null;

  /** Adds what an entry says. */
  apply(entry: LedgerEntry): void {
    switch (entry.type) {
      case 'begun':
        this.#id ??= entry.ledgerId;
        break;
      case 'authorized':
        this.#authorize(entry);
        break;
      case 'late':
        this.#late.set(entry.entry.hold.key, { ...entry });
        break;
      case 'missed':
        this.#miss(entry.key);
        break;
      case 'excused':
        this.#excused.add(entry.subject);
        break;
      default:
        this.#answers.set(entry.key, entry.answer);
        this.#change(entry);
    }
  }

  /** What tells this ledger from every other; null before it is written. */
  id(): string | null {
    return this.#id;
  }

  /** The answer that a call with this key was given, or would have been. */
  findAnswer(key: string): ProcessorAnswer | null {
    return this.#answers.get(key) ?? null;
  }

  /** The authorization of that key with its present state; null when there is none. */
  findHold(key: string): (Readonly<Known> & { readonly hold: Hold }) | null {
    return this.#holds.get(key) ?? null;
  }

  /** The authorization of that key that has not turned up yet; null when there is none. */
  findLate(key: string): AuthorizedEntry | null {
    return this.#late.get(key)?.entry ?? null;
  }

  /** Whether the subject was told already that nothing was processed. */
  isExcused(subject: string): boolean {
    return this.#excused.has(subject);
  }

  /** Every authorization that had an effect, oldest first. */
  holds(): Hold[] {
    return [...this.#holds.values()].map(({ hold }) => hold);
  }

  #authorize(entry: AuthorizedEntry): void {
    const { key } = entry.hold;
    const state = entry.answer.outcome === 'approved' ? 'HELD' : 'DECLINED';
    this.#holds.set(key, { entry, hold: { ...entry.hold, state, capturedMinor: 0 } });
    this.#answers.set(key, entry.answer);
  }

  #miss(key: string): void {
    const late = this.#late.get(key);
    if (!late) return;
    late.questions -= 1;
    if (late.questions > 0) return;
    this.#late.delete(key);
    this.#authorize(late.entry);
  }

  #change(entry: Extract<LedgerEntry, { type: 'captured' | 'voided' | 'refused' }>): void {
    const known = this.#holds.get(entry.authorizationKey);
    if (!known || entry.type === 'refused') return;
    known.hold =
      entry.type === 'captured'
        ? { ...known.hold, state: 'CAPTURED', capturedMinor: entry.amountMinor }
        : { ...known.hold, state: 'VOIDED' };
  }
}
