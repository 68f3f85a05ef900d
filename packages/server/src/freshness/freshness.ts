import type { Sql } from '@servery/postgres/sql.ts';
import { listMarks, type Revision } from './change-mark-store.ts';
import { BUCKETS, bucketOf, type Subject } from './subjects.ts';

export type { Subject } from './subjects.ts';

/** When something was read, and what it was about. */
export interface Stamp {
  /** The moment at which its reading began. */
  readonly moment: number;
  /** The counters of its subjects. */
  readonly buckets: readonly number[];
}

/**
 * Knowledge that is older than this, in milliseconds, is none: what another process changed has to
 * be gone within a second, on its way to the caller included (architecture rule 6).
 */
const KNOWN_FOR_MS = 700;

/**
 * How much further, in milliseconds, the machine's wall clock may have gone than the time that only
 * goes forward: that one stands still while the machine sleeps, and others go on.
 */
const SLEPT_MS = 100;

/** So long, in milliseconds, a COMMIT whose answer was lost may still be done. */
const DOUBTED_FOR_MS = 60_000;

/**
 * What a process knows of the changes on its database: of its own as soon as they are committed,
 * and of others' as of its last look. Whoever remembers something takes the moment before he reads
 * it, and asks before he uses it whether his stamp is still good. Nothing is good when the last
 * look was too long ago, because the database does not answer or the process stood still.
 */
export class Freshness {
  readonly #nowMs: () => number;
  readonly #wallMs: () => number;
  /** The moment at which each bucket was last found changed. */
  readonly #changedAt = new Float64Array(BUCKETS);
  /** Grows with every change that this process learns of, and with every reading. */
  #moment = 0;
  /** Of each bucket, as far as is known of looks, of own changes and of what was confirmed. */
  #revisions: string[] = [];
  /** As the last look found them: a look that is sent later finds none that is lower. */
  #looked: readonly string[] = [];
  readonly #list: ListRevisions | null;
  #total = '';
  #serverStartedAt = '';
  #knownAtMs = Number.NEGATIVE_INFINITY;
  #answeredAtMs = Number.NEGATIVE_INFINITY;
  /** How far the wall clock was ahead of the time that only goes forward when the look was sent. */
  #wallAheadMs = 0;
  #didAllRaise = true;
  /** Until when a bucket may change although nobody is about to change it. */
  readonly #doubtedUntilMs = new Map<number, number>();

  /**
   * `nowMs` only goes forward, in milliseconds, whatever becomes of clocks. `list` reads counters;
   * without it nothing is confirmed. `wallMs` is the machine's wall clock, which tells that the
   * machine slept; without it nobody notices.
   */
  constructor(
    nowMs: () => number,
    list: ListRevisions | null = null,
    wallMs: () => number = nowMs,
  ) {
    this.#nowMs = nowMs;
    this.#list = list;
    this.#wallMs = wallMs;
  }

  /** The moment of a reading that begins now: a later one has a later moment. */
  begin(): number {
    this.#moment += 1;
    return this.#moment;
  }

