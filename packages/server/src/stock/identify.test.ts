import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ItemIdentity, type ItemNaming, itemFinder } from './identify.ts';

const NOBODY: ItemNaming = { guid: null, multiLocationId: null, sku: null, plu: null, name: null };

/** So many items that all have one name and one sku. */
function namesakes(count: number): ItemIdentity[] {
  return Array.from({ length: count }, (_, index) => ({
    guid: `01a1fecd-5347-73d2-8ab8-${index.toString(16).padStart(12, '0')}`,
    multiLocationId: `item ${index}`,
    name: 'Soup',
    sku: 'S-1',
    plu: String(index),
    archived: false,
  }));
}

/** Processor time in µs of asking for `asked` of so many namesakes, each question its own. */
function costOf(count: number, ask: (index: number) => Partial<ItemNaming>): number {
  const finder = itemFinder();
  finder.add(namesakes(count));
  const began = process.cpuUsage();
  for (let index = 0; index < count; index += 1) {
    const { kind } = finder.find({ ...NOBODY, ...ask(index) });
    assert.ok(kind === 'item' || kind === 'several', kind);
  }
  const { user, system } = process.cpuUsage(began);
  return user + system;
}

test('backOffice.stock.set: items of one name cost like items of different ones', () => {
  const questions: readonly ((index: number) => Partial<ItemNaming>)[] = [
    // The same question again and again, and one that only the last way answers.
    () => ({ name: 'Soup', sku: 'S-1' }),
    (index) => ({ name: 'Soup', sku: 'S-1', plu: String(index) }),
  ];
  for (const ask of questions) {
    costOf(500, ask);
    const few = costOf(500, ask);
    // Ten times as many; a hundred times the work where each walks through all of them.
    const limit = few * 40 + 20_000;
    // What else the process does, or its host takes away, counts too, but not every time.
    let many = costOf(5_000, ask);
    for (let turn = 2; turn <= 3 && many >= limit; turn += 1) many = costOf(5_000, ask);
    assert.ok(many < limit, `${few} µs for 500 items, ${many} µs for 5,000`);
  }
});

test('backOffice.stock.set STK-6: whichever way is asked first, the answer is the same', () => {
  const [live, gone] = namesakes(2).map((item, index) => ({ ...item, archived: index === 1 }));
  assert.ok(live && gone);
  const { add, find } = itemFinder();
  add([live, gone]);
  const kindOf = (naming: Partial<ItemNaming>) => find({ ...NOBODY, ...naming }).kind;
  assert.deepEqual(find({ ...NOBODY, name: ' soup ', sku: 'S-1' }), { kind: 'item', item: live });
  assert.deepEqual(find({ ...NOBODY, name: 'Soup', plu: '1' }), {
    kind: 'none',
    way: 'plu',
    isArchived: true,
  });
  assert.deepEqual(find({ ...NOBODY, sku: 'S-2', name: 'Soup' }), {
    kind: 'none',
    way: 'sku',
    isArchived: false,
  });
  assert.equal(kindOf({ guid: gone.guid }), 'none');
  const other = { ...live, guid: gone.guid, sku: 'S-2', plu: '7' };
  const two = itemFinder();
  two.add([live, other]);
  assert.deepEqual(two.find({ ...NOBODY, sku: 'S-2', plu: '0' }), {
    kind: 'contradiction',
    ways: ['sku', 'plu'],
  });
  assert.deepEqual(two.find({ ...NOBODY, name: 'Soup' }), {
    kind: 'several',
    way: 'name',
    candidates: [live, other],
  });
});
