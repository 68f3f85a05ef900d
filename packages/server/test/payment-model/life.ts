import { derivedGuid, newRandomId } from '@servery/support/ids.ts';
import type { Database } from '../../src/database/database.ts';
import { type AuthorizeDeps, authorize } from '../../src/payments/authorize/authorize.ts';
import { createUnderWay } from '../../src/payments/authorize/under-way.ts';
import { createPaymentSweep } from '../../src/payments/due/sweep.ts';
import { applyToCheck, captureNow, fulfil, voidPayment } from '../../src/payments/life/orders.ts';
import { paymentStatus } from '../../src/payments/life/status.ts';
import type { PaymentRow } from '../../src/payments/life/store.ts';
import type { Processor } from '../../src/payments/processors/processor.ts';
import type { DueWork } from '../../src/support/due-work.ts';
import { AnswerJudge, type OrderFacts, type PutFacts, type SweepFacts } from './answers.ts';
import type { Action, Command, Go, RunPlan } from './commands.ts';
import { FarEnd } from './far-end.ts';
import { type Reach, stagedDatabase, stagedProcessor } from './faults.ts';
import { listSeen } from './history-store.ts';
import { Judge } from './judge.ts';
import type { Order } from './model.ts';
import { type Process, type ProcessClock, Stage, type Task } from './stage.ts';
import type { Merchant, World } from './world.ts';

/** Who asks for the moves of the orders side. */
const ORDERS_CLIENT = 'orders-client';

/** A defect that is put in on purpose, between the program and what it leans on. */
export interface Sabotage {
  readonly database?: (database: Database, stage: Stage) => Database;
  readonly processor?: (processor: Processor) => Processor;
  readonly sweepClock?: (clock: ProcessClock) => ProcessClock;
  readonly sweep?: (sweep: DueWork) => DueWork;
}

/** What a run came to: the violations, and everything that happened. */
export interface RunResult {
  readonly violations: readonly string[];
  readonly trace: readonly string[];
}

interface LiveProcess extends Process {
  readonly deps: AuthorizeDeps;
  readonly sweep: DueWork;
  /** The clock as its sweep has it. */
  readonly clock: ProcessClock;
}

const NAMES = 'a1d6a2a8-6f0c-4b7e-9d55-3f0a64f7f3c1';
const CHECKS = [derivedGuid(NAMES, 'check 0'), derivedGuid(NAMES, 'check 1')];
const REASONS = ['guest left', 'wrong table'];
const QUIET_ROUNDS_MAX = 120;
/** Longer than any lease and any pause between two tries within a sweep. */
const REAL_STEP_MS = 61_000;
/** No request may be under way for longer than this, or late approvals are looked for in vain. */
const LONG_JUMP_MS = 3_600_000;

