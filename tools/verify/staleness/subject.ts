/**
 * What is known of the order of events of one thing that changes (a restaurant's configuration, an
 * account, a connection), and whether an answer fits to it. Whoever changes a thing does so one
 * change after the other, so that its states have one order; the search for a moment at which an
 * answer was right is then a search among neighbours. Instants are milliseconds of one clock.
 */
export class Subject<State> {
  readonly name: string;
  readonly #entries: Entry<State>[];
  /** By process: the newest state that it answered a change to. */
  readonly #answered: number[];
  /** By process and resource: the newest state that an answer has certainly shown. */
  readonly #shown: Map<string, number>[];
  readonly #seen = new Set<number>();
  /** By process and state: how late, at most, an older one was still shown. */
  readonly #lateMs: Map<number, number>[];

  constructor(name: string, processes: number, first: State) {
    this.name = name;
    this.#entries = [
      { state: first, sentMs: -Infinity, knownMs: -Infinity, process: -1, isDropped: false },
    ];
    this.#answered = Array.from({ length: processes }, () => 0);
    this.#shown = Array.from({ length: processes }, () => new Map());
    this.#lateMs = Array.from({ length: processes }, () => new Map());
  }

  /** The newest state that was asked for and is not known to have failed. */
  get latest(): State {
    const entry = this.#entries.findLast(({ isDropped }) => !isDropped);
    return (entry as Entry<State>).state;
  }

  /** Every state that came to be, in their order. */
  get states(): State[] {
    return this.#entries.filter(({ isDropped }) => !isDropped).map(({ state }) => state);
  }

  /** Every state that was asked for, in their order, also those that never came to be. */
  get asked(): State[] {
    return this.#entries.map(({ state }) => state);
  }

  /** Notes that a process (by its number) is about to be asked for a change; gives its number. */
  send(state: State, process: number, atMs: number): number {
    this.#entries.push({ state, sentMs: atMs, knownMs: Infinity, process, isDropped: false });
    return this.#entries.length - 1;
  }

  /** Notes that the process has answered that the change is made. */
  answer(change: number, atMs: number): void {
    const { process } = this.#entry(change);
    this.#know(change, atMs);
    this.#answered[process] = Math.max(this.#answered[process] ?? 0, change);
  }

  /** Notes that the database has the change, although its process did not say so. */
  settle(change: number, atMs: number): void {
    this.#know(change, atMs);
  }

  /** Notes that the change never came to be; gives false when an answer has shown it. */
  drop(change: number): boolean {
    const entry = this.#entry(change);
    this.#entries[change] = { ...entry, isDropped: true };
    return !this.#seen.has(change);
  }

  /**
   * What an answer of a process may show at the least, when its request is about to be sent. An
   * answer about the same resource never goes back behind an earlier one.
   */
  look(process: number, atMs: number, resource: string): Look {
    const answered = this.#answered[process] ?? 0;
    const shown = this.#shown[process]?.get(resource) ?? 0;
    return { process, atMs, resource, answered, shown, aged: this.#aged(atMs - GRACE_MS) };
  }

  /**
   * Judges an answer that arrived at `endMs` and shows a state that `matches`. `between` bounds the
   * states by their numbers, for answers that go on with what an earlier one began. Gives the
   * earliest state that explains it, or why none does.
   */
  judge(look: Look, endMs: number, matches: (state: State) => boolean, between?: Span): Judgement {
    const least = Math.max(look.answered, look.shown, look.aged, between?.from ?? 0);
    const most = Math.min(this.#entries.length - 1, between?.to ?? Infinity);
    for (let number = least; number <= most; number += 1) {
      if (!this.#fits(number, endMs, matches)) continue;
      this.#note(look, number, endMs, matches);
      return { state: number, fault: null };
    }
    const isAhead = this.#entries.some(
      (_, number) => number > most && this.#fits(number, endMs, matches),
    );
    if (isAhead) return { state: null, fault: { kind: 'mixed', lateMs: null } };
    return { state: null, fault: this.#blame(look, endMs, matches, least) };
  }

  /** Judges an answer that any state between two numbers explains. */
  judgeAny(look: Look, endMs: number, between: Span): Judgement {
    return this.judge(look, endMs, () => true, between);
  }

  /** The number of the newest state that had been asked for at an instant. */
  newestAt(atMs: number): number {
    return this.#entries.findLastIndex(({ sentMs, isDropped }) => sentMs <= atMs && !isDropped);
  }

  /** How late, in milliseconds, changes were still unseen at processes that had not made them. */
  latenessMs(): number[] {
    return this.#lateMs.flatMap((late) => [...late.values()]);
  }

  #entry(change: number): Entry<State> {
    const entry = this.#entries[change];
    if (!entry) throw new Error(`${this.name} has no change ${change}`);
    return entry;
  }

  /** What has a change has all before it. */
  #know(change: number, atMs: number): void {
    for (let number = change; number > 0; number -= 1) {
      const entry = this.#entry(number);
      if (entry.knownMs <= atMs) return;
      this.#entries[number] = { ...entry, knownMs: atMs };
    }
  }

  #aged(beforeMs: number): number {
    for (let number = this.#entries.length - 1; number > 0; number -= 1) {
      const { knownMs, isDropped } = this.#entry(number);
      if (knownMs < beforeMs && !isDropped) return number;
    }
    return 0;
  }

  #fits(number: number, endMs: number, matches: (state: State) => boolean): boolean {
    const { state, sentMs, isDropped } = this.#entry(number);
    return !isDropped && sentMs <= endMs && matches(state);
  }

  #note(look: Look, number: number, endMs: number, matches: (state: State) => boolean): void {
    const { process, atMs, resource } = look;
    const shown = this.#shown[process];
    shown?.set(resource, Math.max(shown.get(resource) ?? 0, number));
    if (shown && shown.size > SHOWN_KEPT) this.#forgetShown(shown, endMs);
    this.#seen.add(number);
    this.#know(number, endMs);
    const late = this.#lateMs[process];
    // Newest first: what matches may have been seen, and then nothing before it was missed.
    for (let newer = this.#entries.length - 1; late && newer > number; newer -= 1) {
      const { knownMs, isDropped, process: maker } = this.#entry(newer);
      if (this.#fits(newer, endMs, matches)) return;
      if (isDropped || maker === process || knownMs >= atMs) continue;
      late.set(newer, Math.max(late.get(newer) ?? 0, atMs - knownMs));
    }
  }

  /** What every later answer has to show in any case needs no resource to say so. */
  #forgetShown(shown: Map<string, number>, nowMs: number): void {
    const aged = this.#aged(nowMs - GRACE_MS);
    for (const [resource, number] of shown) if (number <= aged) shown.delete(resource);
  }

  #blame(look: Look, endMs: number, matches: (state: State) => boolean, least: number): Fault {
    for (let number = least - 1; number >= 0; number -= 1) {
      if (!this.#fits(number, endMs, matches)) continue;
      const next = this.#entries.findIndex((entry, each) => each > number && !entry.isDropped);
      const lateMs = Math.round(look.atMs - this.#entry(next).knownMs);
      if (number < look.answered) return { kind: 'stale at the same process', lateMs };
      if (number < look.shown) return { kind: 'backwards', lateMs };
      if (number < look.aged) return { kind: 'late from another process', lateMs };
      return { kind: 'mixed', lateMs };
    }
    return { kind: 'never so', lateMs: null };
  }
}

