import type { Sql } from '@servery/postgres/sql.ts';
import {
  findSettled,
  type KnownMarks,
  listMarks,
  NO_MARKS,
  type Revision,
} from './change-mark-store.ts';
import { bucketOf, EVERYTHING, type Subject } from './subjects.ts';

export type { Subject } from './subjects.ts';

export interface Stamp {
  readonly moment: number;
  readonly buckets: readonly number[];
}

/**
 * Changes by other processes must be visible within a second, including the way to the caller
 * (architecture rule 6).
 */
const KNOWN_FOR_MS = 700;

/** The monotonic clock stands still while the machine sleeps. */
const SLEPT_MS = 100;

/** How long a COMMIT whose answer was lost may still take effect. */
const DOUBTED_FOR_MS = 60_000;

/** What a process knows of one counter. */
interface KnownCounter {
  /** When it was last heard to have changed. */
  changedAt: number;
  /** Its revision, as of everything that was heard. */
  revision: number;
  /** Its revision as of the last look: a later one must not find less. */
  looked: number;
  /** The highest revision that was met on this server. A replica must not answer with less. */
  highest: number;
}

/**
 * Knows own changes at COMMIT and others' as of the last look. Take the moment before you read, and
 * check the stamp before you use what you remember. Nothing may be used if the last look is too
 * old.
 */
export class Freshness {
  readonly #nowMs: () => number;
  readonly #wallMs: () => number;
  /** Those that were ever heard of. */
  readonly #counters = new Map<number, KnownCounter>();
  /** Since when more is known of a subject than its counter says. */
  readonly #aheadSinceMs = new Map<number, number>();
  #moment = 0;
  /** When everything was last forgotten. */
  #forgottenAt = 0;
  readonly #list: ListCounters | null;
  #marks: KnownMarks = NO_MARKS;
  #knownAtMs = Number.NEGATIVE_INFINITY;
  /** How many looks counted. */
  #looks = 0;
  #wallAheadMs = 0;
  #askedForAtMs = Number.NEGATIVE_INFINITY;
  readonly #doubtedUntilMs = new Map<number, number>();
  #isCluster = false;
  /** Of a cluster: counters whose rows may not have appeared, and the transaction that will be seen. */
  readonly #unsettled = new Map<number, bigint>();

  /** Without `list` nothing is confirmed. `wallMs` shows that the machine slept. */
  constructor(nowMs: () => number, list: ListCounters | null = null, wallMs: () => number = nowMs) {
    this.#nowMs = nowMs;
    this.#list = list;
    this.#wallMs = wallMs;
  }

  /** Of the server of the last look; empty before it. */
  get serverStartedAt(): string {
    return this.#marks.serverStartedAt;
  }

  begin(): number {
    this.#moment += 1;
    return this.#moment;
  }

