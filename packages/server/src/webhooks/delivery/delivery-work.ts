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

/** What delivering leans on. */
export interface DeliveryWorkDeps extends AttemptDeps {
  readonly database: Database;
  readonly vault: Pick<Vault, 'open' | 'digest'>;
  readonly clock: Clock & {
    /** Looks how the clock stands; false while somebody moves it. Absent where nobody can. */
    refresh?(): Promise<boolean>;
  };
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
  readonly timer: Timer;
  /** Is aborted when the process stops: nothing more is begun then; what is under way ends. */
  readonly stopping?: AbortSignal;
  /**
   * How long a lease outlasts the time-outs of its endpoint, in milliseconds; 10,000 when absent.
   */
  readonly leaseGraceMs?: number;
  /** Is told of every attempt that was written down. */
  readonly attempted?: (made: MadeAttempt) => void;
}

/** The delivery of events, as due work that can be woken. */
export interface DeliveryWork extends DeadlineWork {
  /** Looks for what is due at once, for instance because an event was just written. */
  wake(): void;
  /** The same after endpoints changed: what only waits for its turn is claimed anew. */
  renew(): void;
  /** Resolves when nothing is under way; nothing more is begun once the process stops. */
  settled(): Promise<void>;
}

/** Beyond twice the time-outs of an endpoint: after that long somebody else tries again. */
const LEASE_GRACE_MS = 10_000;
/** So many attempts end before their places are filled again: a look for each one costs more. */
const ENDED_BEFORE_LOOK = 256;
/** So long nobody looks for an endpoint that has room while others are under way. */
const LOOK_PAUSE_MS = 4;
/** What is told of an endpoint that nothing can be signed for. */
const BROKEN_SECRET = 'A secret of this endpoint cannot be opened. Add a new one.';
/** How long to wait before looking again whether the holder of due work is done with it. */
const HELD_WORK_PAUSE_MS = 50;
/** Nothing waits longer than this for its next attempt: what an answer may ask for at most. */
const LONGEST_WAIT_MS = 86_400_000;

/**
 * Delivers what is due. Any number of processes may do it: a lease keeps them from the same
 * delivery, and who holds it decides whose outcome is written. A process that is killed between a
 * call and its record leaves the lease to its end; then the same bytes are sent again.
 */
export function createDeliveryWork(deps: DeliveryWorkDeps): DeliveryWork {
  const { sql } = deps.database;
  const engine = new Engine(deps);
  return {
    async nextDueMs(reach) {
      // Who asks for the next deadline wants no probe of an endpoint that is dead.
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
  /** What this process has begun in the background. */
  readonly #underWay = new Set<Promise<void>>();
  #pumping: Promise<void> | null = null;
  /** Somebody asked for a look since the last one began, or what ended since has made room. */
  #isAsked = false;
  /** Tells the pump that there may be more. */
  #signal = Promise.withResolvers<void>();
  /** A look is asked for soon. */
  #isTimed = false;
  /** How many attempts have ended since the last look. */
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

  /** What waits for a place is given back at once; what is under way goes on. */
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

  /** Begins all that is due as there is room for it, and has a look at endpoints in trouble. */
  async runAll(): Promise<void> {
    this.#lanes.wake();
    await this.#pumpNow();
  }

  /** One at a time does it, for all who ask. */
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

  /** An endpoint has room: what others have room for is looked for with it. */
  #askSoon(): void {
    if (this.#isTimed) return;
    this.#isTimed = true;
    const ask = () => {
      this.#isTimed = false;
      this.#askForLook();
    };
    this.#deps.timer.after(LOOK_PAUSE_MS, ask);
  }

  /** Waits for what is under way. */
  async settled(): Promise<void> {
    // What went wrong is told to whoever began it.
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

  /** Somebody asked while a look that found nothing came to its end. */
  get #isAskedAgain(): boolean {
    return this.#isAsked && !this.#deps.stopping?.aborted;
  }

  /** One look at what is due; false when nothing is, and nothing under way can make room. */
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
   * Whether what was just claimed may be begun. The clock is looked at after the claim: it may have
   * gone back since it was read. While somebody moves the clock, the work is that mover's.
   */
  async #mayBegin(nowMs: number): Promise<boolean> {
    const { clock, stopping } = this.#deps;
    const isFree = (await clock.refresh?.()) ?? true;
    return isFree && clock.nowMs() >= nowMs && !stopping?.aborted;
  }

  /** The same for what was claimed; it is given back where it may not be begun, or nobody knows. */
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

  /** Goes on with something that never rejects, while others are looked for. */
  #inBackground(work: Promise<unknown>): void {
    const piece = work.then(() => {
      this.#underWay.delete(piece);
      if (this.#underWay.size === 0) this.#askForLook();
    });
    this.#underWay.add(piece);
  }

  /** Never rejects: where a lease cannot be given back, it comes to its end. */
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

  /** Pauses an endpoint that nothing can be signed for, and no other; never rejects. */
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

  /** One that fails keeps no other from its work: its lease ends, and it is tried again. */
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

  /** Makes one attempt and writes it down; null when nothing came of it. */
  async #attempt(
    { claimed, secrets }: Ready,
    deps: AttemptDeps = this.#deps,
  ): Promise<MadeAttempt | null> {
    // Whoever clears a lane gives back what waited in it.
    const place = await this.#lanes.enter(claimed);
    if (!place) return null;
    try {
      const made = await this.#call({ claimed, secrets }, place, deps);
      if (!made) {
        await this.#giveBack([claimed]);
        return null;
      }
      const isUrgent = claimed.endpoint.isOrdered || deps.isClockMoved === true;
      // Many endpoints that fail are written one by one: nobody else waits for that.
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

  /** Makes the call and leaves the place to the next one, unless the endpoint is in trouble. */
  async #call({ claimed, secrets }: Ready, place: Place, deps: AttemptDeps) {
    try {
      const made = await makeAttempt(deps, claimed, secrets);
      if (!made) return null;
      const { status, durationMs } = made.attempt;
      const isTaken = made.event.failure === null;
      const attempt = { status, durationMs, isTaken };
      const { isInTrouble, hasMended } = this.#lanes.learn(claimed, place, attempt);
      // What waits for it is left alone: there may be a pause.
      const isLeftAlone = isInTrouble || made.event.pause !== null;
      const cleared = isLeftAlone ? this.#lanes.clear(claimed.endpointGuid) : [];
      void this.#giveBack(cleared);
      return hasMended ? { ...made, hasMended } : made;
    } finally {
      this.#lanes.leave(claimed);
    }
  }

  /** Whatever is due earliest comes first; what another process works on is waited for. */
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

  /** A failure is passed on: the clock must not move past work that was not done. */
  async #runFirst(next: NextDue): Promise<MadeAttempt | null> {
    const claimed = await this.#claim(next.dueAt.getTime(), JUST_ONE, next);
    const { ready, broken } = makeReady(this.#secrets, claimed, this.#deps.clock.nowMs());
    for (const each of broken) await this.#pauseBroken(each, true);
    const [first] = ready;
    return first ? await this.#attempt(first, { ...this.#deps, isClockMoved: true }) : null;
  }
}
