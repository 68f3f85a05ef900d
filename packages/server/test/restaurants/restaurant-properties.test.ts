import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CreateRestaurant, type EditRestaurant, operationById } from '@servery/contract';
import { decodePolyline } from '@servery/contract/polyline.ts';
import { newGuid } from '@servery/support/ids.ts';
import fc from 'fast-check';
import { InvalidGroupDocument } from '../../src/group-document/faults.ts';
import { readGroupDocument } from '../../src/group-document/read-document.ts';
import { ApiError } from '../../src/http/errors.ts';
import { Faults } from '../../src/http/faults.ts';
import { readParsedBody } from '../../src/http/pipeline/read-request.ts';
import type { RestaurantSettings } from '../../src/restaurants/document/info-schema.ts';
import {
  readNewRestaurant,
  readRestaurantEdit,
} from '../../src/restaurants/office/restaurants/read-restaurant.ts';
import { anyDocument } from '../group-document/document-arbitrary.ts';
import { everyField } from './fixture.ts';

const RUNS = { numRuns: 25 };
const managementGroupGuid = newGuid();
const making = operationById('backOffice.restaurants.create');
const editing = operationById('backOffice.restaurants.update');

/** The sections of a restaurant of any sound group document. */
const anyInfo: fc.Arbitrary<Record<string, Record<string, unknown>>> = anyDocument
  .map((document) => (document.restaurants as { info: Record<string, never> }[])[0]?.info)
  .filter((info) => info !== undefined)
  .map((info) => JSON.parse(JSON.stringify(info)));

const withGroup = (info: Record<string, Record<string, unknown>>) => {
  const { archived: _archived, ...general } = info.general ?? {};
  return { ...info, general: { ...general, managementGroupGuid } };
};

/** What was said, without fields that say nothing. */
const withoutGuids = ({ guid: _guid, ...info }: RestaurantSettings) => info;

/** Like JSON: minus zero is zero. */
const plain = (value: unknown) => JSON.parse(JSON.stringify(value));

const edit = (info: RestaurantSettings, patch: unknown): RestaurantSettings =>
  readRestaurantEdit({
    ...{ body: patch as EditRestaurant, operation: editing },
    faults: new Faults(editing),
  })({ info, version: 1 });

const newRestaurant = (body: unknown): RestaurantSettings =>
  readNewRestaurant(body as CreateRestaurant, new Faults(making));

test('backOffice.restaurants: whatever an import takes can be made, with the same fields', () => {
  fc.assert(
    fc.property(anyInfo, (info) => {
      const body = withGroup(info);
      const made = newRestaurant(plain(body));
      const { archived: _archived, ...general } = info.general ?? {};
      const document = {
        format: 'servery.group/1',
        managementGroup: { name: 'G' },
        restaurants: [{ key: 'r', info: { ...info, general } }],
      };
      const [imported] = readGroupDocument(JSON.stringify(document)).restaurants;
      const { managementGroupGuid: group, ...own } = made.general;
      assert.equal(group, managementGroupGuid);
      assert.deepEqual({ ...withoutGuids(made), general: own }, plain(imported?.info));
    }),
    RUNS,
  );
});

test('backOffice.restaurants.update: a restaurant sent back as it was read is no change', () => {
  fc.assert(
    fc.property(anyInfo, (info) => {
      const made = newRestaurant(plain(withGroup(info)));
      assert.deepEqual(edit(made, plain(made)), made);
      assert.deepEqual(edit(made, {}), made);
    }),
    RUNS,
  );
});

test('backOffice.restaurants.update: of any restaurant any other can be made, at any path', () => {
  fc.assert(
    fc.property(anyInfo, anyInfo, (one, other) => {
      const from = newRestaurant(plain(withGroup(one)));
      const to = newRestaurant(plain(withGroup(other)));
      // Days that the other one does not have go; every field else is said, null where it has none.
      const gone = Object.keys(from.schedules.daySchedules).map((key) => [key, null]);
      const daySchedules = { ...Object.fromEntries(gone), ...to.schedules.daySchedules };
      const patch = { ...to, guid: from.guid, schedules: { ...to.schedules, daySchedules } };
      assert.deepEqual(withoutGuids(edit(from, plain(patch))), withoutGuids(to));
    }),
    RUNS,
  );
});