  /** Whether, as far as is known, nothing has changed of what was read after the stamp's moment. */
  isCurrent({ moment, buckets }: Stamp): boolean {
    if (this.#doubtedUntilMs.size > 0 && buckets.some((one) => this.#doubtedUntilMs.has(one))) {
      return false;
    }
    for (let at = 0; at < buckets.length; at += 1) {
      if ((this.#changedAt[buckets[at] as number] as number) > moment) return false;
    }
    return true;
  }

  /** Whether enough is known to use what is remembered. */
  isKnown(): boolean {
    const nowMs = this.#nowMs();
    if (nowMs - this.#knownAtMs > KNOWN_FOR_MS) return false;
    return this.#wallMs() - nowMs - this.#wallAheadMs <= SLEPT_MS;
  }

  /** Tells of changes whose COMMIT was not answered: for a while they may come at any time. */
  doubt(buckets: readonly number[]): void {
    for (const bucket of buckets) this.#doubtedUntilMs.set(bucket, this.#nowMs() + DOUBTED_FOR_MS);
    this.changed(buckets);
  }

  /** Tells of changes of this process that are committed, with their counters as far as known. */
  committed(buckets: readonly number[], revisions: readonly Revision[]): void {
    this.changed(buckets);
    for (const { bucket, revision } of revisions) {
      // Where nobody else has changed anything meanwhile, there is nothing to be learnt of it.
      const known = this.#revisions[bucket];
      if (Number(known) + 1 === Number(revision)) this.#revisions[bucket] = revision;
    }
  }

  /** Tells of changes that are committed, and of what is not to be used any more. */
  changed(buckets: Iterable<number>): void {
    this.#moment += 1;
    for (const bucket of buckets) this.#changedAt[bucket] = this.#moment;
  }

  /**
   * To be called when something was read of the database, before anybody hears of it: it may have
   * been newer than what is remembered, which is not to be used after that. So this process never
   * goes back. Throws when the database does not answer.
   */
  async confirm(buckets: readonly number[]): Promise<void> {
    // The first look makes all be forgotten. Later it counts also while nothing is known: a look
    // that was sent before may still come, and let memory be used that is older than what was read.
    if (!this.#list || this.#knownAtMs === Number.NEGATIVE_INFINITY) return;
    if (this.#unknownOf(await this.#list(buckets)).length === 0) return;
    // A transaction raises all of its counters at once: whoever has read one thing that it changed
    // is not to be told of another as it was before. Until all are known, none is.
    const raised = this.#unknownOf(await this.#list(EVERY_BUCKET));
    for (const { bucket, revision } of raised) this.#revisions[bucket] = revision;
    this.changed(raised.map(({ bucket }) => bucket));
  }

  #unknownOf(found: readonly Revision[]): Revision[] {
    return found.filter(({ bucket, revision }) => this.#revisions[bucket] !== revision);
  }

  /** Learns what others have changed. Throws when the database does not answer. */
  async look(sql: Sql): Promise<void> {
    // What was committed before the question is in the answer; what comes later may not be.
    // Whoever is held up between the two clocks thinks that he slept, never that he did not.
    const wallMs = this.#wallMs();
    const askedAtMs = this.#nowMs();
    const { total, revisions, allRaise, serverStartedAt } = await listMarks(sql, this.#total);
    // Looks may overtake each other; the older one knows less.
    if (askedAtMs < this.#answeredAtMs) return;
    this.#answeredAtMs = askedAtMs;
    // Whoever raises nothing may have changed anything until he was gone.
    if (!(allRaise && this.#didAllRaise)) this.#forgetAll();
    this.#didAllRaise = allRaise;
    if (serverStartedAt !== this.#serverStartedAt) this.#meetServer(serverStartedAt);
    for (const [bucket, untilMs] of this.#doubtedUntilMs) {
      if (askedAtMs < untilMs) continue;
      this.#doubtedUntilMs.delete(bucket);
      this.changed([bucket]);
    }
    if (revisions !== null) {
      // Changes are no longer there that raised it, and nobody knows what else is not.
      if (isBehind(this.#looked, revisions)) this.#forgetAll();
      this.#looked = revisions;
      this.changed(differing(this.#revisions, revisions));
      this.#revisions = [...revisions];
      this.#total = total;
    }
    this.#knownAtMs = allRaise ? askedAtMs : Number.NEGATIVE_INFINITY;
    this.#wallAheadMs = wallMs - askedAtMs;
  }

  /**
   * A server that took over may lack what was committed last, and counts on from before it: its
   * counters come to the same numbers again for other changes.
   */
  #meetServer(startedAt: string): void {
    this.#serverStartedAt = startedAt;
    this.#revisions = [];
    this.#looked = [];
    this.#total = '';
    this.#forgetAll();
  }

  #forgetAll(): void {
    this.changed(this.#changedAt.keys());
  }
}

const EVERY_BUCKET: readonly number[] = Array.from({ length: BUCKETS }, (_, bucket) => bucket);

/** Reads the counters of some buckets. */
export type ListRevisions = (buckets: readonly number[]) => Promise<readonly Revision[]>;

/** The stamp of what was read about the subjects since the moment. */
export function stampOf(moment: number, subjects: readonly Subject[]): Stamp {
  return { moment, buckets: subjects.map(bucketOf) };
}

function* differing(before: readonly string[], after: readonly string[]): Generator<number> {
  for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
    if (before[bucket] !== after[bucket]) yield bucket;
  }
}

function isBehind(before: readonly string[], after: readonly string[]): boolean {
  return before.some((known, bucket) => {
    const found = after[bucket];
    return found !== known && Number(found) < Number(known);
  });
}
