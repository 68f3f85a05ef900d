import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock } from '@servery/support/clock.ts';
import { nextTurn } from '@servery/support/runner.ts';
import type { Timer } from '@servery/support/timer.ts';
import { EnvironmentTime, type Follower } from './clocks.ts';

/** The calls that leave a process of ours: at each of them it waits for its turn. */
export type Port =
  | 'transaction'
  | 'statement'
  | 'authorize'
  | 'inquire'
  | 'capture'
  | 'void'
  | 'clock';

/** A fault that hits calls with certain numbers, counted from the command that planned it. */
export interface PlannedFault {
  /** Which calls are counted, and hit. */
  readonly on: 'any' | 'database' | 'processor';
  readonly at: number;
  /** How many calls in a row it hits. */
  readonly span: number;
  /** Which of the faults that the call's port knows. */
  readonly variant: number;
}

/** A process of ours: it shares nothing with another one, and dies as a whole. */
export interface Process extends Follower {
  readonly name: string;
}

/** The environment's clock in the hands of one process, which may lag behind it. */
export interface ProcessClock extends Clock {
  refresh(): Promise<boolean>;
}

/** How a task ended. */
export type TaskEnd =
  | { readonly end: 'value'; readonly value: unknown }
  | { readonly end: 'error'; readonly error: unknown }
  | { readonly end: 'crashed' };

/** Something that a process of ours does: a request, an order, a sweep. */
export interface Task {
  readonly name: string;
  readonly process: Process;
  end: TaskEnd | null;
  /** It works on threads that the scheduler does not see, and has not called a port yet. */
  isDeciding: boolean;
  /** Something went wrong that its caller may notice. */
  hadFault: boolean;
  /** How often a COMMIT of it had no answer. */
  lostCommits: number;
  hadTimeout: boolean;
  /** Another task was under way while it was, or time passed. */
  wasAlone: boolean;
}

interface Gate {
  readonly task: Task;
  readonly port: Port;
  readonly what: string;
  readonly open: (variant: number | null) => void;
  readonly closed: Promise<void>;
}

interface Wait {
  readonly task: Task;
  readonly dueRealMs: number;
  readonly run: () => void;
}

/** What a port does once it is let through; `late` comes after others have had their turn. */
export type Performed<T> = { readonly value: T } | { readonly late: Promise<T> };

/** The death of the calling process, before or after its call. */
export type Crash = 'before' | 'after' | null;

const TURNS_MAX = 20_000;

/**
 * Lets one call of the processes happen after another in an order that is drawn, so that a run can
 * be repeated; holds the two clocks and the timers; kills processes.
 */
export class Scheduler {
  readonly time: EnvironmentTime;
  realMs = 1_000_000_000_000;
  readonly trace: string[] = [];
  /** When a fault, a crash or a time-out was met last, in real time. */
  lastTroubleRealMs = Number.NEGATIVE_INFINITY;
  /** Is told after every change of the environment's clock. */
  onTime: () => void = () => {};
  /** Is told of tasks that have ended, before anything else happens. */
  onEnd: (task: Task) => Promise<void> = async () => {};
  readonly #tasks = new Set<Task>();
  readonly #ended: Task[] = [];
  readonly #waits = new Set<Wait>();
  readonly #current = new AsyncLocalStorage<Task>();
  #gates: Gate[] = [];
  /** Wakes what waits for work on other threads. */
  #onDecided: () => void = () => {};
  #faults: readonly PlannedFault[] = [];
  #calls = { any: 0, database: 0, processor: 0 };
  #writes = 0;

  constructor(envMs: number, isFrozen: boolean) {
    this.time = new EnvironmentTime(envMs, isFrozen);
  }

  get envMs(): number {
    return this.time.nowMs;
  }

  readonly realClock: Clock = { nowMs: () => this.realMs };
  readonly timer: Timer = {
    after: (durationMs, run) => this.#after(durationMs, run),
    elapsedMs: () => this.realMs,
  };

  /** Whose work the running code is; every port asks. */
  task(): Task {
    const task = this.#current.getStore();
    if (!task) throw new Error('a port was called outside of a task');
    return task;
  }

  /** Something is under way: tasks, or work that goes on after its caller was answered. */
  get isBusy(): boolean {
    return this.#tasks.size + this.#gates.length + this.#waits.size > 0;
  }