test('backOffice.restaurants.update: a field that is not named never changes', () => {
  // A type of day that is new brings all its fields along.
  const leaves = leavesOf(everyField).filter(([path]) => !path.includes('daySchedules'));
  fc.assert(
    fc.property(anyInfo, fc.constantFrom(...leaves), (info, [path, value]) => {
      const made = newRestaurant(plain(withGroup(info)));
      const patch = path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
      let edited: RestaurantSettings;
      try {
        edited = edit(made, plain(patch));
      } catch (error) {
        // Rules may bind it to a field that is not named.
        assert.ok(error instanceof ApiError && error.errorClass === 'unprocessable');
        return;
      }
      const changed = leavesOf(edited).filter(
        ([place, now]) => JSON.stringify(at(made, place)) !== JSON.stringify(now),
      );
      for (const [place] of changed) assert.deepEqual(place, path);
    }),
    RUNS,
  );
});

type Leaf = readonly [path: readonly string[], value: unknown];

function leavesOf(value: unknown, path: readonly string[] = []): Leaf[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[path, value]];
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, [...path, name]));
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, name) => (inner as Record<string, unknown> | undefined)?.[name],
    value,
  );
}

test('backOffice.restaurants.update: any patch gives a restaurant, or faults with places', () => {
  const names = leavesOf(everyField).flatMap(([path]) => [...path]);
  const anyPatch = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom(...leavesOf(everyField).map(([, value]) => value)),
      tie('object'),
    ),
    object: fc.dictionary(
      fc.oneof(fc.constantFrom(...names), fc.string({ maxLength: 6 })),
      tie('value'),
      {
        maxKeys: 6,
      },
    ),
  })).object;
  const base = { general: { ...everyField.general, managementGroupGuid } };
  const made = newRestaurant(plain({ ...everyField, ...base }));
  fc.assert(
    fc.property(
      anyPatch,
      fc.constantFrom('general', 'schedules', 'location', ''),
      (patch, section) => {
        const sent = plain(section === '' ? patch : { [section]: patch });
        try {
          const request = { operation: editing, faults: new Faults(editing) };
          const edited = edit(made, readParsedBody(request, sent));
          // What is taken is as sound as what was there: an import takes it too.
          assert.doesNotThrow(() => importOf(edited));
        } catch (error) {
          assert.ok(error instanceof ApiError, String(error));
          // An element of a list, which is replaced as a whole, may lack a field.
          assert.ok(['unprocessable', 'badRequest'].includes(error.errorClass));
          assert.ok(error.faults.length > 0 && error.faults.length <= 100);
          for (const { where, message } of error.faults) assert.ok(where !== '' && message !== '');
        }
      },
    ),
    { numRuns: 60 },
  );
});

function importOf({ guid, general, ...sections }: RestaurantSettings): void {
  const { managementGroupGuid: _group, ...own } = general;
  const document = {
    format: 'servery.group/1',
    managementGroup: { name: 'G' },
    restaurants: [{ guid, info: { general: own, ...sections } }],
  };
  readGroupDocument(JSON.stringify(document));
}

