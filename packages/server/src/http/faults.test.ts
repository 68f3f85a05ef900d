import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiError } from './errors.ts';
import { Faults } from './faults.ts';

/** The error that tells the faults. */
function refusalOf(faults: Faults): ApiError {
  try {
    faults.refuse();
  } catch (error) {
    return error as ApiError;
  }
  throw new assert.AssertionError({ message: 'nothing was refused' });
}

test('Faults STK-5 API-12: all elements are told in their order, but 100 of others', () => {
  const faults = new Faults({ statuses: [422] }, true);
  for (let index = 5_999; index >= 0; index -= 1) faults.add([index], 'must be a string');
  const { message, faults: told, errorClass } = refusalOf(faults);
  assert.match(message, /must be a string; .*; and 5997 more faults\.$/);
  assert.deepEqual([told.length, told[0]?.where, errorClass], [6_000, '[0]', 'unprocessable']);
  const tooLarge = new Faults({ statuses: [422] }, true);
  for (let index = 0; index < 200; index += 1) tooLarge.addTooLarge([index], 'has 300 characters');
  tooLarge.add([200], 'must be a string');
  assert.deepEqual(
    refusalOf(tooLarge).faults.map(({ where }) => where),
    [...Array(100).keys(), 200].map((index) => `[${index}]`),
  );
  const fields = new Faults({ statuses: [422] });
  for (let index = 0; index < 200; index += 1) fields.add([index], 'is no field here');
  assert.equal(refusalOf(fields).faults.length, 100);
});

test('Faults: what is missing, in the query or beside a wrong value, makes a 400', () => {
  const missing = new Faults({ statuses: [422] });
  missing.add(['sku'], 'must be a string');
  missing.addMissing(['name']);
  assert.equal(refusalOf(missing).errorClass, 'badRequest');
  const query = new Faults({ statuses: [] });
  query.add(['pageSize'], 'must be from 1 to 500');
  const all = new Faults({ statuses: [422] });
  all.addAll(query);
  assert.equal(refusalOf(all).errorClass, 'badRequest');
});
