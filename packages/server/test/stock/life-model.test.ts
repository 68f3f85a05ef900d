import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { StockState } from '@servery/contract';
import fc from 'fast-check';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { openStockFixture, type StockFixture } from './fixture.ts';

const ITEMS = 3;
const MINUTE_MS = 60_000;

let testDatabase: TestDatabase;
before(async () => {
  testDatabase = await createTestDatabase();
});
after(() => testDatabase.drop());

/** How an item is; `until` in epoch milliseconds. */
interface Level {
  readonly status: StockState['status'];
  readonly quantity: number | null;
  readonly until: number | null;
}

interface Change {
  readonly item: number;
  readonly cause: string;
  readonly before: Level;
  readonly after: Level;
  /** Its place in the history of its item, from 1. */
  readonly version: number;
}

type Draft = Pick<Level, 'status' | 'quantity'> & { readonly minutes: number | null };

/** What may happen. Minutes count from where the clock stands; `change` counts from the newest. */
type Step =
  | { readonly kind: 'set' | 'partner'; readonly settings: readonly (Draft & { item: number })[] }
  | { readonly kind: 'undo'; readonly change: number }
  | { readonly kind: 'wait'; readonly minutes: number; readonly isSequential: boolean };

const IN_STOCK: Level = { status: 'IN_STOCK', quantity: null, until: null };

const same = (one: Level, other: Level) =>
  one.status === other.status && one.quantity === other.quantity && one.until === other.until;

/** The whole life of stock in a few lines: levels, and a list of what happened. */
class Model {
  nowMs: number;
  readonly levels: Level[] = Array.from({ length: ITEMS }, () => IN_STOCK);
  readonly changes: Change[] = [];

  constructor(nowMs: number) {
    this.nowMs = nowMs;
  }

  set(settings: readonly (Draft & { item: number })[], isPartner: boolean): void {
    const last = new Map(settings.map((setting) => [setting.item, setting]));
    for (const [item, { status, quantity, minutes }] of last) {
      const now = this.levels[item] ?? IN_STOCK;
      const isKept = isPartner && now.status === status;
      const wanted = minutes === null || isPartner ? null : this.nowMs + minutes * MINUTE_MS;
      this.#change(item, 'SET', { status, quantity, until: isKept ? now.until : wanted });
    }
  }

  /** False when it is refused. */
  undo(change: Change): boolean {
    const own = this.changes.filter(({ item }) => item === change.item);
    const { before, item } = change;
    const until = before.until !== null && before.until <= this.nowMs ? null : before.until;
    return own.at(-1) === change && this.#change(item, 'UNDO', { ...before, until });
  }

  wait(minutes: number): number {
    this.nowMs += minutes * MINUTE_MS;
    const due = this.levels.flatMap(({ until }, item) =>
      until !== null && until <= this.nowMs ? [item] : [],
    );
    for (const item of due) this.#change(item, 'RESTORED', IN_STOCK);
    return due.length;
  }

  #change(item: number, cause: string, after: Level): boolean {
    const before = this.levels[item] ?? IN_STOCK;
    if (same(before, after)) return false;
    const version = this.changes.filter((change) => change.item === item).length + 1;
    this.changes.push({ item, cause, before, after, version });
    this.levels[item] = after;
    return true;
  }
}

const draft: fc.Arbitrary<Draft> = fc.oneof(
  fc.constant({ status: 'IN_STOCK', quantity: null, minutes: null } as const),
  fc.record({
    status: fc.constant('QUANTITY' as const),
    quantity: fc.integer({ min: 1, max: 3 }),
    minutes: fc.constant(null),
  }),
  fc.record({
    status: fc.constant('OUT_OF_STOCK' as const),
    quantity: fc.constant(null),
    minutes: fc.option(fc.integer({ min: 1, max: 3 })),
  }),
);
const settings = fc.array(
  fc.tuple(fc.nat({ max: ITEMS - 1 }), draft).map(([item, level]) => ({ item, ...level })),
  { minLength: 1, maxLength: 4 },
);
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constantFrom('set' as const, 'partner' as const), settings }),
    fc.record({ kind: fc.constant('undo' as const), change: fc.nat({ max: 3 }) }),
    fc.record({
      kind: fc.constant('wait' as const),
      minutes: fc.integer({ min: 0, max: 3 }),
      isSequential: fc.boolean(),
    }),
  ),
  { minLength: 1, maxLength: 14 },
);

async function take(fixture: StockFixture, guids: readonly string[], model: Model, step: Step) {
  if (step.kind === 'wait') {
    const expected = model.wait(step.minutes);
    fixture.clock.advance(step.minutes * MINUTE_MS);
    assert.equal((await fixture.restore(step.isSequential)).length, expected);
    return;
  }
  if (step.kind === 'undo') {
    const change = model.changes.at(-1 - step.change);
    if (!change) return;
    const known = (await fixture.changes({ item: String(guids[change.item]) })).find(
      ({ version }) => version === change.version,
    );
    const { status } = await fixture.undo(String(known?.guid));
    assert.equal(status, model.undo(change) ? 200 : 409);
    return;
  }
  const isPartner = step.kind === 'partner';
  const body = step.settings.map(({ item, status, quantity, minutes }) => ({
    guid: guids[item],
    status,
    quantity,
    ...(minutes !== null &&
      !isPartner && { until: new Date(model.nowMs + minutes * MINUTE_MS).toISOString() }),
  }));
  const { status } = isPartner ? await fixture.partnerUpdate(body) : await fixture.set(body);
  assert.equal(status, 200);
  model.set(step.settings, isPartner);
}

const levelOf = ({ status, quantity, until }: StockState): Level => ({
  ...{ status, quantity },
  until: until === null ? null : Date.parse(until),
});

/** The list, the history of each item and what is due agree with the model. */
async function compare(
  fixture: StockFixture,
  guids: readonly string[],
  model: Model,
): Promise<void> {
  const { body } = await fixture.list();
  assert.deepEqual(
    body.results.map(levelOf),
    model.levels,
    'the list has the items in the order of their names',
  );
  for (const [item, guid] of guids.entries()) {
    const history = (await fixture.changes({ item: guid })).toSorted(
      (one, other) => one.version - other.version,
    );
    assert.deepEqual(
      history.map(({ cause, before, after: then, version }) => ({
        ...{ item, cause, before: levelOf(before), after: levelOf(then), version },
      })),
      model.changes.filter((change) => change.item === item),
    );
  }
}

test('stock property: any run of sets, undos and returns agrees with a model', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (run) => {
      const fixture = await openStockFixture(testDatabase.database);
      const guids = [await fixture.item('A'), await fixture.item('B'), await fixture.item('C')];
      const model = new Model(fixture.clock.nowMs());
      for (const step of run) await take(fixture, guids, model, step);
      await compare(fixture, guids, model);
      // What this run leaves to be done would be done in the next one.
      await testDatabase.database.sql`delete from stock`;
    }),
    { numRuns: 15 },
  );
});
