import { newGuid } from '@servery/support/ids.ts';
import type { ObjectKind } from '../src/configuration/document/contents.ts';
import {
  deriveMultiLocationId,
  hasMultiLocationId,
} from '../src/configuration/document/identity.ts';
import type { Sql } from '../src/database/database.ts';
import type { RestaurantContext } from '../src/http/operation.ts';
import { NOW_MS } from './request.ts';

const NOW = new Date(NOW_MS);

/** Inserts a management group; gives its guid. */
export async function insertGroup(sql: Sql, guid = newGuid(), createdAt = NOW): Promise<string> {
  await sql`
    insert into management_group (guid, name, created_at)
    values (${guid}, 'Group', ${createdAt})`;
  return guid;
}

/** What a test says of a restaurant; the rest is filled in. */
export interface RestaurantParts {
  readonly guid?: string;
  readonly group?: string;
  readonly archived?: boolean;
  readonly currencyCode?: string;
  readonly createdAt?: Date;
  readonly columns?: Readonly<Record<string, unknown>>;
}

/** Inserts a restaurant, and a group when none is named; gives it as the pipeline hands it on. */
export async function insertRestaurant(
  sql: Sql,
  parts: RestaurantParts = {},
): Promise<RestaurantContext> {
  const { guid = newGuid(), archived = false, currencyCode = 'USD', createdAt = NOW } = parts;
  const managementGroupGuid = parts.group ?? (await insertGroup(sql, newGuid(), createdAt));
  const sections = {
    urls: {},
    location: {},
    schedules: {},
    delivery: {},
    online_ordering: {},
    prep_times: {},
  };
  const columns = { name: 'Corner Diner', location_name: null, ...sections, ...parts.columns };
  const json = (section: keyof typeof sections) => sql.json(columns[section]);
  await sql`
    insert into restaurant (guid, management_group_guid, name, location_name, time_zone,
      closeout_hour, currency_code, archived, urls, location, schedules, delivery, online_ordering,
      prep_times, publish_number, created_at, modified_at)
    values (${guid}, ${managementGroupGuid}, ${columns.name}, ${columns.location_name},
      'America/Chicago', 4, ${currencyCode}, ${archived}, ${json('urls')}, ${json('location')},
      ${json('schedules')}, ${json('delivery')}, ${json('online_ordering')}, ${json('prep_times')},
      1, ${createdAt}, ${createdAt})`;
  return {
    guid,
    managementGroupGuid,
    timeZone: 'America/Chicago',
    currencyCode,
    archived,
    publishNumber: 1,
  };
}

/** What a test says of a configuration object; the rest is filled in. */
export interface ObjectParts {
  readonly guid?: string;
  readonly externalId?: string;
  readonly multiLocationId?: string;
  readonly archived?: boolean;
  /** ISO 8601. */
  readonly modifiedAt?: string;
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** Inserts an object of a collection; gives its guid. */
export async function insertObject(
  sql: Sql,
  restaurantGuid: string,
  collection: string,
  parts: ObjectParts = {},
): Promise<string> {
  const guid = parts.guid ?? newGuid();
  const multiLocationId = hasMultiLocationId(collection as ObjectKind)
    ? (parts.multiLocationId ?? deriveMultiLocationId(guid))
    : null;
  await sql`
    insert into configuration_object (restaurant_guid, collection, guid, multi_location_id,
      external_id, fields, archived, modified_at)
    values (${restaurantGuid}, ${collection}, ${guid}, ${multiLocationId},
      ${parts.externalId ?? null}, ${sql.json({ name: 'Unnamed', ...parts.fields })},
      ${parts.archived ?? false}, ${parts.modifiedAt ?? NOW.toISOString()}::text::timestamptz)`;
  return guid;
}

/** Publishes: raises the restaurant's publish number. */
export async function publish(sql: Sql, restaurantGuid: string): Promise<void> {
  await sql`
    update restaurant set publish_number = publish_number + 1 where guid = ${restaurantGuid}`;
}

/** Inserts a partner; gives its guid. */
export async function insertPartner(sql: Sql, guid = newGuid()): Promise<string> {
  await sql`insert into partner (guid, name, created_at) values (${guid}, 'Partner', ${NOW})`;
  return guid;
}

/** Inserts a live connection. Times are ISO 8601. */
export async function insertLiveConnection(
  sql: Sql,
  restaurantGuid: string,
  partnerGuid: string,
  times: { readonly createdAt?: string; readonly modifiedAt?: string } = {},
): Promise<void> {
  const createdAt = times.createdAt ?? NOW.toISOString();
  await sql`
    insert into connection (restaurant_guid, partner_guid, created_at, modified_at)
    values (${restaurantGuid}, ${partnerGuid}, ${createdAt}::text::timestamptz,
      ${times.modifiedAt ?? createdAt}::text::timestamptz)`;
  await sql`
    insert into partner_counter as counter (partner_guid, position, connections)
    values (${partnerGuid}, 0, 1)
    on conflict (partner_guid) do update set connections = counter.connections + 1`;
}
