import type { Sql } from '@servery/postgres/sql.ts';
import { findSettled, type KnownMarks, listMarks, type Revision } from './change-mark-store.ts';
import { BUCKETS, bucketOf, type Subject } from './subjects.ts';

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

const NO_MARKS: KnownMarks = { snapshot: '', total: '' };

/** How long a COMMIT whose answer was lost may still take effect. */
const DOUBTED_FOR_MS = 60_000;

/**
 * Knows own changes at COMMIT and others' as of the last look. Take the moment before you read, and
 * check the stamp before you use what you remember. Nothing may be used if the last look is too
 * old.
 */
export class Freshness {
  readonly #nowMs: () => number;
  readonly #wallMs: () => number;
  readonly #changedAt = new Float64Array(BUCKETS);
  /** The highest counters that were met on this server. A replica must not answer with less. */
  readonly #highest = new Float64Array(BUCKETS);
  /** Since when more is known of a subject than its counter says. */
  readonly #aheadSinceMs = new Map<number, number>();
  #moment = 0;
  #revisions: string[] = [];
  /** A later look must not find a lower counter. */
  #looked: readonly string[] = [];
  readonly #list: ListRevisions | null;
  #marks: KnownMarks = NO_MARKS;
  #serverStartedAt = '';
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
  constructor(
    nowMs: () => number,
    list: ListRevisions | null = null,
    wallMs: () => number = nowMs,
  ) {
    this.#nowMs = nowMs;
    this.#list = list;
    this.#wallMs = wallMs;
  }

  /** Of the server of the last look; empty before it. */
  get serverStartedAt(): string {
    return this.#serverStartedAt;
  }

  begin(): number {
    this.#moment += 1;
    return this.#moment;
  }

  isCurrent({ moment, buckets }: Stamp): boolean {
    if (this.#doubtedUntilMs.size > 0 && buckets.some((one) => this.#doubtedUntilMs.has(one))) {
      return false;
    }
    if (this.#unsettled.size > 0 && buckets.some((one) => this.#unsettled.has(one))) return false;
    for (let at = 0; at < buckets.length; at += 1) {
      if ((this.#changedAt[buckets[at] as number] as number) > moment) return false;
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
      const known = this.#revisions[bucket];
      if (Number(known) + 1 === Number(revision)) this.#revisions[bucket] = revision;
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
    if (this.#unknownOf(seen ?? (await this.#list(buckets))).length === 0) return;
    // A transaction raises all its counters at once. After one of its changes was read, none of its
    // other old values may be used, so read all counters.
    const raised = this.#unknownOf(await this.#list(EVERY_BUCKET));
    this.#meet(raised);
    if (!this.#isCluster) {
      for (const { bucket, revision } of raised) this.#revisions[bucket] = revision;
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
    if (found.serverStartedAt !== this.#serverStartedAt) return false;
    // The first look at another server may not have read its counters.
    if (this.#revisions.length === 0 || buckets.some((one) => this.#isAhead(one))) return false;
    const byBucket = new Map(found.revisions.map((one) => [one.bucket, Number(one.revision)]));
    return buckets.every((one) => (byBucket.get(one) ?? -1) >= (this.#highest[one] as number));
  }

  #meet(found: readonly Revision[]): void {
    for (const { bucket, revision } of found) {
      this.#highest[bucket] = Math.max(this.#highest[bucket] as number, Number(revision));
    }
  }

  #isAhead(bucket: number): boolean {
    return this.#aheadSinceMs.has(bucket) || this.#doubtedUntilMs.has(bucket);
  }

  #change(buckets: Iterable<number>): void {
    this.#moment += 1;
    for (const bucket of buckets) this.#changedAt[bucket] = this.#moment;
  }

  #unknownOf(found: readonly Revision[]): Revision[] {
    return found.filter(({ bucket, revision }) => this.#revisions[bucket] !== revision);
  }

  async look(sql: Sql): Promise<void> {
    // Read the clocks before the query. A delay between the two looks like sleep, which is the safe
    // direction.
    const wallMs = this.#wallMs();
    const askedAtMs = this.#nowMs();
    const number = this.#looks + 1;
    const known = this.#marks;
    const marks = await listMarks(sql, known);
    const { snapshot, total, revisions, serverStartedAt, isCluster } = marks;
    const settled = isCluster ? await findSettled(sql) : null;
    // Another look was answered meanwhile. This one may know less, and pass for lost changes.
    if (number <= this.#looks) return;
    this.#looks = number;
    this.#isCluster = isCluster;
    const isOtherServer = serverStartedAt !== this.#serverStartedAt;
    if (isOtherServer) this.#meetServer(serverStartedAt);
    for (const [bucket, untilMs] of this.#doubtedUntilMs) {
      if (askedAtMs < untilMs) continue;
      this.#doubtedUntilMs.delete(bucket);
      this.#change([bucket]);
    }
    for (const [bucket, sinceMs] of this.#aheadSinceMs) {
      if (sinceMs < askedAtMs) this.#aheadSinceMs.delete(bucket);
    }
    if (revisions !== null) {
      // Changes that raised a counter are lost, and maybe others.
      if (isBehind(this.#looked, revisions)) this.#forgetAll();
      this.#looked = revisions;
      const raised = [...differing(this.#revisions, revisions)];
      this.#meet(raised.map((bucket) => ({ bucket, revision: revisions[bucket] as string })));
      this.#change(raised);
      if (settled !== null) this.#await(raised, snapshot);
      this.#revisions = [...revisions];
    }
    if (settled !== null) this.#settle(settled);
    // Of another server, everything is read again.
    const isWhole = !isOtherServer || revisions !== null;
    this.#marks = isWhole ? { snapshot, total: total ?? known.total } : NO_MARKS;
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

  /**
   * A new server may lack the last commits, and its counters may reach the same numbers by other
   * changes.
   */
  #meetServer(startedAt: string): void {
    this.#serverStartedAt = startedAt;
    this.#looked = [];
    this.#forgetAll();
  }

  #forgetAll(): void {
    this.#revisions = [];
    this.#highest.fill(0);
    this.#change(this.#changedAt.keys());
  }
}

const EVERY_BUCKET: readonly number[] = Array.from({ length: BUCKETS }, (_, bucket) => bucket);

/** Counters of a replica, and which server's changes it has. */
export interface ReplicaMarks {
  readonly revisions: readonly Revision[];
  readonly serverStartedAt: string;
}

export type ListRevisions = (buckets: readonly number[]) => Promise<readonly Revision[]>;

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
