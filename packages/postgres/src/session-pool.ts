import { monotonicMs } from '@servery/support/clock.ts';
import { machineTimer, within } from '@servery/support/timer.ts';
import type { Session } from './session.ts';
import type { Send } from './sql.ts';

export interface PoolState {
  readonly held: number;
  readonly busy: number;
  readonly idle: number;
  readonly waitingTransactions: number;
  readonly waitingStatements: number;
}

interface Member {
  readonly session: Session;
  readonly openedAtMs: number;
  usedAtMs: number;
  inFlight: number;
  isHeld: boolean;
  /** Promised to a waiting holder: it gets no new statements. */
  isPromised: boolean;
}

interface Waiter {
  readonly needsWhole: boolean;
  readonly resolve: (member: Member) => void;
  readonly reject: (error: Error) => void;
}

// Replacing connections now and then spreads the load of a cluster again after a failover.
const MAX_AGE_MS = 45 * 60_000;
// A process that rests leaves its connections to others.
const MAX_IDLE_MS = 60_000;

export class SessionPool {
  readonly #open: () => Session;
  readonly #size: number;
  readonly #waitLimitMs: number;
  readonly #nowMs: () => number;
  readonly #members = new Set<Member>();
  readonly #waiters: Waiter[] = [];
  #isClosed = false;
  #isOnHold = false;
  #onSettled = () => {};

  constructor(open: () => Session, size: number, waitLimitMs: number, nowMs = monotonicMs) {
    this.#open = open;
    this.#size = size;
    this.#waitLimitMs = waitLimitMs;
    this.#nowMs = nowMs;
  }

  /** Sends one statement on an idle session, on a new one, or else on the least busy one. */
  readonly send: Send = async (strings, values) => {
    const member = await this.#take(false);
    try {
      return await member.session.send(strings, values);
    } finally {
      member.inFlight -= 1;
      this.#settle(member);
    }
  };

  /** Waits in line for a session that the caller then holds alone. */
  async acquire(): Promise<Session> {
    return (await this.#take(true)).session;
  }

  #take(needsWhole: boolean): Promise<Member> {
    if (this.#isClosed) return Promise.reject(new Error('the database pool is closed'));
    const member = this.#find(needsWhole);
    if (member) return Promise.resolve(this.#occupy(member, needsWhole));
    if (needsWhole) this.#promiseOne();
    return this.#wait(needsWhole);
  }

  /** Ends the session unless it `isSound`, because work may be left on it. */
  release(session: Session, isSound: boolean): void {
    for (const member of this.#members) {
      if (member.session !== session) continue;
      member.isHeld = false;
      session.limitStatements(undefined);
      if (isSound) this.#settle(member);
      else this.#discard(member);
      this.#onSettled();
    }
  }

  state(): PoolState {
    const members = [...this.#members];
    const held = members.filter(({ isHeld }) => isHeld).length;
    const busy = members.filter(({ isHeld, inFlight }) => !isHeld && inFlight > 0).length;
    const waitingTransactions = this.#waiters.filter(({ needsWhole }) => needsWhole).length;
    const waitingStatements = this.#waiters.length - waitingTransactions;
    const idle = members.length - held - busy;
    return { held, busy, idle, waitingTransactions, waitingStatements };
  }

  /** Refuses new work, waits up to `graceMs` for running work, and ends all sessions. */
  async close(graceMs: number): Promise<void> {
    this.#isClosed = true;
    for (const waiter of this.#waiters.splice(0)) {
      waiter.reject(new Error('the database pool is closed'));
    }
    await Promise.all([...this.#members].map((member) => member.session.end(graceMs)));
  }

  /**
   * From now on work waits in line, with its usual limit. Resolves when running work is done, or
   * given up after `graceMs`, and no session is left.
   */
  async hold(graceMs: number): Promise<void> {
    this.#isOnHold = true;
    const { promise: settled, resolve } = Promise.withResolvers<void>();
    this.#onSettled = () => {
      if ([...this.#members].every(({ isHeld, inFlight }) => !isHeld && inFlight === 0)) resolve();
    };
    this.#onSettled();
    await within(settled, graceMs);
    await Promise.all([...this.#members].map((member) => member.session.end(0)));
  }

  resume(): void {
    this.#isOnHold = false;
    this.#onSettled = () => {};
    this.#serveWaiters();
  }

  #find(needsWhole: boolean): Member | null {
    if (this.#isOnHold) return null;
    let best: Member | null = null;
    for (const member of this.#members) {
      if (member.isHeld || member.isPromised || member.session.hasEnded()) continue;
      if (member.inFlight === 0) return member;
      if (!needsWhole && member.inFlight < (best?.inFlight ?? Number.POSITIVE_INFINITY)) {
        best = member;
      }
    }
    return this.#members.size < this.#size ? this.#add() : best;
  }

  #add(): Member {
    const nowMs = this.#nowMs();
    const member: Member = {
      session: this.#open(),
      openedAtMs: nowMs,
      usedAtMs: nowMs,
      inFlight: 0,
      isHeld: false,
      isPromised: false,
    };
    this.#members.add(member);
    void member.session.ended.then(() => {
      this.#members.delete(member);
      this.#serveWaiters();
    });
    return member;
  }

  #occupy(member: Member, needsWhole: boolean): Member {
    if (needsWhole) member.isHeld = true;
    else member.inFlight += 1;
    return member;
  }

  /** Without a promise, a stream of statements would keep a transaction waiting forever. */
  #promiseOne(): void {
    const best = [...this.#members]
      .filter(({ isHeld, isPromised }) => !isHeld && !isPromised)
      .sort((one, other) => one.inFlight - other.inFlight)[0];
    if (best) best.isPromised = true;
  }

  #wait(needsWhole: boolean): Promise<Member> {
    const { promise, resolve, reject } = Promise.withResolvers<Member>();
    const waiter: Waiter = { needsWhole, resolve, reject };
    this.#waiters.push(waiter);
    const cancel = machineTimer.after(this.#waitLimitMs, () => {
      this.#waiters.splice(this.#waiters.indexOf(waiter), 1);
      const error = new Error(`no database connection was free for ${this.#waitLimitMs} ms`);
      reject(Object.assign(error, { code: 'CONNECTION_NOT_FREE' }));
    });
    return promise.finally(cancel);
  }

  #settle(member: Member): void {
    if (member.isHeld || member.inFlight > 0) return;
    member.isPromised = false;
    const nowMs = this.#nowMs();
    member.usedAtMs = nowMs;
    if (nowMs - member.openedAtMs > MAX_AGE_MS || this.#isClosed) this.#discard(member);
    for (const other of this.#members) {
      const isIdle = !other.isHeld && !other.isPromised && other.inFlight === 0;
      if (isIdle && nowMs - other.usedAtMs > MAX_IDLE_MS) this.#discard(other);
    }
    this.#onSettled();
    this.#serveWaiters();
  }

  #discard(member: Member): void {
    this.#members.delete(member);
    void member.session.end(0).then(() => this.#serveWaiters());
  }

  #serveWaiters(): void {
    for (let waiter = this.#waiters[0]; waiter && !this.#isClosed; waiter = this.#waiters[0]) {
      const member = this.#find(waiter.needsWhole);
      if (!member) return;
      this.#waiters.shift();
      waiter.resolve(this.#occupy(member, waiter.needsWhole));
    }
  }
}
