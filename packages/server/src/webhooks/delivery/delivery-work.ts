import type { Clock } from '@servery/support/clock.ts';
import { newGuid } from '@servery/support/ids.ts';
import type { Vault } from '@servery/support/secret.ts';
import { sleep, type Timer } from '@servery/support/timer.ts';
import type { Database, Sql } from '../../database/database.ts';
import { type DeadlineWork, type DoneWork, everywhere } from '../../support/due-work.ts';
import type { Log } from '../../support/log.ts';
import type { EndpointKey } from '../endpoints/endpoint-store.ts';
import { type Broken, makeReady, type Ready } from '../endpoints/make-ready.ts';
import { OpenedSecrets } from '../endpoints/opened-secrets.ts';
import { type CircuitEvent, SLOW_AFTER } from './circuit.ts';
import { doneWork } from './done-work.ts';
import {
  type ClaimedDelivery,
  type ClaimPlan,
  claimDueDeliveries,
  findNextDueDelivery,
  type NextDue,
  updateWaitingDeliveriesDue,
} from './due-delivery-store.ts';
import { DeliveryLanes, type Place } from './lanes.ts';
import { LeaseReturns } from './lease-returns.ts';
import { type AttemptDeps, type MadeAttempt, makeAttempt } from './make-attempt.ts';
import { FIRST_WINDOW } from './pace.ts';
import { isPlain, pauseUntried } from './record-attempts.ts';
import { type AttemptRecorder, createRecorder } from './recorder.ts';

export interface DeliveryWorkDeps extends AttemptDeps {
  readonly database: Database;
  readonly vault: Pick<Vault, 'open' | 'digest'>;
  readonly clock: Clock & {
    /** False while the clock is being moved. Absent where the clock cannot be moved. */
    refresh?(): Promise<boolean>;
  };
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
  readonly timer: Timer;
  /** Aborted when the process stops: nothing new starts, and what is under way ends. */
  readonly stopping?: AbortSignal;
  readonly leaseGraceMs?: number;
  readonly attempted?: (made: MadeAttempt) => void;
}

export interface DeliveryWork extends DeadlineWork {
  wake(): void;
  /** Also claims again what only waits for its turn, after endpoints changed. */
  renew(): void;
  settled(): Promise<void>;
}

/** Added to twice the endpoint's time-outs; after that, another process tries again. */
const LEASE_GRACE_MS = 10_000;
/** Batches free places: a look for each one costs more. */
const ENDED_BEFORE_LOOK = 256;
const LOOK_PAUSE_MS = 4;
const BROKEN_SECRET = 'A secret of this endpoint cannot be opened. Add a new one.';
const HELD_WORK_PAUSE_MS = 50;
const LONGEST_WAIT_MS = 86_400_000;

/**
 * Any number of processes can deliver: a lease keeps two from the same delivery, and only its
 * holder writes the outcome. If a process dies between the call and its record, the lease runs out
 * and the same bytes go out again.
 */
export function createDeliveryWork(deps: DeliveryWorkDeps): DeliveryWork {
  const { sql } = deps.database;
  const engine = new Engine(deps);
  return {
    async nextDueMs(reach) {
      // The next deadline does not include probes of dead endpoints.
      const hasProbes = reach === undefined;
      const next = await findNextDueDelivery(sql, reach ?? everywhere, { hasProbes });
      return next?.dueAt.getTime() ?? null;
    },
    runDue: (nowMs, { isSequential, piecesAtMost = Number.POSITIVE_INFINITY }) =>
      isSequential ? engine.runInOrder(nowMs, piecesAtMost) : engine.runAll().then(() => []),
    clockWentBack: (nowMs) => updateWaitingDeliveriesDue(sql, new Date(nowMs), new Date(nowMs)),
    bringBack: (nowMs) =>
      updateWaitingDeliveriesDue(sql, new Date(nowMs), new Date(nowMs + LONGEST_WAIT_MS)),
    wake: () => engine.wake(),
    renew: () => engine.renew(),
    settled: () => engine.settled(),
  };
}

const JUST_ONE: ClaimPlan = { limit: 1, open: 1, ofEndpoint: 1, ofPartner: 1, known: [] };

class Engine {
  readonly #deps: DeliveryWorkDeps;
  readonly #sql: Sql;
  readonly #recorder: AttemptRecorder;
  readonly #secrets: OpenedSecrets;
  readonly #lanes: DeliveryLanes;
  readonly #returns: LeaseReturns;
  readonly #underWay = new Set<Promise<void>>();
  #pumping: Promise<void> | null = null;
  #isAsked = false;
  #signal = Promise.withResolvers<void>();
  #isTimed = false;
  #ended = 0;
  #behind: string | null = null;

