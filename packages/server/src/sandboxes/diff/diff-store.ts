import type { ObjectKind } from '../../configuration/document/contents.ts';
import type { Sql } from '../../database/database.ts';
import { type PaymentRow, paymentColumns } from '../../payments/life/store.ts';
import { type RestaurantRow, restaurantColumns } from '../../restaurants/store.ts';
import type { StockState } from '../../stock/change-store.ts';

/** What differs is found by digests of its text, so that only that is read. */
interface Digested {
  readonly digest: string;
}

/** Of many rows together. */
export interface NamedDigest<Name extends string> extends Digested {
  readonly name: Name;
}

/** What all compared rows are found by, also in another database. */
export interface Place {
  readonly restaurantGuid: string;
  readonly guid: string;
}

export type PlaceRow = Place & Digested;

interface Named {
  readonly name: string;
  readonly restaurantName: string;
}

type Fragment = ReturnType<Sql>;

/** Rows of a type are digested as they are written, with nulls and quotes. */
const digest = (sql: Sql, row: Fragment) => sql`hashtextextended(${row}::text, 0)`;

const asked = (sql: Sql, places: readonly Place[]) => sql`
  unnest(${places.map(({ restaurantGuid }) => restaurantGuid)}::uuid[],
    ${places.map(({ guid }) => guid)}::uuid[]) as asked (restaurant_guid, guid)`;

export async function listRestaurantDigests(
  sql: Sql,
  after: Place | null,
  limit: number,
): Promise<(PlaceRow & { readonly name: string })[]> {
  return await sql<(PlaceRow & { readonly name: string })[]>`
    select guid as "restaurantGuid", guid, name, ${digest(sql, sql`content`)}::text as digest
    from (
      select ${restaurantColumns(sql)} from restaurant
      ${after ? sql`where guid > ${after.guid}` : sql``}
      order by guid
      limit ${limit}
    ) as content
    order by guid`;
}

export async function listRestaurantRows(
  sql: Sql,
  places: readonly Place[],
): Promise<RestaurantRow[]> {
  return await sql<RestaurantRow[]>`
    select ${restaurantColumns(sql)} from restaurant
    where guid = any(${places.map(({ guid }) => guid)}::uuid[])`;
}

/** Without the time: an object that was published again is the same. */
const objectDigest = (sql: Sql) =>
  digest(sql, sql`row(guid, multi_location_id, external_id, archived, fields)`);

export async function listKindDigests(
  sql: Sql,
  restaurantGuid: string,
): Promise<NamedDigest<ObjectKind>[]> {
  return await sql<NamedDigest<ObjectKind>[]>`
    select collection as name, sum(${objectDigest(sql)})::text as digest
    from configuration_object where restaurant_guid = ${restaurantGuid}
    group by collection`;
}

export async function listObjectDigests(
  sql: Sql,
  restaurantGuid: string,
  kind: ObjectKind,
  after: Place | null,
  limit: number,
): Promise<PlaceRow[]> {
  return await sql<PlaceRow[]>`
    select restaurant_guid as "restaurantGuid", guid, ${objectDigest(sql)}::text as digest
    from configuration_object
    where restaurant_guid = ${restaurantGuid} and collection = ${kind}
      ${after ? sql`and guid > ${after.guid}` : sql``}
    order by guid
    limit ${limit}`;
}

export type ComparedTable = 'stock' | 'payment' | 'connection';

interface TableParts {
  readonly table: Fragment;
  readonly restaurantGuid: Fragment;
  readonly guid: Fragment;
  readonly compared: Fragment;
}

function partsOf(sql: Sql, table: ComparedTable): TableParts {
  switch (table) {
    case 'stock':
      return {
        table: sql`stock`,
        restaurantGuid: sql`restaurant_guid`,
        guid: sql`item_guid`,
        compared: sql`status, quantity, until`,
      };
    case 'payment':
      return {
        table: sql`payment`,
        restaurantGuid: sql`merchant_guid`,
        guid: sql`payment_uuid`,
        compared: sql`state, currency_code, amount_minor, tip_minor, changed_tip_minor,
          captured_minor, authorized_at is null`,
      };
    case 'connection':
      return {
        table: sql`connection`,
        restaurantGuid: sql`restaurant_guid`,
        guid: sql`partner_guid`,
        compared: sql`external_group_ref, external_restaurant_ref, removed_at is null,
          removed_reason`,
      };
  }
}

