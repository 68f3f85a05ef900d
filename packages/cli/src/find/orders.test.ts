import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BackOfficeOrder } from '@servery/contract';
import { namedOrders } from './orders.ts';

const order = (guid: string, displayNumber: string, businessDate: number) =>
  ({ order: { guid, displayNumber, businessDate, externalId: `shop:${guid}` } }) as BackOfficeOrder;

test('servery orders: a number names the order of the latest day, never an older one', () => {
  const open = [order('scheduled', '3', 20_261_123), order('old', '4', 20_261_123)];
  const latest = [order('today', '3', 20_261_124), ...open];
  const names = new Map(namedOrders([...open, ...latest]).map((one) => [one.guid, one.names]));
  assert.deepEqual(names.get('today'), ['3', 'shop:today']);
  assert.deepEqual(names.get('scheduled'), [null, 'shop:scheduled']);
  assert.deepEqual(names.get('old'), ['4', 'shop:old']);
  assert.equal(names.size, 3);
});