/** How long, in milliseconds, an answer may lag behind what another process did (rule 6, AUTH-9). */
const GRACE_MS = 1_000;

/** Accounts and tokens come and go, and what they ask for with them. */
const SHOWN_KEPT = 1_000;

interface Entry<State> {
  readonly state: State;
  /** From then on it may be seen. */
  readonly sentMs: number;
  /** By then it was so: it was answered, settled or seen; Infinity until one of them. */
  readonly knownMs: number;
  /** Who was asked for it; -1 when nobody was. */
  readonly process: number;
  readonly isDropped: boolean;
}

/** What had to be seen when a request was sent, as numbers of states. */
export interface Look {
  readonly process: number;
  readonly atMs: number;
  readonly resource: string;
  /** What the same process had answered. */
  readonly answered: number;
  /** What the same process had shown at the same resource. */
  readonly shown: number;
  /** What was known for longer than the grace. */
  readonly aged: number;
}

/** Numbers of states, both included. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Why no state explains an answer. */
export interface Fault {
  readonly kind:
    | 'stale at the same process'
    | 'backwards'
    | 'late from another process'
    | 'mixed'
    | 'never so';
  /** How long, in milliseconds, the answer was out of date when its request was sent. */
  readonly lateMs: number | null;
}

/** The earliest state that explains an answer, or the fault. */
export type Judgement =
  | { readonly state: number; readonly fault: null }
  | { readonly state: null; readonly fault: Fault };
