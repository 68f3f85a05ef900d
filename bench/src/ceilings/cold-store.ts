import type postgres from 'postgres';

/** Makes the table of the pages that the ceiling answers. `sql` must be a single connection. */
export async function insertPages(
  sql: postgres.Sql,
  pages: readonly { readonly restaurantGuid: string; readonly body: string }[],
): Promise<void> {
  // From the second run on, the table exists, and PostgreSQL would print a notice.
  await sql`set client_min_messages = warning`;
  await sql`create table if not exists bench_page (
    restaurant_guid uuid primary key, body text not null)`;
  await sql`
    insert into bench_page (restaurant_guid, body)
    select "restaurantGuid", body from json_to_recordset(${JSON.stringify(pages)}::text::json)
      as page ("restaurantGuid" uuid, body text)
    on conflict do nothing`;
}

/** One statement: a page as it is answered, for a partner that is connected with the restaurant. */
export async function findPage(
  sql: postgres.Sql,
  restaurantGuid: string,
  partnerGuid: string,
): Promise<string> {
  const [row] = await sql<[{ body: string }?]>`
    select body
    from bench_page
    join restaurant on restaurant.guid = bench_page.restaurant_guid and not archived
    join connection on connection.restaurant_guid = bench_page.restaurant_guid
      and partner_guid = ${partnerGuid} and removed_at is null
    where bench_page.restaurant_guid = ${restaurantGuid}`;
  if (!row) throw new Error('a restaurant has no page, or no connection');
  return row.body;
}