/** Plays a run and gives what is wrong with it. */
export async function playRun(
  world: World,
  plan: RunPlan,
  sabotage: Sabotage = {},
): Promise<RunResult> {
  const life = new Life(world, plan, sabotage);
  try {
    await life.play();
  } catch (error) {
    life.judge.fail(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  return { violations: life.judge.violations, trace: life.stage.trace };
}

class Life {
  readonly stage: Stage;
  readonly judge: Judge;
  readonly #world: World;
  readonly #plan: RunPlan;
  readonly #sabotage: Sabotage;
  readonly #merchant: Merchant;
  readonly #farEnd: FarEnd;
  readonly #answers: AnswerJudge;
  readonly #uuids: readonly string[];
  readonly #processes: LiveProcess[];
  readonly #orders = new Map<string, { order: Order; content: string }[]>();
  readonly #firstPuts = new Map<string, number>();
  readonly #facts = new Map<Task, PutFacts | OrderFacts | SweepFacts>();
  /** Whoever moves the clock: only one does at a time. */
  readonly #movers = new Set<Task>();
  #reach: Reach = 'up';
  #seenAt = -1;
  #looking = Promise.resolve();
  #processCount = 0;

  constructor(world: World, plan: RunPlan, sabotage: Sabotage) {
    this.#world = world;
    this.#plan = plan;
    this.#sabotage = sabotage;
    this.stage = new Stage(plan.startMs, plan.isFrozen);
    this.#merchant = at(world.merchants, plan.merchant);
    this.#uuids = plan.payments.map(() => newRandomId());
    this.#farEnd = new FarEnd((paymentId) => {
      const payment = this.judge.paymentOfId(paymentId);
      return payment ? this.#planOf(payment.paymentUuid) : at(plan.payments, 0);
    });
    this.judge = new Judge({
      stage: this.stage,
      farEnd: this.#farEnd,
      day: this.#merchant.day,
      planOf: (paymentUuid) => this.#planOf(paymentUuid),
      ordersOf: (paymentUuid) => this.#orders.get(paymentUuid) ?? [],
      firstPutRealMs: (paymentUuid) => this.#firstPuts.get(paymentUuid) ?? null,
    });
    this.#answers = new AnswerJudge(this.judge, this.stage);
    this.stage.onTime = () => this.#farEnd.tick(this.stage.time.travelledMs);
    this.stage.onTime();
    this.stage.onEnd = (task) => this.#onEnd(task);
    this.#processes = [this.#startProcess(), this.#startProcess()];
  }

  async play(): Promise<void> {
    for (const command of this.#plan.commands) {
      await this.#carryOut(command);
      if (this.judge.violations.length > 0) return;
    }
    await this.#letThingsGetQuiet();
    if (this.judge.violations.length > 0) return;
    await this.#look();
    this.judge.onQuiet();
  }

  #planOf(paymentUuid: string) {
    return at(this.#plan.payments, this.#uuids.indexOf(paymentUuid));
  }

  #startProcess(): LiveProcess {
    const { stage } = this;
    const { sabotage, line } = {
      sabotage: this.#sabotage,
      line: {
        reach: () => this.#reach,
        nowMs: () => stage.time.viewOf(process),
        onCall: async (...call: Parameters<Judge['onCall']>) => {
          await this.#look();
          this.judge.onCall(...call);
        },
        onDelivery: (delivery: Parameters<Judge['onDelivery']>[0]) =>
          this.judge.onDelivery(delivery),
      },
    };
    const database = stagedDatabase(stage, this.#world.database);
    const processor = stagedProcessor(stage, this.#farEnd, line);
    const note = (facts: { readonly err?: Error }, text: string) =>
      stage.note(`  log: ${text} ${facts.err?.message ?? ''}`);
    const log = { debug: ignore, info: ignore, warn: ignore, error: note } as never;
    this.#processCount += 1;
    const process: Process = {
      ...{ name: `process ${this.#processCount}`, isDead: false },
      ...{ unseenMs: 0, unseenSinceRealMs: null },
    };
    const ownClock = stage.clockOf(process);
    const deps: AuthorizeDeps = {
      database: sabotage.database?.(database, stage) ?? database,
      processor: sabotage.processor?.(processor) ?? processor,
      ...{ clock: ownClock, realClock: stage.realClock, timer: stage.timer, log },
      ...{ vault: this.#world.vault, keyring: this.#world.keyring },
      underWay: createUnderWay(),
      kind: 'sandbox',
      repeat: 'replay',
    };
    const clock = sabotage.sweepClock?.(ownClock) ?? ownClock;
    const sweep = createPaymentSweep({ ...deps, clock });
    return Object.assign(process, { deps, clock, sweep: sabotage.sweep?.(sweep) ?? sweep });
  }

  #process(number: number): LiveProcess {
    let process = at(this.#processes, number);
    if (process.isDead) {
      process = this.#startProcess();
      this.#processes[number] = process;
    }
    return process;
  }

  /** Reads what is committed and has it judged, unless nothing can have changed. */
  #look(): Promise<void> {
    // One after the other, so that an older answer never comes after a newer one.
    this.#looking = this.#looking.then(() => this.#lookOnce());
    return this.#looking;
  }

  async #lookOnce(): Promise<void> {
    const { writes } = this.stage;
    if (writes === this.#seenAt) return;
    const { guid } = this.#merchant.restaurant;
    const payments = await listSeen(this.#world.database.sql, guid, this.#uuids);
    this.#seenAt = writes;
    this.judge.onSeen(payments);
  }

  async #onEnd(task: Task): Promise<void> {
    await this.#look();
    const facts = this.#facts.get(task);
    this.#facts.delete(task);
    if (facts && task.end) this.#answers.judge(task, facts);
  }

  async #carryOut({ action, faults, order }: Command): Promise<void> {
    this.stage.plan(faults);
    let digits = order;
    const pick = (count: number) => {
      const picked = digits % count;
      digits = Math.floor(digits / count);
      return picked;
    };
    await this.#act(action, pick);
    await this.#look();
  }

  async #act(action: Action, pick: (count: number) => number): Promise<void> {
    switch (action.kind) {
      case 'jump':
        return await this.#jump(action.durationMs, action.isSeen, pick);
      case 'jumpToDue': {
        const untilMs = ((await this.#nextDueMs()) ?? 0) + action.offsetMs;
        return await this.#jump(untilMs - this.stage.envMs, true, pick);
      }
      case 'back':
        return await this.#go(await this.#back(action), action.go, pick);
      case 'pass':
        return await this.stage.passReal(action.durationMs);
      case 'kill':
        return this.stage.kill(this.#process(action.process));
      case 'reach':
        this.#reach = action.reach;
        return this.stage.note(`the processor is ${action.reach}`);
      case 'captureByHand':
        return this.#captureByHand(action.payment);
      case 'bringBack':
        return await this.#go(this.#bringBack(this.#process(action.process)), action.go, pick);
      case 'sweepBoth':
        await this.#sweep(this.#process(1), false);
        return await this.#go(await this.#sweep(this.#process(0), false), action.go, pick);
      case 'sweep':
        return await this.#go(
          await this.#sweep(this.#process(action.process), action.isSequential),
          action.go,
          pick,
        );
      case 'putPair':
        await this.#put({ ...action, kind: 'put', process: 1 });
        return await this.#go(
          await this.#put({ ...action, kind: 'put', client: 0, content: 0, process: 0 }),
          action.go,
          pick,
        );
      case 'put':
        return await this.#go(await this.#put(action), action.go, pick);
      default:
        return await this.#go(await this.#order(action), action.go, pick);
    }
  }

  async #go(task: Task | null, go: Go, pick: (count: number) => number): Promise<void> {
    const { width } = this.#plan;
    if (!task) return;
    if (go === 'toEnd') return await this.stage.finish(task, width, pick);
    for (let step = 0; step < go && !task.end; step += 1) {
      if (!(await this.stage.step(width, pick))) return;
    }
  }

  async #jump(durationMs: number, isSeen: boolean, pick: (count: number) => number): Promise<void> {
    if (durationMs <= 0 || this.#isBeingMoved()) return;
    const untilMs = this.stage.envMs + durationMs;
    if (durationMs > LONG_JUMP_MS) await this.stage.finishAll(this.#plan.width, pick);
    // Time may have passed while requests came to their ends.
    await this.stage.jump(Math.max(untilMs - this.stage.envMs, 0), isSeen);
  }

  #isBeingMoved(): boolean {
    return this.stage.time.isHeld || [...this.#movers].some(({ end }) => end === null);
  }

  /** A process sets a sandbox's clock back: what waits for the processor comes along. */
  async #back({ process: number, durationMs }: Action & { kind: 'back' }): Promise<Task | null> {
    if (this.#isBeingMoved()) return null;
    await this.#look();
    const { stage } = this;
    const process = this.#process(number);
    const task = stage.spawn('the clock back', process, false, async () => {
      const isFree = await stage.atClock('is held', () => {
        const wasFree = stage.time.look(process);
        if (wasFree) stage.time.hold(process);
        return wasFree;
      });
      if (!isFree) return;
      const targetMs = stage.envMs - durationMs;
      let movedMs = 0;
      try {
        await process.sweep.clockWentBack?.(targetMs);
        movedMs = targetMs - stage.envMs;
      } finally {
        await stage.atClock('is let go of', () => {
          stage.time.release();
          stage.move(movedMs, (one) => one === process);
        });
      }
    });
    this.#movers.add(task);
    return task;
  }

  /** Asked of the program past the stage, because nobody waits for it. */
  async #nextDueMs(): Promise<number | null> {
    const deps = { ...at(this.#processes, 0).deps, database: this.#world.database };
    return await createPaymentSweep(deps).nextDueMs();
  }

  #captureByHand(payment: number): void {
    const seen = this.judge.payment(at(this.#uuids, payment));
    if (seen && this.#farEnd.captureByHand(seen.paymentId)) {
      this.stage.note(`payment ${payment} is captured by hand`);
    }
  }

  async #put(action: Omit<Action & { kind: 'put' }, 'go'>): Promise<Task> {
    await this.#look();
    const { payment, client: clientNumber, content } = action;
    const paymentUuid = at(this.#uuids, payment);
    const plan = at(this.#plan.payments, payment);
    const client = at(this.#world.clients, clientNumber);
    const amountMinor = 1_050 + payment * 100 + content * 50;
    const requestMetadata = {
      ...(client.body.requestMetadata as object),
      ...(plan.isRiskRefused && { guestIdentifier: '0' }),
    };
    const body = { ...client.body, requestMetadata, amount: amountMinor / 100, tipAmount: 2 };
    const { restaurant } = this.#merchant;
    const { principal } = client;
    const process = this.#process(action.process);
    if (!this.#firstPuts.has(paymentUuid)) this.#firstPuts.set(paymentUuid, this.stage.realMs);
    const name = `put ${payment} (client ${clientNumber}, content ${content})`;
    const { clientId } = principal;
    const before = this.judge.payment(paymentUuid);
    const isUp = this.#reach === 'up' || this.#reach === 'deafToInquiries';
    const sent = { besides: {}, keep: () => {}, waitedMs: 0 };
    const task = this.stage.spawn(name, process, true, async () =>
      paymentStatus(
        await authorize(process.deps, { ...sent, principal, restaurant, paymentUuid, body }),
        'number',
      ),
    );
    const facts = { kind: 'put', paymentUuid, clientId, amountMinor, plan, before, isUp } as const;
    this.#facts.set(task, facts);
    return task;
  }

  async #order(
    action: Action & { readonly payment: number; readonly process: number },
  ): Promise<Task> {
    await this.#look();
    const order = action.kind as Order;
    const paymentUuid = at(this.#uuids, action.payment);
    const key = { merchantGuid: this.#merchant.restaurant.guid, paymentUuid };
    const process = this.#process(action.process);
    const { deps } = process;
    let content = '';
    let work: () => Promise<PaymentRow> = () => fulfil(deps, key, ORDERS_CLIENT);
    if (action.kind === 'apply') {
      content = at(CHECKS, action.check);
      work = () => applyToCheck(deps, key, content, ORDERS_CLIENT);
    } else if (action.kind === 'void') {
      content = at(REASONS, action.reason);
      work = () => voidPayment(deps, key, content, ORDERS_CLIENT);
    } else if (action.kind === 'capture') work = () => captureNow(deps, key, ORDERS_CLIENT);
    const before = this.judge.payment(paymentUuid);
    const earlier = this.#orders.get(paymentUuid) ?? [];
    this.#orders.set(paymentUuid, [...earlier, { order, content }]);
    const nowMs = Math.max(this.stage.envMs, this.stage.time.viewOf(process));
    const task = this.stage.spawn(`${order} ${action.payment}`, process, false, work);
    this.#facts.set(task, { kind: 'order', order, content, paymentUuid, before, nowMs });
    return task;
  }

  /** In order is how a mover of the clock does it; otherwise it is what each process does. */
  async #sweep(process: LiveProcess, isSequential: boolean): Promise<Task> {
    await this.#look();
    const { nowMs, isHeld } = this.stage.time;
    const before = this.#uuids.flatMap((paymentUuid) => this.judge.payment(paymentUuid) ?? []);
    const { clock, sweep } = process;
    const isMover = isSequential && !this.#isBeingMoved();
    if (isMover) this.stage.time.look(process);
    const task = this.stage.spawn(
      `sweep${isMover ? ' in order' : ''}`,
      process,
      false,
      async () => {
        if (!isMover && !(await clock.refresh())) return [];
        return await sweep.runDue(clock.nowMs(), { isSequential: isMover });
      },
    );
    if (isMover) this.#movers.add(task);
    const day = this.#merchant.day;
    this.#facts.set(task, { kind: 'sweep', nowMs, isHeld, before, day, uuids: this.#uuids });
    return task;
  }

  /** What each process of a sandbox does now and then. */
  #bringBack(process: LiveProcess): Task {
    const { clock, sweep } = process;
    return this.stage.spawn('bring back', process, false, async () => {
      if (await clock.refresh()) await sweep.bringBack?.(clock.nowMs());
    });
  }

  /** Faults end, everybody comes to an end, and the clock goes from one due instant to the next. */
  async #letThingsGetQuiet(): Promise<void> {
    const first = () => 0;
    this.#reach = 'up';
    this.stage.plan([]);
    await this.stage.finishAll(1, first);
    await this.#look();
    this.stage.note('--- from here on nothing disturbs');
    const keeper = this.#startProcess();
    this.stage.realMs += REAL_STEP_MS;
    this.stage.time.release();
    await this.stage.finish(this.#bringBack(keeper), 1, first);
    await this.#look();
    this.judge.quietSinceMs = this.stage.envMs;
    this.judge.onCalm();
    for (let round = 0; round < QUIET_ROUNDS_MAX; round += 1) {
      const dueMs = await this.#nextDueMs();
      // Nothing fails and nobody else works: whatever was due when the last sweep ran is done.
      if (round > 0 && dueMs !== null && dueMs <= this.stage.envMs) {
        this.judge.fail(`PAY-I3: a sweep left work that was due at ${dueMs}`);
        return;
      }
      const { nowMs, travelledMs } = this.stage.time;
      const lateMs = this.#farEnd.lastEffectMs() - travelledMs + nowMs;
      if (dueMs === null && lateMs === Number.NEGATIVE_INFINITY) return;
      const untilMs = dueMs ?? lateMs;
      await this.stage.jump(Math.max(untilMs - this.stage.envMs, 0), false);
      await this.stage.finish(await this.#sweep(keeper, round % 4 === 3), 1, first);
      if (this.judge.violations.length > 0) return;
    }
    this.judge.fail('it never gets quiet');
  }
}

function at<T>(list: readonly T[], index: number): T {
  const found = list[index % list.length];
  if (found === undefined) throw new Error('an empty list has no element');
  return found;
}

function ignore(): void {}
