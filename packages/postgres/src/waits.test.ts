import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextTurn } from '@servery/support/runner.ts';
import type { Timer } from '@servery/support/timer.ts';
import { Waits } from './waits.ts';

const PATIENCE = { silenceMs: 5_000, probeMs: 5_000, marginMs: 5_000 };

/** Time that a test moves, with its timers. */
class MovedTime implements Timer {
  #nowMs = 0;
  readonly #timers = new Map<() => void, number>();

  elapsedMs(): number {
    return this.#nowMs;
  }

  after(durationMs: number, run: () => void): () => void {
    this.#timers.set(run, this.#nowMs + durationMs);
    return () => void this.#timers.delete(run);
  }

  /** Time passes in which everything runs. */
  async pass(durationMs: number): Promise<void> {
    for (let passedMs = 0; passedMs < durationMs; passedMs += 100) await this.hold(100);
  }

  /** Time passes in which nothing runs; then everything that is due does. */
  async hold(durationMs: number): Promise<void> {
    this.#nowMs += durationMs;
    for (const [run, atMs] of this.#timers) {
      if (atMs > this.#nowMs) continue;
      this.#timers.delete(run);
      run();
    }
    await nextTurn();
  }
}

/** A session that waits; the server answers others or not. */
function waitingSession(answers: () => Promise<boolean>, timeoutMs: number) {
  const time = new MovedTime();
  const seen = { probes: 0, isGivenUp: false };
  const probe = () => {
    seen.probes += 1;
    return answers();
  };
  const waits = new Waits(probe, PATIENCE, time);
  const session = waits.of(0, () => {
    seen.isGivenUp = true;
  });
  session.begin(timeoutMs);
  return { time, seen };
}

const yes = async () => true;
const never = () => new Promise<boolean>(() => {});

test('a wait over its limit is given up, without the time in which the process was held', async () => {
  const { time, seen } = waitingSession(yes, 1_000);
  await time.pass(3_000);
  await time.hold(60_000);
  assert.equal(seen.isGivenUp, false, 'both may have been held together');
  await time.pass(1_000);
  assert.equal(seen.isGivenUp, false);
  await time.pass(5_000);
  assert.equal(seen.isGivenUp, true);
});

test('a host from which nothing comes is left by its idle sessions too, and no other host is', async () => {
  const time = new MovedTime();
  const left: string[] = [];
  const waits = new Waits(never, PATIENCE, time);
  const open = (name: string, hostIndex: number) => waits.of(hostIndex, () => left.push(name));
  const busy = open('busy', 0);
  open('idle', 0);
  open('elsewhere', 1);
  busy.begin(30_000);
  await time.pass(7_000);
  assert.deepEqual(left, []);
  await time.pass(5_000);
  assert.deepEqual(left, ['busy', 'idle']);
});

test('a host that accepts nobody but answers in some sessions keeps these', async () => {
  const time = new MovedTime();
  const left: string[] = [];
  const waits = new Waits(never, PATIENCE, time);
  const open = (name: string) => waits.of(0, () => left.push(name));
  const [stuck, working] = [open('stuck'), open('working')];
  open('idle');
  stuck.begin(30_000);
  for (let second = 0; second < 12; second += 1) {
    working.begin(30_000);
    await time.pass(1_000);
    working.answered();
  }
  assert.deepEqual(left, ['stuck']);
});

test('a server that was asked before the process was held is asked again', async () => {
  const { time, seen } = waitingSession(never, 0);
  await time.pass(6_500);
  assert.equal(seen.probes, 1);
  await time.hold(60_000);
  assert.equal(seen.isGivenUp, false, 'it had no time to answer');
  await time.pass(2_000);
  assert.deepEqual(seen, { probes: 2, isGivenUp: false });
  await time.pass(6_000);
  assert.equal(seen.isGivenUp, true);
});
