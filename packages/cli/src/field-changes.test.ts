import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aroundDifference, fieldChangesText } from './field-changes.ts';

test('servery config plan: a new price is shown by its place, and lists stay whole', () => {
  const pricing = (price: number) => ({ strategy: 'BASE_PRICE', price, menuPrices: [] });
  const changes = [
    { field: 'pricing', before: pricing(8), after: pricing(8.5) },
    { field: 'taxRates', before: null, after: ['VAT'] },
  ];
  assert.equal(fieldChangesText(changes), 'pricing.price: 8 → 8.5; taxRates: – → ["VAT"]');
  assert.match(
    fieldChangesText([{ field: 'pricing', before: null, after: pricing(8) }]),
    /^pricing: – → \{"strategy":"BASE_PRICE","price":8/,
  );
});

test('aroundDifference: a long value begins shortly before what differs, and a short one is whole', () => {
  const words = (name: string) =>
    Array.from({ length: 2_000 }, (_, at) => (at === 1_000 ? name : `word${at}`)).join(' ');
  const shown = aroundDifference(words('soup'), words('soap'));
  assert.match(shown, /^… word\d+ .*word999 soup word1001 .* word\d+ …$/);
  assert.ok(shown.length <= 404, shown);
  assert.match(aroundDifference(words('soup'), '–'), /^word0 word1 .* word\d+ …$/);
  for (const change of [(text: string) => text.slice(0, -1), (text: string) => `${text} more`]) {
    assert.match(aroundDifference(words('soup'), change(words('soup'))), /^… .* word1999$/);
  }
  assert.equal(aroundDifference('a soup', 'a soap'), 'a soup');
});
