import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CallOptions, DemoCallers } from './client.ts';
import { archivedRestaurant, openRestaurants } from './fixtures.ts';
import { platformUnderTest } from './platform.ts';
import { alike, codeOf } from './values.ts';

interface General {
  name: string;
  timeZone: string;
  closeoutHour: number;
  managementGroupGuid: string;
  currencyCode: string;
  firstBusinessDate: number | null;
  archived: boolean;
}
interface Day {
  services: { hours: { startTime: string; endTime: string }; overnight: boolean }[];
  openTime: string | null;
  closeTime: string | null;
}
interface Info {
  guid: string;
  general: General;
  location: Record<string, string | number | null>;
  schedules: {
    daySchedules: Record<string, Day>;
    weekSchedule: Record<string, string | null> | null;
  };
  delivery: { enabled: boolean; minimum: number | null; area: string | null };
}

const platform = await platformUnderTest();
const callers = new DemoCallers(platform);
const partner = await callers.as('partner');
const { demo } = platform;
const open = openRestaurants(demo);
const [restaurant, second] = open;
const unknown = '7d0c8f5a-6c1e-4f0b-9a53-2f4f6c1b9e77';

const get = (status: number, restaurantGUID: string, options: CallOptions = {}) =>
  partner.call('restaurants.get', status, { restaurant, params: { restaurantGUID }, ...options });

async function info(restaurantGUID: string, options: CallOptions = {}): Promise<Info> {
  return (await get(200, restaurantGUID, { restaurant: restaurantGUID, ...options })).json as Info;
}

const infos = await Promise.all(open.map((guid) => info(guid)));

test('restaurants.get 200: the restaurant of the path, with all its sections', () => {
  for (const [index, guid] of open.entries()) {
    const described = infos[index];
    const known = demo.restaurants.find((each) => each.guid === guid);
    assert.equal(described?.guid, guid);
    assert.equal(described?.general.name, known?.name);
    assert.equal(described?.general.timeZone, known?.timeZone);
    assert.equal(described?.general.currencyCode, known?.currencyCode);
    assert.equal(described?.general.managementGroupGuid, demo.managementGroupGuid);
    assert.equal(described?.general.archived, false);
  }
});

test('restaurants.get 404 RST-1: malformed, unknown, or out of reach, all the same', async () => {
  const unknownOne = await get(404, unknown);
  assert.equal(codeOf(unknownOne), 10_003);
  for (const guid of ['x', '1', `${restaurant}0`, "'--"]) {
    assert.equal(codeOf(await get(404, guid)), 10_003);
  }
  const other = await callers.as('other');
  const listed = (await other.call('partners.restaurants.list', 200)).json as {
    restaurantGuid: string;
  }[];
  for (const { restaurantGuid } of listed) {
    alike(await get(404, restaurantGuid), unknownOne);
    const params = { restaurantGUID: restaurant };
    await other.call('restaurants.get', 404, { restaurant: restaurantGuid, params });
  }
});

test('restaurants.get 404 RST-2: an archived restaurant without includeArchived', async () => {
  const archived = archivedRestaurant(demo);
  await get(404, archived);
  await get(404, archived, { query: { includeArchived: false } });
});

test('restaurants.get 200 RST-2: with includeArchived it is described', async () => {
  const archived = archivedRestaurant(demo);
  const query = { includeArchived: true };
  for (const named of [restaurant, archived]) {
    const described = await info(archived, { restaurant: named, query });
    assert.equal(described.guid, archived);
    assert.equal(described.general.archived, true);
  }
  const living = await info(restaurant, { query });
  assert.equal(living.general.archived, false);
});

test('restaurants.get 403 RST-2: the header may not name it otherwise', async () => {
  await get(403, restaurant, { restaurant: archivedRestaurant(demo) });
});

test('restaurants.get 200 RST-2: includeArchived may be in any case', async () => {
  const archived = archivedRestaurant(demo);
  for (const includeArchived of ['True', 'TRUE']) {
    await get(200, archived, { restaurant: archived, query: { includeArchived } });
  }
  await get(404, archived, { query: { includeArchived: 'False' } });
});

test('restaurants.get 400 RST-2: includeArchived is a boolean', async () => {
  for (const includeArchived of ['yes', '1', '0', 'TRUE ', 'null', 'true,false', '{}']) {
    await get(400, restaurant, { query: { includeArchived } });
  }
});

test('restaurants.get 200 RST-3: the header may name another one in reach', async () => {
  assert.deepEqual(await info(second, { restaurant }), await info(second));
});

test('restaurants.listGroup 200 RST-4: every member that is not archived', async () => {
  const answer = await partner.call('restaurants.listGroup', 200, {
    restaurant,
    params: { managementGroupGUID: demo.managementGroupGuid },
  });
  const listed = (answer.json as { guid: string }[]).map(({ guid }) => guid);
  assert.deepEqual([...listed].sort(), [...open].sort());
});

