import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldChangesText } from './field-changes.ts';

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
