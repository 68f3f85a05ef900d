import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operations } from '@servery/contract';
import { referenceHtml } from './page.ts';
import { referencePages } from './pages.ts';

const view = {
  ...{ brand: 'Acme', baseUrl: 'http://127.0.0.1:4400', isSandbox: true, assets: '' },
  restaurant: null,
  rateLimits: { perSecond: 20, perQuarterHour: 1_000 },
};

test('reference: every operation of the contract is on a page, and every link leads somewhere', () => {
  const start = referenceHtml({ ...view, page: null });
  const found = referencePages.flatMap(({ name }) => {
    const text = referenceHtml({ ...view, page: name });
    const ids = Array.from(text.matchAll(/ id="([^"]+)"/g), ([, id = '']) => id);
    const anchors = new Set(ids);
    assert.equal(anchors.size, ids.length, `${name}: no anchor is there twice`);
    for (const [, anchor = ''] of text.matchAll(/href="#([^"]+)"/g)) {
      assert.ok(anchors.has(anchor), `${name}: #${anchor} is on the page`);
    }
    const own = Array.from(
      text.matchAll(/<section class="operation" id="([^"]+)"/g),
      ([, id = '']) => id,
    );
    for (const id of own) assert.ok(start.includes(`href="./reference/${name}#${id}"`), id);
    return own;
  });
  assert.deepEqual(found.sort(), operations.map(({ id }) => id).sort());
});

test('reference: the search finds operations by what restaurants call things', () => {
  const start = referenceHtml({ ...view, page: null });
  for (const [typed, id] of [
    ['86', 'stock.update'],
    ['oos', 'stock.update'],
    ['sold out', 'stock.update'],
    ['refund', 'orders.void'],
    ['tip', 'orders.payments.update'],
    ['charge', 'creditCards.authorize'],
    ['hours', 'restaurants.get'],
    ['webhook signature', 'backOffice.webhooks.endpoints.create'],
  ] as const) {
    const [, words = ''] =
      new RegExp(`data-words="([^"]*)"><a href="[^"]*#${id.replaceAll('.', '\\.')}"`).exec(start) ??
      [];
    assert.ok(
      typed.split(' ').every((word) => words.includes(word)),
      `${id}: ${typed}`,
    );
  }
});
