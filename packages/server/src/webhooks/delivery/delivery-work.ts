import type { Clock } from '@servery/support/clock.ts';
import { newGuid } from '@servery/support/ids.ts';
import type { Vault } from '@servery/support/secret.ts';
import { sleep, type Timer } from '@servery/support/timer.ts';
import type { PreparedSecret } from '@servery/webhooks';
import type { Database, Sql } from '../../database/database.ts';
import type { Reach } from '../../reach/reach.ts';
import {
  type DeadlineWork,
  type DoneWork,
  everywhere,
  type RunDueOptions,
} from '../../support/due-work.ts';
import type { Log } from '../../support/log.ts';
import type { EndpointKey } from '../endpoints/endpoint-store.ts';
import { SigningSecrets } from '../endpoints/secrets.ts';
import { SLOW_AFTER } from './circuit.ts';
import type { DeliveryFaults } from './delivery-faults.ts';
import { doneWork } from './done-work.ts';
import {
  type ClaimedDelivery,
  type ClaimPlan,
  claimDueDeliveries,
  findNextDueDelivery,
  type NextDue,
  updateDeliveriesGivenBack,
  updateDeliveryHeld,
  updateWaitingDeliveriesDue,
} from './due-delivery-store.ts';
import { DeliveryLanes } from './lanes.ts';
import { type AttemptDeps, type MadeAttempt, makeAttempt } from './make-attempt.ts';
import { FIRST_WINDOW } from './pace.ts';
import { isPlain, pauseUntried } from './record-attempts.ts';
import { AttemptRecorder } from './recorder.ts';

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
  /** Null or absent where nothing can be ordered to go wrong. */
  readonly faults?: DeliveryFaults | null;
}

/** Added to twice the endpoint's time-outs; after that, another process tries again. */
const LEASE_GRACE_MS = 10_000;
/** Batches free places: a look for each one costs more. */
const ENDED_BEFORE_LOOK = 256;
const LOOK_PAUSE_MS = 4;
/**
 * The more deliveries are under way, the longer the pause before the next claim. That claim then
 * takes more of each endpoint, which is cheaper than a few of each. There is a limit because some of
 * them may hang, and other endpoints must not wait for those.
 */
const UNDER_WAY_FOR_PAUSE = 64;
const PAUSES_AT_MOST = 4;
const BROKEN_SECRET = 'A secret of this endpoint cannot be decrypted. Add a new one.';
const HELD_WORK_PAUSE_MS = 50;
const LONGEST_WAIT_MS = 86_400_000;
const JUST_ONE: ClaimPlan = { limit: 1, open: 1, ofEndpoint: 1, ofPartner: 1, known: [] };

/**
 * Any number of processes can deliver: a lease keeps two from the same delivery, and only its
 * holder writes the outcome. If a process dies between the call and its record, the lease runs out
 * and the same bytes go out again.
 */
export class DeliveryWork implements DeadlineWork {
  readonly #deps: DeliveryWorkDeps;
  readonly #sql: Sql;
  readonly #recorder: AttemptRecorder;
  readonly #lanes: DeliveryLanes;
  readonly #secrets: SigningSecrets;
  readonly #underWay = new Set<Promise<void>>();
  readonly #toldBroken = new Set<string>();
  #pumping: Promise<void> | null = null;
  #isAsked = false;
  #signal = Promise.withResolvers<void>();
  #isTimed = false;
  /** By the last claim. */
  #given = 0;
  /** Since that claim. */
  #ended = 0;
  #behind: string | null = null;

  constructor(deps: DeliveryWorkDeps) {
    this.#deps = deps;
    this.#sql = deps.database.sql;
    this.#recorder = new AttemptRecorder(deps);
    this.#secrets = new SigningSecrets(deps.vault);
    this.#lanes = new DeliveryLanes(() => deps.realClock.nowMs());
    const stop = () => {
      void this.#giveBack(this.#lanes.clearAll());
      this.#askForLook();
    };
    deps.stopping?.addEventListener('abort', stop, { once: true });
  }

