import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stockEventType } from './stock-events.ts';

const level = (quantity: string | null, status?: 'IN_STOCK' | 'OUT_OF_STOCK') =>
  ({ status: status ?? 'QUANTITY', quantity }) as const;
const inStock = level(null, 'IN_STOCK');
const out = level(null, 'OUT_OF_STOCK');

test('stock HOOK-4: the type of an event follows from the stock that was set', () => {
  const cases = [
    [inStock, level('10'), 'in_stock'],
    [level('10'), level('5.0001'), 'in_stock'],
    [level('5'), inStock, 'in_stock'],
    [level('10'), level('5'), 'low_quantity'],
    [level('2'), level('5'), 'low_quantity'],
    [level('5'), level('0.5'), 'low_quantity'],
    [out, level('3'), 'low_quantity'],
    [out, inStock, 'in_stock'],
    [level('1'), out, 'out_of_stock'],
    [inStock, out, 'out_of_stock'],
    [out, out, null],
  ] as const;
  for (const [before, after, type] of cases) {
    const change = { statusBefore: before.status, quantityBefore: before.quantity };
    const made = { ...change, statusAfter: after.status, quantityAfter: after.quantity };
    assert.equal(stockEventType(made, 'SET'), type, JSON.stringify(made));
  }
});

test('stock HOOK-4: orders that change a quantity tell only that it passed a limit', () => {
  const cases = [
    ['ORDER', level('8'), level('6'), null],
    ['ORDER', level('8'), level('5'), null],
    ['ORDER', level('5'), level('4.5'), 'low_quantity'],
    ['ORDER', level('8'), level('1'), 'low_quantity'],
    ['ORDER', level('3'), level('1'), null],
    ['ORDER', level('3'), out, 'out_of_stock'],
    ['ORDER_VOID', out, level('2'), 'low_quantity'],
    ['ORDER_VOID', out, level('7'), 'in_stock'],
    ['ORDER_VOID', level('2'), level('5'), null],
    ['ORDER_VOID', level('2'), level('7'), 'in_stock'],
    ['ORDER_VOID', level('6'), level('7'), null],
  ] as const;
  for (const [cause, before, after, type] of cases) {
    const change = { statusBefore: before.status, quantityBefore: before.quantity };
    const made = { ...change, statusAfter: after.status, quantityAfter: after.quantity };
    assert.equal(stockEventType(made, cause), type, `${cause} ${JSON.stringify(made)}`);
  }
});
