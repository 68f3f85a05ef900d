import assert from 'node:assert/strict';
import { test } from 'node:test';
import { padColumns, textWidth } from './text-width.ts';

test('servery tables: what takes two columns is counted so, and marks take none', () => {
  assert.equal(textWidth('Wren'), 4);
  assert.equal(textWidth('燕ー'), 4);
  assert.equal(textWidth('ピッツェリア'), 12);
  assert.equal(textWidth('Caffe\u0300'), 5);
  assert.equal(textWidth('هدهد'), 4);
  assert.equal(textWidth('🍰'), 2);
});

test('servery tables: columns line up behind wide text', () => {
  assert.equal(padColumns('燕', 4), '燕  ');
  assert.equal(padColumns('too long', 4), 'too long');
});