  /** Counts what may have changed the database, once it has. */
  get writes(): number {
    return this.#writes;
  }

  note(text: string): void {
    this.trace.push(`${this.envMs} ${text}`);
  }

  /** The faults of a command, counted from now; those of an earlier one are off. */
  plan(faults: readonly PlannedFault[]): void {
    this.#faults = faults;
    this.#calls = { any: 0, database: 0, processor: 0 };
  }

  /** The environment's clock as a process has it: to look at it is a call like others. */
  clockOf(process: Process): ProcessClock {
    this.time.follow(process);
    return {
      nowMs: () => this.time.viewOf(process),
      refresh: () => this.atClock('looks', () => this.time.look(process)),
    };
  }

  /** Does something to the clock, or with it, when it is its turn; it never fails. */
  async atClock<T>(what: string, happen: () => T): Promise<T> {
    const perform = async () => ({ value: happen() });
    return await this.call('clock', what, perform, () => null);
  }

  spawn(name: string, process: Process, isDeciding: boolean, work: () => Promise<unknown>): Task {
    const wasAlone = !this.isBusy;
    if (wasAlone) this.time.rest();
    for (const other of this.#tasks) other.wasAlone = false;
    const task: Task = {
      ...{ name, process, end: null, isDeciding, wasAlone },
      hadFault: false,
      lostCommits: 0,
      hadTimeout: false,
    };
    this.#tasks.add(task);
    this.note(`${process.name} begins ${name}`);
    this.#current
      .run(task, work)
      .then(
        (value): TaskEnd => ({ end: 'value', value }),
        (error): TaskEnd => ({ end: 'error', error }),
      )
      .then((end) => this.#end(task, end));
    return task;
  }

  /** Ends a process in the middle of whatever it does: nothing of it ever goes on. */
  kill(process: Process): void {
    this.note(`${process.name} is killed`);
    process.isDead = true;
    this.time.onDeath(process, this.realMs);
    this.lastTroubleRealMs = this.realMs;
    this.#gates = this.#gates.filter(({ task }) => task.process !== process);
    for (const wait of this.#waits) if (wait.task.process === process) this.#waits.delete(wait);
    for (const task of [...this.#tasks]) {
      if (task.process === process) this.#end(task, { end: 'crashed' }, true);
    }
  }

  /** One call of a port: waits for its turn, and never comes back to a dead process. */
  async call<T>(
    port: Port,
    what: string,
    perform: (variant: number | null) => Promise<Performed<T>>,
    crashOf: (variant: number) => Crash,
  ): Promise<T> {
    const task = this.task();
    if (task.process.isDead) return never();
    task.isDeciding = false;
    this.#onDecided();
    const opened = Promise.withResolvers<number | null>();
    const closed = Promise.withResolvers<void>();
    this.#gates.push({ task, port, what, open: opened.resolve, closed: closed.promise });
    const variant = await opened.promise;
    const crash = variant === null ? null : crashOf(variant);
    if (crash === 'before') {
      this.kill(task.process);
      closed.resolve();
      return never();
    }
    try {
      const performed = await perform(crash ? null : variant).finally(() => {
        if (port === 'transaction' || port === 'statement') this.#writes += 1;
      });
      if (crash === 'after') this.kill(task.process);
      closed.resolve();
      if (task.process.isDead) return never();
      const value = 'value' in performed ? performed.value : await performed.late;
      return task.process.isDead ? never() : value;
    } catch (error) {
      closed.resolve();
      if (task.process.isDead) return never();
      throw error;
    }
  }

  /** Lets up to `width` waiting calls happen, at once; false when none waits. */
  async step(width: number, pick: (count: number) => number): Promise<boolean> {
    await this.#turn();
    const opened: Gate[] = [];
    while (opened.length < width && this.#gates.length > 0) {
      const [gate] = this.#gates.splice(pick(this.#gates.length), 1);
      if (gate) opened.push(gate);
    }
    for (const gate of opened) {
      const fault = this.#nextFault(gate.port);
      this.note(`${gate.task.process.name} ${gate.task.name}: ${gate.port} ${gate.what}`);
      gate.open(fault?.variant ?? null);
    }
    await Promise.all(opened.map(({ closed }) => closed));
    await this.#turn();
    return opened.length > 0;
  }

  #nextFault(port: Port): PlannedFault | null {
    if (port === 'clock') return null;
    const end = port === 'transaction' || port === 'statement' ? 'database' : 'processor';
    const counted = ['any', end] as const;
    const fault = this.#faults.find(
      ({ on, at, span }) =>
        (on === 'any' || on === end) && this.#calls[on] >= at && this.#calls[on] < at + span,
    );
    for (const name of counted) this.#calls[name] += 1;
    return fault ?? null;
  }

  /** Remembers that something went wrong for a task, so that less is predicted of it. */
  trouble(task: Task): void {
    task.hadFault = true;
    this.lastTroubleRealMs = this.realMs;
  }

  /** Runs until `task` has ended; time passes to the next timer when nothing else is left. */
  async finish(task: Task, width: number, pick: (count: number) => number): Promise<void> {
    await this.#goOnWhile(() => !task.end, task.name, width, pick);
  }

  /** Runs until nothing is under way. */
  async finishAll(width: number, pick: (count: number) => number): Promise<void> {
    await this.#turn();
    await this.#goOnWhile(() => this.isBusy, 'everything', width, pick);
  }

  async #goOnWhile(
    lasts: () => boolean,
    name: string,
    width: number,
    pick: (count: number) => number,
  ): Promise<void> {
    for (let turns = 0; lasts(); turns += 1) {
      if (turns > TURNS_MAX) throw new Error(`${name} goes on for ever`);
      if ((await this.step(width, pick)) || !lasts()) continue;
      const next = Math.min(...[...this.#waits].map(({ dueRealMs }) => dueRealMs));
      if (next === Number.POSITIVE_INFINITY) throw new Error(`${name} is stuck`);
      await this.passReal(next - this.realMs);
    }
  }

  /** Moves the environment's clock alone, as a sandbox can. */
  async jump(durationMs: number, isSeen = true): Promise<void> {
    await this.#turn();
    this.move(durationMs, () => isSeen);
    await this.#turn();
  }

  /** Moves the clock within a call; those in `seenBy` know at once. */
  move(durationMs: number, seenBy: (process: Follower) => boolean): void {
    this.time.move(durationMs, this.realMs, seenBy);
    this.note(`the clock jumps ${durationMs} ms`);
    for (const task of this.#tasks) task.wasAlone = false;
    this.onTime();
  }

  /** Lets real time pass, timers firing on the way; the other clock goes along or stands. */
  async passReal(durationMs: number): Promise<void> {
    await this.#turn();
    const untilMs = this.realMs + durationMs;
    for (;;) {
      const due = [...this.#waits].filter(({ dueRealMs }) => dueRealMs <= untilMs);
      const wait = due.toSorted((one, other) => one.dueRealMs - other.dueRealMs)[0];
      this.#setReal(wait ? Math.max(this.realMs, wait.dueRealMs) : untilMs);
      if (!wait) break;
      this.#waits.delete(wait);
      wait.task.hadTimeout = true;
      wait.run();
      await this.#turn();
    }
    await this.#turn();
  }

  #setReal(realMs: number): void {
    if (realMs === this.realMs) return;
    for (const task of this.#tasks) task.wasAlone = false;
    const durationMs = realMs - this.realMs;
    this.realMs = realMs;
    this.time.pass(realMs, durationMs);
    this.onTime();
  }

  #after(durationMs: number, run: () => void): () => void {
    const task = this.task();
    if (task.process.isDead) return () => {};
    const wait: Wait = { task, dueRealMs: this.realMs + durationMs, run };
    this.#waits.add(wait);
    return () => void this.#waits.delete(wait);
  }

  #end(task: Task, end: TaskEnd, isKilled = false): void {
    if (task.end || (task.process.isDead && !isKilled)) return;
    task.end = end;
    this.#tasks.delete(task);
    this.#ended.push(task);
    this.#onDecided();
  }

  /** Everything that can go on without a port goes on; then the ends are told. */
  async #turn(): Promise<void> {
    await nextTurn();
    while ([...this.#tasks].some(({ isDeciding }) => isDeciding)) {
      await new Promise<void>((resolve) => {
        this.#onDecided = resolve;
      });
      await nextTurn();
    }
    for (let task = this.#ended.shift(); task; task = this.#ended.shift()) await this.onEnd(task);
  }
}

function never(): Promise<never> {
  return new Promise(() => {});
}