  isCurrent({ moment, buckets }: Stamp): boolean {
    if (this.#doubtedUntilMs.size > 0 && buckets.some((one) => this.#doubtedUntilMs.has(one))) {
      return false;
    }
    if (
      this.#unsettled.size > 0 &&
      [EVERYTHING, ...buckets].some((one) => this.#unsettled.has(one))
    ) {
      return false;
    }
    if (this.#forgottenAt > moment) return false;
    for (let at = 0; at < buckets.length; at += 1) {
      const counter = this.#counters.get(buckets[at] as number);
      if (counter !== undefined && counter.changedAt > moment) return false;
    }
    return true;
  }

  /** Whether anybody wanted to use what is remembered. */
  wasAskedWithin(durationMs: number): boolean {
    return this.#nowMs() - this.#askedForAtMs <= durationMs;
  }

  /** As of the last look: rows may be seen later than their counters. */
  isOfCluster(): boolean {
    return this.#isCluster;
  }

  isKnown(): boolean {
    const nowMs = this.#nowMs();
    this.#askedForAtMs = nowMs;
    if (nowMs - this.#knownAtMs > KNOWN_FOR_MS) return false;
    return this.#wallMs() - nowMs - this.#wallAheadMs <= SLEPT_MS;
  }

  /** The COMMIT was not answered, so the changes may take effect at any time for a while. */
  doubt(buckets: readonly number[]): void {
    for (const bucket of buckets) this.#doubtedUntilMs.set(bucket, this.#nowMs() + DOUBTED_FOR_MS);
    this.#change(buckets);
  }

  committed(buckets: readonly number[], revisions: readonly Revision[]): void {
    this.#change(buckets);
    this.#meet(revisions);
    // In a cluster, the next look waits for them.
    if (this.#isCluster) return;
    for (const { bucket, revision } of revisions) {
      // Unless somebody else has raised it meanwhile, the next look has nothing new here.
      const known = this.#counter(bucket);
      if (known.revision + 1 === revision) known.revision = revision;
    }
  }

  /** Something new was read, and nobody knows its counter yet. */
  changed(buckets: readonly number[]): void {
    this.#change(buckets);
    for (const bucket of buckets) this.#aheadSinceMs.set(bucket, this.#nowMs());
  }

  /**
   * Call it after a read and before anybody gets the result: older memory must not be used after
   * that, so answers never go back in time. `seen` are the counters that the statement itself saw;
   * without them, they are read. Throws if the database does not answer.
   */
  async confirm(
    buckets: readonly number[],
    seen: readonly Revision[] | null = null,
  ): Promise<void> {
    // Before the first look nothing is remembered. Later, an earlier look may still be answered and
    // allow the use of older memory.
    if (!this.#list || this.#knownAtMs === Number.NEGATIVE_INFINITY) return;
    const found = seen ?? (await this.#list.of(buckets));
    if (found.every((one) => this.#isKnownRevision(one))) return;
    // A transaction raises all its counters at once. After one of its changes was read, none of its
    // other old values may be used, so read all that was raised.
    const { serverStartedAt } = this.#marks;
    const all = await this.#list.raisedSince(this.#marks);
    const raised = all.filter((one) => !this.#isKnownRevision(one));
    // Otherwise, a look has met another server, where these counters stand for other changes.
    if (serverStartedAt === this.#marks.serverStartedAt) {
      this.#meet(raised);
      if (!this.#isCluster) this.#hear(raised);
    }
    this.#change(raised.map(({ bucket }) => bucket));
  }

  /**
   * Whether a replica lacks nothing that this process may have shown to anybody. What is read there
   * is confirmed like any other read.
   */
  isReachedBy(buckets: readonly number[], found: ReplicaMarks): boolean {
    // The counters of a coordinator say nothing about the rows of its workers.
    if (this.#isCluster || !this.isKnown()) return false;
    // After a failover it may have changes that the new server lacks.
    if (found.serverStartedAt !== this.#marks.serverStartedAt) return false;
    if (buckets.some((one) => this.#isAhead(one))) return false;
    const byBucket = new Map(found.revisions.map((one) => [one.bucket, one.revision]));
    return [EVERYTHING, ...buckets].every(
      (one) => (byBucket.get(one) ?? 0) >= (this.#counters.get(one)?.highest ?? 0),
    );
  }

  #counter(bucket: number): KnownCounter {
    const known = this.#counters.get(bucket);
    if (known) return known;
    const counter = { changedAt: 0, revision: 0, looked: 0, highest: 0 };
    this.#counters.set(bucket, counter);
    return counter;
  }

  #meet(found: readonly Revision[]): void {
    for (const { bucket, revision } of found) {
      const counter = this.#counter(bucket);
      counter.highest = Math.max(counter.highest, revision);
    }
  }

  /** What was read earlier may be answered later. */
  #hear(found: readonly Revision[]): void {
    for (const { bucket, revision } of found) {
      const counter = this.#counter(bucket);
      counter.revision = Math.max(counter.revision, revision);
    }
  }

  #isAhead(bucket: number): boolean {
    return this.#aheadSinceMs.has(bucket) || this.#doubtedUntilMs.has(bucket);
  }

  #change(buckets: Iterable<number>): void {
    this.#moment += 1;
    for (const bucket of buckets) {
      if (bucket === EVERYTHING) this.#forgottenAt = this.#moment;
      else this.#counter(bucket).changedAt = this.#moment;
    }
  }

  #isKnownRevision({ bucket, revision }: Revision): boolean {
    return (this.#counters.get(bucket)?.revision ?? 0) === revision;
  }

  async look(sql: Sql): Promise<void> {
    // Read the clocks before the query. A delay between the two looks like sleep, which is the safe
    // direction.
    const wallMs = this.#wallMs();
    const askedAtMs = this.#nowMs();
    const number = this.#looks + 1;
    const marks = await listMarks(sql, this.#marks);
    const { snapshot, raised: found, serverStartedAt, isCluster } = marks;
    const settled = isCluster ? await findSettled(sql) : null;
    // Another look was answered meanwhile. This one may know less, and pass for lost changes.
    if (number <= this.#looks) return;
    this.#looks = number;
    this.#isCluster = isCluster;
    // Another server may lack the last commits, and its counters may reach the same numbers by other
    // changes. If a counter is lower than before, changes are lost, and maybe others.
    const isOther = serverStartedAt !== this.#marks.serverStartedAt;
    const isBehind = !isOther && this.#isBehind(found);
    if (isOther || isBehind) this.#forgetAll();
    for (const [bucket, untilMs] of this.#doubtedUntilMs) {
      if (askedAtMs < untilMs) continue;
      this.#doubtedUntilMs.delete(bucket);
      this.#change([bucket]);
    }
    for (const [bucket, sinceMs] of this.#aheadSinceMs) {
      if (sinceMs < askedAtMs) this.#aheadSinceMs.delete(bucket);
    }
    const raised = found.filter((one) => !this.#isKnownRevision(one));
    const buckets = raised.map(({ bucket }) => bucket);
    this.#meet(raised);
    this.#hear(raised);
    this.#change(buckets);
    for (const { bucket, revision } of found) this.#counter(bucket).looked = revision;
    if (settled !== null) {
      this.#await(buckets, snapshot);
      this.#settle(settled);
    }
    this.#marks = isBehind ? NO_MARKS : { snapshot, serverStartedAt };
    this.#knownAtMs = askedAtMs;
    this.#wallAheadMs = wallMs - askedAtMs;
  }

  /** The rows of a change that is seen may not be: its transaction is older than the snapshot's end. */
  #await(buckets: readonly number[], snapshot: string): void {
    const next = BigInt(snapshot.split(':')[1] ?? 0);
    for (const bucket of buckets) this.#unsettled.set(bucket, next);
  }

  #settle(settled: bigint): void {
    for (const [bucket, next] of this.#unsettled) {
      if (settled < next) continue;
      this.#unsettled.delete(bucket);
      this.#change([bucket]);
    }
  }

  #isBehind(found: readonly Revision[]): boolean {
    return found.some(({ bucket, revision }) => {
      return revision < (this.#counters.get(bucket)?.looked ?? 0);
    });
  }

  #forgetAll(): void {
    this.#counters.clear();
    this.#change([EVERYTHING]);
  }
}

/** Counters of a replica, and which server's changes it has. */
export interface ReplicaMarks {
  readonly revisions: readonly Revision[];
  readonly serverStartedAt: string;
}

/** Reads counters as of now. */
export interface ListCounters {
  of(buckets: readonly number[]): Promise<readonly Revision[]>;
  raisedSince(known: KnownMarks): Promise<readonly Revision[]>;
}

export function stampOf(moment: number, subjects: readonly Subject[]): Stamp {
  return { moment, buckets: subjects.map(bucketOf) };
}