  async nextDueMs(reach?: Reach): Promise<number | null> {
    // The next deadline does not include probes of dead endpoints.
    const hasProbes = reach === undefined;
    const next = await findNextDueDelivery(this.#sql, reach ?? everywhere, { hasProbes });
    return next?.dueAt.getTime() ?? null;
  }

  async runDue(nowMs: number, { isSequential, piecesAtMost }: RunDueOptions): Promise<DoneWork[]> {
    if (isSequential) return await this.#runInOrder(nowMs, piecesAtMost);
    this.#lanes.wake();
    await this.#pumpNow();
    return [];
  }

  async clockWentBack(nowMs: number): Promise<void> {
    await updateWaitingDeliveriesDue(this.#sql, new Date(nowMs), new Date(nowMs));
  }

  async bringBack(nowMs: number): Promise<void> {
    const latest = new Date(nowMs + LONGEST_WAIT_MS);
    await updateWaitingDeliveriesDue(this.#sql, new Date(nowMs), latest);
  }

  wake(): void {
    const run = async () => {
      const isFree = (await this.#deps.clock.refresh?.()) ?? true;
      if (isFree) await this.#pumpNow();
    };
    run().catch((error: unknown) => {
      this.#deps.log.warn({ err: error }, 'due deliveries could not be read; retrying soon');
    });
  }

  /** Also claims again what only waits for its turn, after endpoints changed. */
  renew(): void {
    void this.#giveBack(this.#lanes.clearAll()).then(() => this.wake());
  }

  async settled(): Promise<void> {
    // The caller that started it gets the error.
    await this.#pumping?.catch(() => {});
    await Promise.all(this.#underWay);
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
    const pauses = Math.floor(this.#underWay.size / UNDER_WAY_FOR_PAUSE);
    const pauseMs = LOOK_PAUSE_MS * Math.min(Math.max(pauses, 1), PAUSES_AT_MOST);
    this.#deps.timer.after(pauseMs, ask);
  }

  async #pumpAll(): Promise<void> {
    try {
      // A new request can arrive while an empty look ends.
      while ((await this.#pump()) || (this.#isAsked && !this.#deps.stopping?.aborted));
    } finally {
      this.#pumping = null;
      await Promise.all(this.#underWay);
    }
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
    this.#given = claimed.length;
    if (claimed.length > 0 && !(await this.#mayBegin(nowMs, claimed))) return false;
    for (const all of Map.groupBy(claimed, ({ endpointGuid }) => endpointGuid).values()) {
      this.#begin(all);
    }
    if (this.#lanes.filled(plan, claimed)) this.#askSoon();
    if (this.#underWay.size === 0) return this.#isAsked;
    await this.#signal.promise;
    return true;
  }

  /**
   * Reads the clock after the claim because it may have gone back since, and the faults, which may
   * have been ordered just before. While the clock is being
   * moved, only the mover delivers. Gives the claims back when they must not start or the clock
   * cannot be read.
   */
  async #mayBegin(nowMs: number, claimed: readonly ClaimedDelivery[]): Promise<boolean> {
    const { clock, faults, stopping } = this.#deps;
    let mayBegin = false;
    try {
      const [isFree = true] = await Promise.all([clock.refresh?.(), faults?.read()]);
      mayBegin = isFree && clock.nowMs() >= nowMs && !stopping?.aborted;
    } finally {
      if (!mayBegin) await this.#giveBack(claimed);
    }
    return mayBegin;
  }

  /** All of one endpoint. */
  #begin(all: readonly ClaimedDelivery[]): void {
    try {
      const secrets = this.#secretsOf(all);
      for (const claimed of all) {
        const { isOrdered } = claimed.endpoint;
        const run = this.#runOne(claimed, secrets);
        this.#inBackground(isOrdered ? run.finally(() => this.#askForLook()) : run);
      }
    } catch (error) {
      this.#inBackground(this.#pauseBroken(error, all, false));
    }
  }

  /** Throws an Error when none can be opened. */
  #secretsOf([first]: readonly ClaimedDelivery[]): readonly PreparedSecret[] {
    const { clock, log } = this.#deps;
    if (!first) return [];
    return this.#secrets.of(first, clock.nowMs(), (err, secretGuid) => {
      if (this.#toldBroken.has(secretGuid)) return;
      this.#toldBroken.add(secretGuid);
      log.error(
        { err, secretGuid },
        'a webhook secret cannot be decrypted; signing with the others',
      );
    });
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
    if (claimed.length === 0) return;
    await updateDeliveriesGivenBack(this.#sql, claimed).catch((error: unknown) => {
      this.#deps.log.warn(
        { err: error },
        'leases could not be released; they expire by themselves',
      );
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
  async #pauseBroken(
    error: unknown,
    all: readonly ClaimedDelivery[],
    isClockMoved: boolean,
  ): Promise<void> {
    const [first] = all;
    if (!first) return;
    const { log, clock } = this.#deps;
    const { endpointGuid, isProbe } = first;
    log.error({ err: error, endpointGuid }, 'a secret of a webhook endpoint cannot be decrypted');
    this.#lanes.rest(first);
    await pauseUntried(this.#deps, endpointGuid, {
      ...{ failure: BROKEN_SECRET, pause: 'SECRET', askedDelayMs: null, isProbe },
      ...{ isClockMoved, nowMs: clock.nowMs() },
    }).catch((cause: unknown) => {
      log.warn(
        { err: cause, endpointGuid },
        'a webhook endpoint could not be paused; retrying soon',
      );
    });
    await this.#giveBack(all);
  }

  /** A failure stops no other delivery: the lease ends, and another try follows. */
  async #runOne(claimed: ClaimedDelivery, secrets: readonly PreparedSecret[]): Promise<void> {
    await this.#attempt(claimed, secrets).catch((err: unknown) => {
      const { endpointGuid, eventGuid } = claimed;
      this.#deps.log.error(
        { err, endpointGuid, eventGuid },
        'a delivery attempt could not be recorded; it will be repeated',
      );
    });
  }

  async #attempt(
    claimed: ClaimedDelivery,
    secrets: readonly PreparedSecret[],
    isClockMoved = false,
  ): Promise<MadeAttempt | null> {
    // The caller that clears a lane gives back what waited in it.
    const number = await this.#lanes.enter(claimed);
    if (number === null) return null;
    try {
      const made = await this.#call(claimed, secrets, number, isClockMoved);
      if (!made) {
        await this.#giveBack([claimed]);
        return null;
      }
      // Many failing endpoints are written one by one; no other endpoint waits for that.
      if (!isPlain(made)) this.#lanes.release(claimed);
      const isUrgent = claimed.endpoint.isOrdered || isClockMoved;
      if (!(await this.#recorder.record(made, isUrgent))) return null;
      this.#deps.attempted?.(made);
      return made;
    } finally {
      this.#ended += 1;
      const hasMore = this.#lanes.finish(claimed);
      const isHalfOver = this.#ended * 2 >= this.#given;
      if (this.#ended >= ENDED_BEFORE_LOOK && isHalfOver) this.#askForLook();
      else if (hasMore) this.#askSoon();
    }
  }

  async #call(
    claimed: ClaimedDelivery,
    secrets: readonly PreparedSecret[],
    number: number,
    isClockMoved: boolean,
  ): Promise<MadeAttempt | null> {
    try {
      const fault = (await this.#deps.faults?.take(claimed)) ?? null;
      if (fault?.kind === 'hold') {
        const dueAt = new Date(this.#deps.clock.nowMs() + fault.delayMs);
        await updateDeliveryHeld(this.#sql, claimed, { dueAt, fault: fault.name });
        return null;
      }
      const made = await makeAttempt({ ...this.#deps, isClockMoved }, claimed, secrets, fault);
      if (!made) return null;
      const { isInTrouble, hasMended } = this.#lanes.learn(claimed, number, made.attempt);
      // The endpoint may be about to pause, so nothing else starts.
      if (isInTrouble || made.pause !== null) {
        void this.#giveBack(this.#lanes.clear(claimed.endpointGuid));
      }
      return hasMended ? { ...made, hasMended } : made;
    } finally {
      this.#lanes.leave(claimed);
    }
  }

  async #runInOrder(nowMs: number, piecesAtMost = Number.POSITIVE_INFINITY): Promise<DoneWork[]> {
    const { stopping, timer } = this.#deps;
    const done: DoneWork[] = [];
    while (done.length < piecesAtMost && !stopping?.aborted) {
      const next = await findNextDueDelivery(this.#sql, everywhere, { hasProbes: true });
      if (!next || next.dueAt.getTime() > nowMs) return done;
      const made = await this.#runFirst(next);
      if (made) done.push(await doneWork(this.#sql, made));
      else if (!stopping?.aborted) await sleep(HELD_WORK_PAUSE_MS, undefined, timer);
    }
    return done;
  }

  /** Throws on failure: the clock must not move past work that was not done. */
  async #runFirst(next: NextDue): Promise<MadeAttempt | null> {
    const all = await this.#claim(next.dueAt.getTime(), JUST_ONE, next);
    const [first] = all;
    if (!first) return null;
    let secrets: readonly PreparedSecret[];
    try {
      secrets = this.#secretsOf(all);
    } catch (error) {
      await this.#pauseBroken(error, all, true);
      return null;
    }
    await this.#deps.faults?.read();
    return await this.#attempt(first, secrets, true);
  }
}
