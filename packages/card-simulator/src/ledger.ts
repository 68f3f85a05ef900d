import type { Approved, Declined, ProcessorAnswer } from './messages.ts';
import type { CardOutcome } from './simulated-cards.ts';

type HoldState = 'HELD' | 'DECLINED' | 'CAPTURED' | 'VOIDED';

interface HoldFacts {
  readonly key: string;
  readonly paymentId: string;
  readonly merchantGuid: string;
  readonly amountMinor: number;
  readonly currencyCode: string;
  readonly brand: string;
  readonly last4: string;
}

export interface Hold extends HoldFacts {
  readonly state: HoldState;
  /** 0 until captured. */
  readonly capturedMinor: number;
}

/** An authorization that had an effect. */
export interface AuthorizedEntry {
  readonly type: 'authorized';
  readonly hold: HoldFacts;
  readonly answer: Approved | Declined;
  /** What the test card does later; null for nothing special. */
  readonly conduct: CardOutcome | null;
}

/** A line of the ledger. Lines are only added, never changed or removed. */
export type LedgerEntry =
  /** The first line. */
  | { readonly type: 'begun'; readonly ledgerId: string }
  | AuthorizedEntry
  /** A hold that can't be found until this many inquiries were answered with `notFound`. */
  | { readonly type: 'late'; readonly entry: AuthorizedEntry; readonly questions: number }
  /** An inquiry for a late hold was answered with `notFound`. */
  | { readonly type: 'missed'; readonly key: string }
  | {
      readonly type: 'captured' | 'voided' | 'refused';
      readonly key: string;
      readonly authorizationKey: string;
      /** What was captured; otherwise 0. */
      readonly amountMinor: number;
      readonly answer: Approved | Declined;
    }
  /** Answered with `notProcessed`, which a test card does only once. */
  | { readonly type: 'excused'; readonly subject: string };

interface Known {
  hold: Hold;
  readonly entry: AuthorizedEntry;
}

interface Late {
  readonly entry: AuthorizedEntry;
  questions: number;
}

/** What follows from the entries: the same after every reload. */
export class Ledger {
  readonly #holds = new Map<string, Known>();
  readonly #late = new Map<string, Late>();
  readonly #answers = new Map<string, Approved | Declined>();
  readonly #excused = new Set<string>();
  #id: string | null = null;

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

  /** The two go their own ways from here. */
  copy(): Ledger {
    const copy = new Ledger();
    for (const [key, known] of this.#holds) copy.#holds.set(key, { ...known });
    for (const [key, late] of this.#late) copy.#late.set(key, { ...late });
    for (const [key, answer] of this.#answers) copy.#answers.set(key, answer);
    for (const subject of this.#excused) copy.#excused.add(subject);
    return copy;
  }

  id(): string | null {
    return this.#id;
  }

  /** Also when the answer never left. */
  findAnswer(key: string): ProcessorAnswer | null {
    return this.#answers.get(key) ?? null;
  }

  findHold(key: string): (Readonly<Known> & { readonly hold: Hold }) | null {
    return this.#holds.get(key) ?? null;
  }

  /** A hold that can't be found yet. */
  findLate(key: string): AuthorizedEntry | null {
    return this.#late.get(key)?.entry ?? null;
  }

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
