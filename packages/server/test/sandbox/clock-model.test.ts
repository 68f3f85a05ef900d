import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { FixedClock } from '@servery/support/clock.ts';
import fc from 'fast-check';
import type { Database } from '../../src/database/database.ts';
import type { DoneWork } from '../../src/support/due-work.ts';
import { everywhere } from '../../src/support/due-work.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { type ClockFixture, openClockFixture } from './clock-fixture.ts';
import type { InMemoryWork } from './in-memory-work.ts';

const REAL_MS = Date.UTC(2026, 2, 1, 12, 0, 0);

let own: TestDatabase;
let database: Database;
before(async () => {
  own = await createTestDatabase();
  ({ database } = own);
});
after(() => own.drop());

/** What may happen to a clock. Spans are milliseconds, of `set` from where the clock stands. */
type Step =
  | { readonly kind: 'freeze' | 'run' | 'next' | 'restart' }
  | { readonly kind: 'wait' | 'set' | 'advance'; readonly ms: number }
  | { readonly kind: 'enter'; readonly ms: number; readonly causes: readonly number[] };

/** What was done, as `due instant/name`, and where the clock was while it was. */
type Trace = readonly (readonly [done: string, stoodAtMs: number])[];

interface Waiting {
  readonly dueMs: number;
  readonly name: string;
  readonly causes: readonly number[];
}

/** The whole clock in a few lines: an offset, or an instant, and a list that is worked off. */
class Model {
  mode: 'RUNNING' | 'FROZEN' = 'RUNNING';
  nowMs = REAL_MS;
  #waiting: Waiting[] = [];

  wait(ms: number): void {
    if (this.mode === 'RUNNING') this.nowMs += ms;
  }

  enter(dueMs: number, name: string, causes: readonly number[]): void {
    this.#waiting.push({ dueMs, name, causes });
  }

  nextMs(): number | null {
    return this.#first()?.dueMs ?? null;
  }

  moveTo(targetMs: number, mode = this.mode): Trace {
    const trace: [string, number][] = [];
    for (let first = this.#first(); first; first = this.#first()) {
      const { dueMs, name, causes } = first;
      if (targetMs < this.nowMs || dueMs > targetMs) break;
      this.#waiting = this.#waiting.filter((one) => one !== first);
      this.nowMs = Math.max(this.nowMs, dueMs);
      trace.push([`${dueMs}/${name}`, this.nowMs]);
      const [delayMs, ...rest] = causes;
      if (delayMs !== undefined) this.enter(dueMs + delayMs, `${name}+`, rest);
    }
    this.nowMs = targetMs;
    this.mode = mode;
    return trace;
  }

  #first(): Waiting | undefined {
    const earliestMs = Math.min(...this.#waiting.map(({ dueMs }) => dueMs));
    return this.#waiting.find(({ dueMs }) => dueMs === earliestMs);
  }
}

const span = fc.integer({ min: 0, max: 5_000 });
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constantFrom('freeze', 'run', 'next', 'restart') }),
    fc.record({ kind: fc.constant('wait'), ms: span }),
    fc.record({ kind: fc.constant('advance'), ms: fc.integer({ min: 1, max: 5_000 }) }),
    fc.record({ kind: fc.constant('set'), ms: fc.integer({ min: -3_000, max: 5_000 }) }),
    fc.record({
      kind: fc.constant('enter'),
      ms: fc.integer({ min: -500, max: 5_000 }),
      causes: fc.array(fc.integer({ min: 0, max: 3_000 }), { maxLength: 3 }),
    }),
  ) as fc.Arbitrary<Step>,
  { minLength: 1, maxLength: 25 },
);

/** Adds a piece of work, and what it causes in turn. */
function enter(work: InMemoryWork, dueMs: number, name: string, causes: readonly number[]): void {
  const [delayMs, ...rest] = causes;
  work.add(dueMs, name, () => {
    if (delayMs !== undefined) enter(work, dueMs + delayMs, `${name}+`, rest);
  });
}

/** A model, the real thing, and the process that moves it. */
interface World {
  readonly model: Model;
  readonly realClock: FixedClock;
  readonly work: InMemoryWork;
  fixture: ClockFixture;
}

/** What the model says that a step does, and what was done. */
interface Outcome {
  readonly expected: Trace;
  readonly done: readonly DoneWork[];
}

async function take(world: World, step: Step, name: string): Promise<Outcome> {
  const { model, realClock, work, fixture } = world;
  if ('ms' in step && step.kind !== 'wait' && step.kind !== 'enter') {
    const targetMs = model.nowMs + step.ms;
    const expected = model.moveTo(targetMs);
    const duration = Temporal.Duration.from({ milliseconds: Math.abs(step.ms) });
    const { mover } = fixture;
    const { done } = await (step.kind === 'set' ? mover.set(targetMs) : mover.advance(duration));
    return { expected, done };
  }
  switch (step.kind) {
    case 'wait':
      realClock.advance(step.ms);
      model.wait(step.ms);
      break;
    case 'enter':
      enter(work, model.nowMs + step.ms, name, step.causes);
      model.enter(model.nowMs + step.ms, name, step.causes);
      break;
    case 'restart':
      world.fixture = await openClockFixture(database, realClock, work);
      break;
    case 'next': {
      const nextMs = model.nextMs();
      const expected = nextMs === null ? [] : model.moveTo(Math.max(model.nowMs, nextMs));
      return { expected, done: (await fixture.mover.next(everywhere)).done };
    }
    case 'freeze':
    case 'run': {
      const mode = step.kind === 'freeze' ? 'FROZEN' : 'RUNNING';
      const expected = model.mode === mode ? [] : model.moveTo(model.nowMs, mode);
      return { expected, done: (await fixture.mover[step.kind]()).done };
    }
  }
  return { expected: [], done: [] };
}

async function createWorld(): Promise<World> {
  const realClock = new FixedClock(REAL_MS);
  const fixture = await openClockFixture(database, realClock);
  await fixture.mover.run();
  await fixture.mover.set(REAL_MS);
  return { model: new Model(), realClock, fixture, work: fixture.work };
}

test('clock property: any sequence of moves does what a simple model does', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (drawn) => {
      const world = await createWorld();
      const { model, work } = world;
      const there = await openClockFixture(database, world.realClock);
      for (const [index, step] of drawn.entries()) {
        const before = work.seen.length;
        const { expected, done } = await take(world, step, String(index));
        const stood = work.seen.slice(before).map(({ stoodAtMs }) => stoodAtMs);
        const actual = done.map(({ dueMs, kind }, at) => [`${dueMs}/${kind}`, stood[at]]);
        assert.deepEqual(actual, expected);
        assert.equal(world.fixture.clock.nowMs(), model.nowMs);
        assert.equal(world.fixture.clock.mode, model.mode);
        // Another process sees the same as soon as it looks.
        assert.equal(await there.clock.refresh(), true);
        assert.equal(there.clock.nowMs(), model.nowMs);
      }
    }),
    { numRuns: 60 },
  );
});
