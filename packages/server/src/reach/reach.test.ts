import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Scope } from '@servery/contract';
import { type Grant, reachesRestaurant, reachOf } from './reach.ts';

const grant = (place: Grant['place'], ...scopes: Scope[]): Grant => ({
  scopes: new Set(scopes),
  place,
});

test('reach: a scope reaches only where a grant with it holds', () => {
  const grants = [
    grant({ kind: 'group', guid: 'north' }, 'payments.lifecycle:read'),
    grant({ kind: 'restaurant', guid: 'bar' }, 'payments.lifecycle:write'),
  ];
  assert.deepEqual(reachOf(grants, 'payments.lifecycle:read'), {
    ...{ isPlatform: false, groupGuids: ['north'], restaurantGuids: [], partnerGuids: [] },
  });
  const write = reachOf(grants, 'payments.lifecycle:write');
  assert.equal(reachesRestaurant(write, { guid: 'bar', managementGroupGuid: 'south' }), true);
  assert.equal(reachesRestaurant(write, { guid: 'diner', managementGroupGuid: 'north' }), false);
  assert.equal(reachOf(grants, 'clock:read').isPlatform, false);
});

test('reach: without a scope every grant counts, and the platform reaches everything', () => {
  const bar = { guid: 'bar', managementGroupGuid: 'south' };
  const grants = [grant({ kind: 'partner', guid: 'courier' }), grant({ kind: 'platform' })];
  assert.deepEqual(reachOf(grants, null).partnerGuids, ['courier']);
  assert.equal(reachesRestaurant(reachOf(grants, null), bar), true);
  assert.equal(reachesRestaurant(reachOf(grants.slice(0, 1), null), bar), false);
});
