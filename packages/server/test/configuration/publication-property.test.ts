import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { PublishedChangePage } from '@servery/contract';
import fc from 'fast-check';
import type { RestaurantContext } from '../../src/http/operation.ts';
import { BISTRO, type DraftFixture, openDraftFixture } from './fixture.ts';

let fixture: DraftFixture;
before(async () => {
  fixture = await openDraftFixture();
});
after(() => fixture.drop());

/** Objects that edits are made of, by collection and name, with fields that may change freely. */
const targets = [
  ['menuItems', 'Minestrone', 'calories'],
  ['menuItems', 'Gazpacho', 'calories'],
  ['menuItems', 'Truffle', 'calories'],
  ['menuItems', 'Old special', 'calories'],
  ['menuOptionGroups', 'Toppings', 'minSelections'],
  ['serviceCharges', 'Cover', 'amount'],
  ['taxRates', 'VAT', 'rate'],
  ['discounts', 'Happy hour', 'percentage'],
] as const;

const rates: Readonly<Record<string, number>> = { rate: 0.01 };

const target = fc.constantFrom(...targets);
const to = fc.integer({ min: 1, max: 2 });
const archive = fc.constantFrom('archive' as const, 'unarchive' as const);
const only = <const Kind extends string>(kind: Kind) => fc.constant(kind);

const steps = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: only('edit'), to, target }) },
  { weight: 3, arbitrary: fc.record({ kind: archive, target }) },
  { weight: 2, arbitrary: fc.record({ kind: only('create'), serial: fc.nat(9) }) },
  { weight: 4, arbitrary: fc.record({ kind: only('publish') }) },
  { weight: 2, arbitrary: fc.record({ kind: only('apply'), to, target }) },
);

type Step = typeof steps extends fc.Arbitrary<infer Each> ? Each : never;

async function take(restaurant: RestaurantContext, step: Step): Promise<void> {
  switch (step.kind) {
    case 'create':
      await fixture.call(restaurant, 'objects.create', {
        collection: 'printers',
        body: { name: `Printer ${step.serial}` },
      });
      return;
    case 'publish': {
      const { state } = await fixture.done(restaurant, 'draft.preview');
      const answer = await fixture.call(restaurant, 'publications.publish', {
        body: { expectedState: state },
      });
      assert.ok([200, 409].includes(answer.status), JSON.stringify(answer.body));
      return;
    }
    case 'apply': {
      const [collection, name, field] = step.target;
      const { configuration } = await fixture.done(restaurant, 'export', {
        query: { archived: 'true' },
      });
      const object = configuration[collection].find((each: { name: string }) => each.name === name);
      const changed = { ...object, [field]: step.to * (rates[field] ?? 1) };
      const document = { configuration: { [collection]: [changed] } };
      await fixture.done(restaurant, 'apply', { body: { document } });
      return;
    }
    default: {
      const [collection, name, field] = step.target;
      const place = { collection, guid: await fixture.guidOf(restaurant, collection, name) };
      if (step.kind !== 'edit') await fixture.done(restaurant, `objects.${step.kind}`, place);
      else {
        const body = { [field]: step.to * (rates[field] ?? 1) };
        await fixture.done(restaurant, 'objects.update', { ...place, body });
      }
    }
  }
}

test('backOffice.configuration property: any history can be gone back through', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 4, maxLength: 16 }), async (list) => {
      const [restaurant] = await fixture.open(BISTRO);
      assert.ok(restaurant);
      const servedAt = new Map([[1, await fixture.served(restaurant)]]);
      for (const step of list) {
        fixture.clock.advance(1_000);
        await take(restaurant, step);
        servedAt.set(await fixture.publishNumber(restaurant), await fixture.served(restaurant));
        // What is exported is what is published: applying it does nothing.
        const document = await fixture.done(restaurant, 'export');
        const { publication } = await fixture.done(restaurant, 'apply', { body: { document } });
        assert.equal(publication, null);
      }
      for (const [number, served] of [...servedAt].reverse()) {
        const answer = await fixture.call(restaurant, 'publications.rollBack', {
          number,
          body: {},
        });
        assert.ok([200, 409].includes(answer.status), JSON.stringify(answer.body));
        assert.deepEqual(await fixture.served(restaurant), served, `publication ${number}`);
      }
    }),
    { numRuns: 3 },
  );
});

test('backOffice.configuration property: a preview says what partners then see', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 2, maxLength: 8 }), async (list) => {
      const [restaurant] = await fixture.open(BISTRO);
      assert.ok(restaurant);
      for (const step of list) if (step.kind !== 'publish') await take(restaurant, step);
      const before = await fixture.servedObjects(restaurant);
      const preview = await fixture.done(restaurant, 'draft.preview');
      const body = { expectedState: preview.state };
      const { status } = await fixture.call(restaurant, 'publications.publish', { body });
      assert.ok(status === 200 || preview.changeCount === 0);
      const after = await fixture.servedObjects(restaurant);
      const seen = [...new Set([...before.keys(), ...after.keys()])]
        .filter((key) => before.get(key) !== after.get(key))
        .toSorted();
      const told = preview.changes.map(
        ({ collection, guid }: { collection: string; guid: string }) => `${collection}/${guid}`,
      );
      assert.deepEqual(told.toSorted(), seen);
    }),
    { numRuns: 3 },
  );
});

test('platform.changes.list property CFG-13: a copy that follows is never wrong', async () => {
  const follows = fc.record({ list: fc.array(steps, { maxLength: 16 }), pageSize: fc.nat(4) });
  await fc.assert(
    fc.asyncProperty(follows, async ({ list, pageSize }) => {
      const [restaurant] = await fixture.open(BISTRO);
      assert.ok(restaurant);
      const copy = new Map<string, string>();
      let query: Record<string, string> = { pageSize: String(pageSize + 1) };
      const follow = async () => {
        const now = await fixture.servedObjects(restaurant);
        for (let hasMore = true; hasMore; ) {
          const { body } = await fixture.changes(restaurant, query);
          for (const { collection, guid, kind } of (body as PublishedChangePage).results) {
            const key = `${collection}/${guid}`;
            assert.equal(copy.has(key), kind !== 'CREATED', `${key} ${kind}`);
            if (kind === 'REMOVED') copy.delete(key);
            else copy.set(key, now.get(key) ?? '');
          }
          query = { ...query, after: body.nextCursor };
          hasMore = body.hasMore;
        }
        // There always is one, so it is never created.
        now.forEach((text, key) => {
          if (key.startsWith('tipWithholding/')) copy.set(key, text);
        });
        assert.deepEqual(copy, now);
      };
      await follow();
      for (const step of list) {
        fixture.clock.advance(1_000);
        await take(restaurant, step);
        await follow();
      }
      const number = String(Math.max(1, (await fixture.publishNumber(restaurant)) - 2));
      await fixture.call(restaurant, 'publications.rollBack', { number, body: {} });
      await follow();
    }),
    { numRuns: 3 },
  );
});