  constructor(deps: DeliveryWorkDeps) {
    this.#deps = deps;
    this.#sql = deps.database.sql;
    this.#recorder = createRecorder(deps);
    this.#secrets = new OpenedSecrets(deps.vault, (err, secretGuid) => {
      deps.log.error({ err, secretGuid }, 'a webhook secret cannot be opened; others sign');
    });
    this.#lanes = new DeliveryLanes(() => deps.realClock.nowMs());
    this.#returns = new LeaseReturns(this.#sql);
    deps.stopping?.addEventListener('abort', () => this.#stop(), { once: true });
  }

  #stop(): void {
    void this.#giveBack(this.#lanes.clearAll());
    this.#askForLook();
  }

  renew(): void {
    void this.#giveBack(this.#lanes.clearAll()).then(() => this.wake());
  }

  wake(): void {
    const run = async () => {
      const isFree = (await this.#deps.clock.refresh?.()) ?? true;
      if (isFree) await this.#pumpNow();
    };
    run().catch((error: unknown) => {
      this.#deps.log.warn({ err: error }, 'deliveries could not be looked for; they are soon');
    });
  }

  async runAll(): Promise<void> {
    this.#lanes.wake();
    await this.#pumpNow();
  }

  async #pumpNow(): Promise<void> {
    this.#askForLook();
    if (this.#pumping) return;
    this.#pumping = this.#pumpAll();
    await this.#pumping;
  }

  #askForLook(): void {
    this.#isAsked = true;
    this.#signal.resolve();
  }

  #askSoon(): void {
    if (this.#isTimed) return;
    this.#isTimed = true;
    const ask = () => {
      this.#isTimed = false;
      this.#askForLook();
    };
    this.#deps.timer.after(LOOK_PAUSE_MS, ask);
  }

  async settled(): Promise<void> {
    // The caller that started it gets the error.
    await this.#pumping?.catch(() => {});
    await Promise.all(this.#underWay);
  }

  async #pumpAll(): Promise<void> {
    try {
      while ((await this.#pump()) || this.#isAskedAgain);
    } finally {
      this.#pumping = null;
      await Promise.all(this.#underWay);
    }
  }

  /** A new request can arrive while an empty look ends. */
  get #isAskedAgain(): boolean {
    return this.#isAsked && !this.#deps.stopping?.aborted;
  }

  async #pump(): Promise<boolean> {
    const { clock, stopping } = this.#deps;
    if (stopping?.aborted) return false;
    this.#isAsked = false;
    this.#ended = 0;
    this.#signal = Promise.withResolvers<void>();
    const nowMs = clock.nowMs();
    const plan = this.#lanes.plan();
    const claimed = await this.#claim(nowMs, plan);
    if (claimed.length > 0 && !(await this.#mayBeginAll(nowMs, claimed))) return false;
    const { ready, broken } = makeReady(this.#secrets, claimed, clock.nowMs());
    for (const each of ready) this.#begin(each);
    for (const each of broken) this.#inBackground(this.#pauseBroken(each, false));
    if (this.#lanes.filled(plan, claimed)) this.#askSoon();
    if (this.#underWay.size === 0) return this.#isAsked;
    await this.#signal.promise;
    return true;
  }

  /**
   * Reads the clock after the claim because it may have gone back since. While the clock is being
   * moved, only the mover delivers.
   */
  async #mayBegin(nowMs: number): Promise<boolean> {
    const { clock, stopping } = this.#deps;
    const isFree = (await clock.refresh?.()) ?? true;
    return isFree && clock.nowMs() >= nowMs && !stopping?.aborted;
  }

  /** Gives the claims back when they must not start or the clock cannot be read. */
  async #mayBeginAll(nowMs: number, claimed: readonly ClaimedDelivery[]): Promise<boolean> {
    let mayBegin = false;
    try {
      mayBegin = await this.#mayBegin(nowMs);
    } finally {
      if (!mayBegin) await this.#giveBack(claimed);
    }
    return mayBegin;
  }

  #begin(ready: Ready): void {
    const { isOrdered } = ready.claimed.endpoint;
    this.#inBackground(this.#runOne(ready).finally(() => isOrdered && this.#askForLook()));
  }

  #inBackground(work: Promise<unknown>): void {
    const piece = work.then(() => {
      this.#underWay.delete(piece);
      if (this.#underWay.size === 0) this.#askForLook();
    });
    this.#underWay.add(piece);
  }

  /** Never rejects: a lease that cannot be given back runs out. */
  async #giveBack(claimed: readonly ClaimedDelivery[]): Promise<void> {
    await this.#returns.give(claimed).catch((error: unknown) => {
      this.#deps.log.warn({ err: error }, 'leases could not be given back; they end by themselves');
    });
  }

  async #claim(
    nowMs: number,
    plan: ClaimPlan,
    only: EndpointKey | null = null,
  ): Promise<ClaimedDelivery[]> {
    if (plan.limit <= 0) return [];
    const claimed = await claimDueDeliveries(this.#sql, {
      ...plan,
      now: new Date(nowMs),
      realNow: new Date(this.#deps.realClock.nowMs()),
      leaseHolder: newGuid(),
      graceMs: this.#deps.leaseGraceMs ?? LEASE_GRACE_MS,
      slowAfter: SLOW_AFTER,
      firstWindow: FIRST_WINDOW,
      behind: this.#behind,
      only,
    });
    this.#behind = claimed.at(-1)?.endpointGuid ?? null;
    return claimed;
  }

  /** Never rejects. */
  async #pauseBroken({ error, claimed }: Broken, isClockMoved: boolean): Promise<void> {
    const [first] = claimed;
    const { log, clock } = this.#deps;
    const { endpointGuid, isProbe } = first;
    log.error({ err: error, endpointGuid }, 'a secret of a webhook endpoint cannot be opened');
    const event: CircuitEvent = {
      ...{ failure: BROKEN_SECRET, pause: 'SECRET', askedDelayMs: null, isProbe },
      ...{ isClockMoved, nowMs: clock.nowMs() },
    };
    this.#lanes.rest(first);
    await pauseUntried(this.#deps, endpointGuid, event).catch((cause: unknown) => {
      log.warn({ err: cause, endpointGuid }, 'a webhook endpoint could not be paused; it is soon');
    });
    await this.#giveBack(claimed);
  }

  /** A failure stops no other delivery: the lease ends, and another try follows. */
  async #runOne(ready: Ready): Promise<void> {
    try {
      await this.#attempt(ready);
    } catch (error) {
      const { endpointGuid, eventGuid } = ready.claimed;
      const facts = { err: error, endpointGuid, eventGuid };
      this.#deps.log.error(
        facts,
        'an attempt to deliver could not be written down; it is repeated',
      );
    }
  }

  async #attempt(
    { claimed, secrets }: Ready,
    deps: AttemptDeps = this.#deps,
  ): Promise<MadeAttempt | null> {
    // The caller that clears a lane gives back what waited in it.
    const place = await this.#lanes.enter(claimed);
    if (!place) return null;
    try {
      const made = await this.#call({ claimed, secrets }, place, deps);
      if (!made) {
        await this.#giveBack([claimed]);
        return null;
      }
      const isUrgent = claimed.endpoint.isOrdered || deps.isClockMoved === true;
      // Many failing endpoints are written one by one; no other endpoint waits for that.
      if (!isPlain(made)) this.#lanes.release(claimed);
      if (!(await this.#recorder.record(made, isUrgent))) return null;
      this.#deps.attempted?.(made);
      return made;
    } finally {
      this.#ended += 1;
      const hasMore = this.#lanes.finish(claimed);
      if (this.#ended >= ENDED_BEFORE_LOOK) this.#askForLook();
      else if (hasMore) this.#askSoon();
    }
  }

  async #call({ claimed, secrets }: Ready, place: Place, deps: AttemptDeps) {
    try {
      const made = await makeAttempt(deps, claimed, secrets);
      if (!made) return null;
      const { status, durationMs } = made.attempt;
      const isTaken = made.event.failure === null;
      const attempt = { status, durationMs, isTaken };
      const { isInTrouble, hasMended } = this.#lanes.learn(claimed, place, attempt);
      // The endpoint may be about to pause, so nothing else starts.
      const isLeftAlone = isInTrouble || made.event.pause !== null;
      const cleared = isLeftAlone ? this.#lanes.clear(claimed.endpointGuid) : [];
      void this.#giveBack(cleared);
      return hasMended ? { ...made, hasMended } : made;
    } finally {
      this.#lanes.leave(claimed);
    }
  }

  async runInOrder(nowMs: number, piecesAtMost: number): Promise<DoneWork[]> {
    const { stopping, timer } = this.#deps;
    const done: DoneWork[] = [];
    while (done.length < piecesAtMost && !stopping?.aborted) {
      const next = await findNextDueDelivery(this.#sql, everywhere, { hasProbes: true });
      if (!next || next.dueAt.getTime() > nowMs) return done;
      const made = await this.#runFirst(next);
      const work = made && (await doneWork(this.#sql, made));
      if (work) done.push(work);
      else if (!stopping?.aborted) await sleep(HELD_WORK_PAUSE_MS, undefined, timer);
    }
    return done;
  }

  /** Throws on failure: the clock must not move past work that was not done. */
  async #runFirst(next: NextDue): Promise<MadeAttempt | null> {
    const claimed = await this.#claim(next.dueAt.getTime(), JUST_ONE, next);
    const { ready, broken } = makeReady(this.#secrets, claimed, this.#deps.clock.nowMs());
    for (const each of broken) await this.#pauseBroken(each, true);
    const [first] = ready;
    return first ? await this.#attempt(first, { ...this.#deps, isClockMoved: true }) : null;
  }
}
