import type { Sql } from '@servery/postgres/sql.ts';
import { listMarks, type Revision } from './change-mark-store.ts';
import { BUCKETS, bucketOf, type Subject } from './subjects.ts';

export type { Subject } from './subjects.ts';

/** When something was read, and what it was about. */
export interface Stamp {
  /** When its reading started. */
  readonly moment: number;
  /** The counters of its subjects. */
  readonly buckets: readonly number[];
}

/**
 * How long the result of a look counts, in milliseconds: what another process changed has to be
 * gone within a second, including its way to the caller (architecture rule 6).
 */
const KNOWN_FOR_MS = 700;

/**
 * How far the wall clock may get ahead of the monotonic clock, in milliseconds. The monotonic one
 * stands still while the machine sleeps.
 */
const SLEPT_MS = 100;

/** How long a COMMIT whose answer was lost may still take effect, in milliseconds. */
const DOUBTED_FOR_MS = 60_000;

/**
 * What a process knows of the changes on its database: of its own as soon as they are committed,
 * and of others' as of its last look. To remember something, take the moment before you read it,
 * and before you use it ask whether its stamp is current. Nothing may be used if the last look was
 * too long ago, because the database does not answer or the process stood still.
 */
export class Freshness {
  readonly #nowMs: () => number;
  readonly #wallMs: () => number;
  /** The moment at which each bucket was last found changed. */
  readonly #changedAt = new Float64Array(BUCKETS);
  /** Grows with every change that this process learns of, and with every reading. */
  #moment = 0;
  /** Of each bucket, from looks, own changes and confirmations. */
  #revisions: string[] = [];
  /** From the last look. A later look finds none that is lower. */
  #looked: readonly string[] = [];
  readonly #list: ListRevisions | null;
  #total = '';
  #serverStartedAt = '';
  #knownAtMs = Number.NEGATIVE_INFINITY;
  #answeredAtMs = Number.NEGATIVE_INFINITY;
  /** How far the wall clock was ahead of the monotonic clock when the last look was sent. */
  #wallAheadMs = 0;
  #didAllRaise = true;
  /** Until when a COMMIT whose answer was lost may change a bucket. */
  readonly #doubtedUntilMs = new Map<number, number>();

  /**
   * `nowMs` is monotonic. `list` reads counters; without it nothing is confirmed. `wallMs` is the
   * machine's wall clock, which shows that the machine slept.
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

  /** Returns the moment of a reading that starts now; a later one has a later moment. */
  begin(): number {
    this.#moment += 1;
    return this.#moment;
  }

  /** Whether nothing is known to have changed since the stamp's moment. */
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

  /** Reports changes whose COMMIT was not answered: for a while they may take effect at any time. */
  doubt(buckets: readonly number[]): void {
    for (const bucket of buckets) this.#doubtedUntilMs.set(bucket, this.#nowMs() + DOUBTED_FOR_MS);
    this.changed(buckets);
  }

  /** Reports committed changes of this process, with their counters as far as known. */
  committed(buckets: readonly number[], revisions: readonly Revision[]): void {
    this.changed(buckets);
    for (const { bucket, revision } of revisions) {
      // Unless somebody else has raised it meanwhile, the next look has nothing new here.
      const known = this.#revisions[bucket];
      if (Number(known) + 1 === Number(revision)) this.#revisions[bucket] = revision;
    }
  }

  /** Makes everything of these buckets that was read before unusable. */
  changed(buckets: Iterable<number>): void {
    this.#moment += 1;
    for (const bucket of buckets) this.#changedAt[bucket] = this.#moment;
  }

  /**
   * Call it after something was read from the database, and before anybody gets it: it may be newer
   * than what is remembered, which must not be used after that. So the answers of this process never
   * go back in time. Throws if the database does not answer.
   */
  async confirm(buckets: readonly number[]): Promise<void> {
    // Before the first look nothing is remembered. Later this matters even while nothing is known: an
    // earlier look may still be answered, and allow the use of memory older than what was read.
    if (!this.#list || this.#knownAtMs === Number.NEGATIVE_INFINITY) return;
    if (this.#unknownOf(await this.#list(buckets)).length === 0) return;
    // A transaction raises all its counters at once. After one of its changes was read, nothing else
    // that it changed may be answered as it was before. So all counters have to be read.
    const raised = this.#unknownOf(await this.#list(EVERY_BUCKET));
    for (const { bucket, revision } of raised) this.#revisions[bucket] = revision;
    this.changed(raised.map(({ bucket }) => bucket));
  }

  #unknownOf(found: readonly Revision[]): Revision[] {
    return found.filter(({ bucket, revision }) => this.#revisions[bucket] !== revision);
  }

  /** Reads what others have changed. Throws if the database does not answer. */
  async look(sql: Sql): Promise<void> {
    // What was committed before the query is in the answer; what comes later may not be. A delay
    // between reading the two clocks looks like sleep, never the other way around.
    const wallMs = this.#wallMs();
    const askedAtMs = this.#nowMs();
    const { total, revisions, allRaise, serverStartedAt } = await listMarks(sql, this.#total);
    // Looks may overtake each other, and the older one knows less.
    if (askedAtMs < this.#answeredAtMs) return;
    this.#answeredAtMs = askedAtMs;
    // A process that raises no counters may have changed anything until it was gone.
    if (!(allRaise && this.#didAllRaise)) this.#forgetAll();
    this.#didAllRaise = allRaise;
    if (serverStartedAt !== this.#serverStartedAt) this.#meetServer(serverStartedAt);
    for (const [bucket, untilMs] of this.#doubtedUntilMs) {
      if (askedAtMs < untilMs) continue;
      this.#doubtedUntilMs.delete(bucket);
      this.changed([bucket]);
    }
    if (revisions !== null) {
      // Changes that raised a counter are lost, and nobody knows what else is.
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
   * A server that took over may lack the last commits. Then its counters reach the same numbers
   * again by other changes.
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

/** Makes the stamp of what was read about these subjects. */
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