test('restaurants RST-5: the back office and the import refuse the same values at the same paths', () => {
  const broken = fc.constantFrom<readonly [string, unknown]>(
    ['general.timeZone', 'Mars/Base'],
    ['general.timeZone', '+02:00'],
    ['general.currencyCode', 'QQQ'],
    ['general.closeoutHour', 13],
    ['general.firstBusinessDate', 20230229],
    ['general.name', ' '],
    ['general.name', 'x'.repeat(256)],
    ['urls.website', 'harbor'],
    ['urls.orderOnline', 'ftp://harbor.example'],
    ['location.latitude', 91],
    ['location.phone', 'none'],
    ['location.phoneCountryCode', '+1'],
    ['delivery.area', '~'],
    ['delivery.minimum', -1],
    ['prepTimes.takeoutPrepTime', 1.5],
    ['schedules.weekSchedule.friday', '404'],
    ['onlineOrdering.paymentOptions.ccTip', 'yes'],
    ['delivery.minumum', 1],
    ['orders.approval', 'never'],
  );
  fc.assert(
    fc.property(
      fc.uniqueArray(broken, { minLength: 1, maxLength: 6, selector: ([path]) => path }),
      (faults) => {
        const info = plain(everyField);
        for (const [path, value] of faults) set(info, path.split('.'), value);
        const expected = faultsOfImport(info);
        assert.ok(expected.length >= 1);
        const body = { ...info, general: { ...info.general, managementGroupGuid } };
        assert.deepEqual(
          faultsOf(() => newRestaurant(body)),
          expected,
        );
        const sound = { ...everyField, general: { ...everyField.general, managementGroupGuid } };
        const made = newRestaurant(plain(sound));
        assert.deepEqual(
          faultsOf(() => edit(made, info)),
          expected,
        );
      },
    ),
    RUNS,
  );
});

function set(
  target: Record<string, unknown>,
  [name = '', ...rest]: readonly string[],
  value: unknown,
) {
  if (rest.length === 0) target[name] = value;
  else set(target[name] as Record<string, unknown>, rest, value);
}

function faultsOf(run: () => unknown): string[] {
  try {
    run();
    return [];
  } catch (error) {
    assert.ok(error instanceof ApiError);
    return error.faults.map(({ where, message }) => `${where} ${message}`).sort();
  }
}

function faultsOfImport(info: object): string[] {
  const document = {
    format: 'servery.group/1',
    managementGroup: { name: 'G' },
    restaurants: [{ key: 'r', info }],
  };
  try {
    readGroupDocument(JSON.stringify(document));
    return [];
  } catch (error) {
    assert.ok(error instanceof InvalidGroupDocument);
    const prefix = 'restaurants[0].info.';
    return error.faults.map(({ path, message }) => `${path.replace(prefix, '')} ${message}`).sort();
  }
}

test('restaurants RST-5: an area is taken exactly when it is a polygon on earth', () => {
  // Half of the coordinates lie on the very edge, where a rounding error would be seen.
  const coordinate = (edge: number) =>
    fc.oneof(fc.integer({ min: -edge - 20, max: edge + 20 }), fc.constantFrom(-edge, edge));
  const point = fc.tuple(coordinate(90), coordinate(180));
  const made = newRestaurant({
    general: { name: 'C', timeZone: 'UTC', currencyCode: 'USD', managementGroupGuid },
  });
  fc.assert(
    fc.property(fc.array(point, { maxLength: 6 }), (points) => {
      const area = encode(points);
      assert.deepEqual(
        decodePolyline(area)?.map((each) => each.map(Math.round)),
        points.map((each) => each.map((degrees) => degrees + 0)),
      );
      const isSound =
        points.length >= 3 &&
        points.every(([north, east]) => Math.abs(north) <= 90 && Math.abs(east) <= 180);
      const told = faultsOf(() => edit(made, { delivery: { area } }));
      assert.equal(told.length === 0, isSound, told.join());
    }),
    RUNS,
  );
});

/** Whole degrees as an encoded polyline. */
function encode(points: readonly (readonly [number, number])[]): string {
  let [north, east] = [0, 0];
  return points
    .map(([latitude, longitude]) => {
      const text = number((latitude - north) * 1e5) + number((longitude - east) * 1e5);
      [north, east] = [latitude, longitude];
      return text;
    })
    .join('');
}

function number(value: number): string {
  let rest = value < 0 ? ~(value << 1) : value << 1;
  let text = '';
  while (rest >= 0x20) {
    text += String.fromCharCode((0x20 | (rest & 0x1f)) + 63);
    rest >>= 5;
  }
  return text + String.fromCharCode(rest + 63);
}
