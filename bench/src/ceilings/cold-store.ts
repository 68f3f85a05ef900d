import type postgres from 'postgres';

/** The fields of the restaurant's menu items as the text that is answered: one statement. */
export async function findPage(
  sql: postgres.Sql,
  restaurantGuid: string,
  limit: number,
): Promise<string> {
  const [row] = await sql<[{ page: string }]>`
    select '[' || coalesce(string_agg(fields::text, ','), '') || ']' as page
    from (
      select fields from configuration_object
      where restaurant_guid = ${restaurantGuid} and collection = 'menuItems' and not archived
      order by guid limit ${limit}
    ) as object`;
  return row.page;
}