const rowDigest = (sql: Sql, { restaurantGuid, guid, compared }: TableParts) =>
  digest(sql, sql`row(${restaurantGuid}, ${guid}, ${compared})`);

/** The end of a GUID is random in all versions, so that rows spread evenly. */
const bucketOf = (sql: Sql, { guid }: TableParts) => sql`right(${guid}::text, 2)`;

/** Of all rows with the same end of the GUID, so that equal ones are not even listed. */
export async function listBucketDigests(
  sql: Sql,
  table: ComparedTable,
): Promise<NamedDigest<string>[]> {
  const parts = partsOf(sql, table);
  return await sql<NamedDigest<string>[]>`
    select ${bucketOf(sql, parts)} as name, sum(${rowDigest(sql, parts)})::text as digest
    from ${parts.table}
    group by 1`;
}

export async function listRowDigests(
  sql: Sql,
  table: ComparedTable,
  buckets: readonly string[],
  after: Place | null,
  limit: number,
): Promise<PlaceRow[]> {
  const parts = partsOf(sql, table);
  const { restaurantGuid, guid } = parts;
  const further = after
    ? sql`and (${restaurantGuid}, ${guid}) > (${after.restaurantGuid}::uuid, ${after.guid}::uuid)`
    : sql``;
  return await sql<PlaceRow[]>`
    select ${restaurantGuid} as "restaurantGuid", ${guid} as guid,
      ${rowDigest(sql, parts)}::text as digest
    from ${parts.table}
    where ${bucketOf(sql, parts)} = any(${buckets}::text[]) ${further}
    order by ${restaurantGuid}, ${guid}
    limit ${limit}`;
}

/** An item in stock has no row in `stock`, and yet a status. */
export type StockContent = Place & Named & StockState;

export async function listStockContents(
  sql: Sql,
  places: readonly Place[],
): Promise<StockContent[]> {
  return await sql<StockContent[]>`
    select item.restaurant_guid as "restaurantGuid", item.guid, item.fields->>'name' as name,
      restaurant.name as "restaurantName", coalesce(stock.status, 'IN_STOCK') as status,
      trim_scale(stock.quantity)::text as quantity, stock.until
    from ${asked(sql, places)}
    join configuration_object as item on item.restaurant_guid = asked.restaurant_guid
      and item.collection = 'menuItems' and item.guid = asked.guid
    join restaurant on restaurant.guid = item.restaurant_guid
    left join stock on stock.restaurant_guid = item.restaurant_guid
      and stock.item_guid = item.guid`;
}

export type PaymentContent = PaymentRow & Pick<Named, 'restaurantName'>;

export async function listPaymentContents(
  sql: Sql,
  places: readonly Place[],
): Promise<PaymentContent[]> {
  return await sql<PaymentContent[]>`
    select found.*, restaurant.name as "restaurantName"
    from ${asked(sql, places)}
    cross join lateral (
      select ${paymentColumns(sql)} from payment
      where merchant_guid = asked.restaurant_guid and payment_uuid = asked.guid
    ) as found
    join restaurant on restaurant.guid = asked.restaurant_guid`;
}

export interface ConnectionContent extends Place, Named {
  readonly state: 'CONNECTED' | 'DISCONNECTED';
  readonly externalGroupRef: string | null;
  readonly externalRestaurantRef: string | null;
  readonly disconnectReason: string | null;
}

export async function listConnectionContents(
  sql: Sql,
  places: readonly Place[],
): Promise<ConnectionContent[]> {
  return await sql<ConnectionContent[]>`
    select connection.restaurant_guid as "restaurantGuid", connection.partner_guid as guid,
      partner.name, restaurant.name as "restaurantName",
      case when removed_at is null then 'CONNECTED' else 'DISCONNECTED' end as state,
      external_group_ref as "externalGroupRef", external_restaurant_ref as "externalRestaurantRef",
      removed_reason as "disconnectReason"
    from ${asked(sql, places)}
    join connection on connection.restaurant_guid = asked.restaurant_guid
      and connection.partner_guid = asked.guid
    join partner on partner.guid = connection.partner_guid
    join restaurant on restaurant.guid = connection.restaurant_guid`;
}
