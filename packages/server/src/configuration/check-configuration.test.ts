import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newGuid } from '@servery/support/ids.ts';
import { KEPT_FAULTS } from '../document/faults.ts';
import { ApiError } from '../http/errors.ts';
import { checkDrafted } from './check-configuration.ts';
import type { ObjectContents, ObjectKind } from './document/contents.ts';
import { byPlaceKey } from './object-state.ts';
import { readFile } from './read-file.ts';

const head = {
  guid: newGuid(),
  managementGroupGuid: newGuid(),
  name: 'Bar',
  timeZone: 'UTC',
  publishNumber: 1,
  currencyCode: 'EUR',
};
const nobodyEdits = {
  revision: newGuid(),
  baseDigest: null,
  createdBy: 'operator',
  createdAt: new Date(0),
  modifiedBy: 'operator',
  modifiedByName: null,
  modifiedAt: new Date(0),
};

function object(collection: ObjectKind, fields: ObjectContents['fields']): ObjectContents {
  const identity = { collection, guid: newGuid(), multiLocationId: null, externalId: null };
  return { ...identity, fields, archived: false, modifiedAt: new Date(0) };
}

/** So many printers' drawers without their printers: each breaks a rule that came later. */
function broken(count: number) {
  return byPlaceKey(
    Array.from({ length: count }, () => object('cashDrawers', { printer: newGuid() })),
  );
}

/** So many drawers with which nothing is wrong. */
const sound = (count: number) =>
  byPlaceKey(Array.from({ length: count }, () => object('cashDrawers', { printer: null })));

const oldFaults = broken(KEPT_FAULTS);

/** A table in an area that there is not. */
const wrong = () => object('tables', { name: 'T1', serviceArea: newGuid() });

test('backOffice.configuration.publish 422: a fault behind ten thousand old ones is seen', () => {
  for (const published of [broken(3), oldFaults]) {
    const sound = { ...object('printers', { name: 'Bar' }), ...nobodyEdits };
    const nothingNew = checkDrafted(head, { published, drafts: [sound] });
    assert.deepEqual([nothingNew.faults, nothingNew.faultCount], [[], 0]);
    const drafts = [{ ...wrong(), ...nobodyEdits }];
    const { faults, faultCount } = checkDrafted(head, { published, drafts });
    assert.equal(faultCount, 1);
    assert.ok(faults.length > 0, 'a refusal says something');
  }
});

test('backOffice.configuration.plan 422: a fault behind ten thousand old ones is seen', () => {
  const areas = { printers: [{ name: 'Bar' }] };
  assert.equal(readFile(head, oldFaults, { configuration: areas }).changes.length, 1);
  const table = wrong();
  const tables = [{ name: 'T1', serviceArea: table.fields.serviceArea }];
  assert.throws(
    () => readFile(head, oldFaults, { configuration: { tables } }),
    (error) =>
      error instanceof ApiError && /^The document cannot be applied: .+/.test(error.message),
  );
});

test('backOffice.configuration.plan 422: a restaurant has so many objects, and no more', () => {
  const drawers = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ key: `till ${index}` }));
  const plan = (count: number, published: ReturnType<typeof sound>) => () =>
    readFile(head, published, { configuration: { cashDrawers: drawers(count) } });
  const tooMany = (error: unknown) =>
    error instanceof ApiError &&
    /configuration: would make 5000[12] objects, .*; a restaurant can have at most 50000\.$/.test(
      error.message,
    );
  assert.throws(plan(50_001, sound(0)), tooMany);
  const full = sound(50_000);
  assert.throws(plan(2, full), tooMany);
  // Where there are more already, what is there may still change.
  const published = new Map([...full, ...sound(3)]);
  const [first] = published.values();
  const same = { cashDrawers: [{ guid: first?.guid, archived: true }] };
  assert.equal(readFile(head, published, { configuration: same }).changes.length, 1);
});