test('restaurants.listGroup 200 RST-4: group accounts get the same list', async () => {
  const options = { restaurant, params: { managementGroupGUID: demo.managementGroupGuid } };
  const group = await callers.as('group');
  const [one, other] = [
    await partner.call('restaurants.listGroup', 200, options),
    await group.call('restaurants.listGroup', 200, options),
  ];
  assert.deepEqual(one.json, other.json);
});

test('restaurants.listGroup 404 RST-4: an unknown group', async () => {
  for (const managementGroupGUID of [unknown, restaurant, 'x']) {
    const params = { managementGroupGUID };
    const answer = await partner.call('restaurants.listGroup', 404, { restaurant, params });
    assert.equal(codeOf(answer), 10_003);
  }
});

test('restaurants.get 200 RST-5: what is always set is set, and in its range', () => {
  const zones = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC']);
  for (const { general } of infos) {
    assert.ok(general.name.length > 0);
    assert.ok(zones.has(general.timeZone), `${general.timeZone} is no IANA zone`);
    assert.ok(general.closeoutHour >= 0 && general.closeoutHour <= 12);
    assert.ok(Intl.supportedValuesOf('currency').includes(general.currencyCode));
    if (general.firstBusinessDate !== null) {
      const text = String(general.firstBusinessDate);
      const iso = text.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3');
      assert.equal(new Date(iso).toISOString().slice(0, 10), iso);
    }
  }
  assert.ok(new Set(infos.map(({ general }) => general.timeZone)).size >= 3);
});

test('restaurants.get 200 RST-5: the week names day schedules by digit strings', () => {
  for (const { schedules } of infos) {
    const keys = Object.keys(schedules.daySchedules);
    for (const key of keys) assert.match(key, /^\d+$/);
    for (const key of Object.values(schedules.weekSchedule ?? {})) {
      assert.ok(key === null || keys.includes(key));
    }
  }
  const weeks = infos.flatMap(({ schedules }) => Object.values(schedules.weekSchedule ?? {}));
  assert.ok(weeks.includes(null), 'some demo restaurant is closed on some day');
});

test('restaurants.get 200: a day opens with its first service and closes with its last', () => {
  const days = infos.flatMap(({ schedules }) => Object.values(schedules.daySchedules));
  assert.ok(days.some(({ services }) => services.length > 0));
  for (const { services, openTime, closeTime } of days) {
    assert.equal(openTime, services.at(0)?.hours.startTime ?? null);
    assert.equal(closeTime, services.at(-1)?.hours.endTime ?? null);
  }
});

test('restaurants.get 200: overnight tells the services that go on after midnight', () => {
  const services = infos.flatMap(({ schedules }) =>
    Object.values(schedules.daySchedules).flatMap((day) => day.services),
  );
  for (const { hours, overnight } of services) {
    assert.equal(overnight, hours.endTime <= hours.startTime, JSON.stringify(hours));
  }
  assert.ok(services.some(({ overnight }) => overnight));
});

test('restaurants.get 200: places are on earth, with the state written under both names', () => {
  for (const { location } of infos) {
    const { latitude, longitude, stateCode, administrativeArea, phoneCountryCode } = location;
    if (latitude !== null) assert.ok(Math.abs(Number(latitude)) <= 90);
    if (longitude !== null) assert.ok(Math.abs(Number(longitude)) <= 180);
    if (stateCode !== null) assert.notEqual(administrativeArea, null);
    if (phoneCountryCode !== null) assert.match(String(phoneCountryCode), /^\d{1,3}$/);
  }
});

/** Decodes an encoded polyline of decimal degrees; five decimals. */
function decodePolyline(text: string): [number, number][] {
  const points: [number, number][] = [];
  const sums = [0, 0];
  let [value, shift, axis] = [0, 0, 0];
  for (const character of text) {
    const bits = character.charCodeAt(0) - 63;
    value |= (bits & 0x1f) << shift;
    shift += 5;
    if (bits >= 0x20) continue;
    sums[axis] = Number(sums[axis]) + (value & 1 ? ~(value >> 1) : value >> 1);
    if (axis === 1) points.push([Number(sums[0]) / 1e5, Number(sums[1]) / 1e5]);
    [value, shift, axis] = [0, 0, 1 - axis];
  }
  return points;
}

test('restaurants.get 200: a delivery area decodes to a polygon around the restaurant', () => {
  const areas = infos.filter(({ delivery }) => delivery.area !== null);
  assert.ok(areas.length > 0, 'some demo restaurant has a delivery polygon');
  for (const { delivery, location } of areas) {
    const points = decodePolyline(String(delivery.area));
    assert.ok(points.length >= 3);
    for (const [latitude, longitude] of points) {
      assert.ok(Math.abs(latitude - Number(location.latitude)) < 1, `${latitude}`);
      assert.ok(Math.abs(longitude - Number(location.longitude)) < 1, `${longitude}`);
    }
  }
});
