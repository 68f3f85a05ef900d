import type postgres from 'postgres';

/** Rows like one that the product has written: so many more, each with these values of its own. */
interface Copies {
  readonly table: string;
  /** Which row; SQL over its columns. */
  readonly pattern: string;
  /** Pairs of a column and its value for copy `nth`, as `jsonb_build_object` takes them. */
  readonly own: string;
}

const GUID = `md5(pattern::text || nth)::uuid`;

/** What grows beside restaurants and payments. `$1` is the restaurant whose lists are read. */
const COPIES: readonly Copies[] = [
  { table: 'partner', pattern: 'true', own: `'guid', ${GUID}, 'name', name || nth` },
  {
    table: 'person',
    pattern: 'true',
    own: `'guid', ${GUID}, 'name', name || nth, 'email', 'person' || nth || '@example.com'`,
  },
  { table: 'api_client', pattern: `type = 'PARTNER'`, own: `'client_id', ${GUID}` },
  {
    table: 'audit_entry',
    pattern: 'true',
    own: `'guid', ${GUID}, 'at', at - nth * interval '1 second'`,
  },
  {
    table: 'request_log',
    pattern: 'true',
    own: `'request_id', ${GUID}, 'real_at', real_at - nth * interval '1 ms'`,
  },
  {
    table: 'webhook_endpoint',
    pattern: 'true',
    own: `'guid', ${GUID}, 'state', 'PAUSED', 'state_reason', 'PERSON'`,
  },
  {
    table: 'configuration_object',
    pattern: `restaurant_guid = $1 and collection = 'menuItems'`,
    own: `'guid', ${GUID}, 'multi_location_id', 'copy' || nth`,
  },
  {
    table: 'stock_change',
    pattern: `restaurant_guid = $1 and status_after = 'QUANTITY'`,
    own: `'guid', ${GUID}, 'version', 1000 + nth, 'changed_at', changed_at - nth * interval '1 second'`,
  },
  {
    table: 'publication',
    pattern: 'restaurant_guid = $1',
    own: `'number', 1000 + nth`,
  },
  {
    table: 'connection_change',
    pattern: 'restaurant_guid = $1',
    own: `'number', 1000 + nth`,
  },
  {
    table: 'restaurant_order',
    pattern: `restaurant_guid = $1 and guest_status = 'CLOSED'`,
    own: `'guid', ${GUID}, 'external_id', null, 'check_guids', array[${GUID}],
      'business_date', to_char(date '2025-12-31' - nth / 100, 'YYYYMMDD')::integer,
      'created_at', created_at - nth * interval '1 second',
      'modified_at', modified_at - nth * interval '1 second'`,
  },
];

/** Copies the rows so many times; throws where there is nothing to copy. */
export async function insertCopies(
  sql: postgres.Sql,
  restaurantGuid: string,
  count: number,
): Promise<void> {
  for (const { table, pattern, own } of COPIES) {
    const [columns] = await sql<[{ names: string[] }]>`
      select array_agg(attname::text) as names from pg_attribute
      where attrelid = ${table}::regclass and attnum > 0 and not attisdropped
        and attgenerated = ''`;
    const condition = pattern.replaceAll('$1', `'${restaurantGuid}'`);
    const { count: copied } = await sql.unsafe(`
      insert into ${table} (${columns.names.join(', ')})
      select ${columns.names.map((name) => `copy.${name}`).join(', ')}
      from ${table} as pattern
      cross join generate_series(1, ${count}) as nth
      cross join lateral jsonb_populate_record(pattern, jsonb_build_object(${own})) as copy
      where pattern.ctid = (select ctid from ${table} where ${condition} limit 1)`);
    if (copied !== count) throw new Error(`${table} has nothing to copy`);
  }
}

/** An alarm, acknowledged, of each of so many payments. */
export async function insertAlarms(sql: postgres.Sql, count: number): Promise<void> {
  await sql`
    insert into payment_alarm (merchant_guid, guid, payment_uuid, kind, attempt, payment_state,
      explanation, raised_at, acknowledged_at, acknowledged_by)
    select merchant_guid, gen_random_uuid(), payment_uuid, 'UNSETTLED', attempt, state, 'For the bench.',
      created_at, created_at, 'bench'
    from payment limit ${count}`;
}

/** Delivered events of the partner, one for each position. */
export async function insertDeliveries(
  sql: postgres.Sql,
  endpointGuid: string,
  count: number,
): Promise<void> {
  await sql`
    insert into webhook_delivery (partner_guid, endpoint_guid, place, extra, guid, event_type,
      state, queued_at, due_at, attempts, tries, finished_at)
    select e.partner_guid, e.guid, event.position, 0, gen_random_uuid(), event.type, 'DELIVERED',
      event.at, event.at, 1, 1, event.at
    from webhook_endpoint e join partner_event event using (partner_guid)
    where e.guid = ${endpointGuid} and event.position <= ${count}`;
}

/** Whether the copies are there: runs go on with the data of the one before. */
export async function hasCopies(sql: postgres.Sql, count: number): Promise<boolean> {
  const [row] = await sql<[{ has: boolean }]>`
    select count(*) >= ${count} as has from (select from person limit ${count}) as known`;
  return row.has;
}

/** What there is to ask for, by the names of parameters. */
export interface Known {
  /** Of the payment. */
  readonly groupGuid: string;
  /** Of the restaurant. */
  readonly ownGroupGuid: string;
  /** A partner that the restaurant is connected with. */
  readonly connectedGuid: string;
  readonly orderGuid: string;
  readonly businessDate: string;
  readonly paidBusinessDate: string;
  readonly merchantUuid: string;
  readonly paymentUuid: string;
  readonly personGuid: string;
  /** Of an endpoint that has deliveries. */
  readonly endpointGuid: string;
}

export async function findKnown(
  sql: postgres.Sql,
  restaurantGuid: string,
  clientId: string,
): Promise<Known> {
  const [row] = await sql<[Known]>`
    select r.management_group_guid as "groupGuid",
      (select order_guid from order_event where restaurant_guid = ${restaurantGuid}
        group by order_guid order by count(*) desc limit 1) as "orderGuid",
      o.business_date::text as "businessDate", o.business_date::text as "paidBusinessDate",
      p.merchant_guid as "merchantUuid", p.payment_uuid as "paymentUuid",
      (select management_group_guid from restaurant where guid = ${restaurantGuid}) as "ownGroupGuid",
      (select guid from person limit 1) as "personGuid",
      (select endpoint_guid from webhook_delivery limit 1) as "endpointGuid",
      (select partner_guid from connection_change c where c.restaurant_guid = ${restaurantGuid}
        order by number desc limit 1) as "connectedGuid"
    from (
      select * from restaurant_order
      where restaurant_guid = ${restaurantGuid} and business_date = 20251231 limit 1
    ) as o
    cross join (select * from payment where client_id = ${clientId} limit 1) as p
    join restaurant r on r.guid = p.merchant_guid`;
  return row;
}

/** Tells the planner what there is now. */
export async function updateStatistics(sql: postgres.Sql): Promise<void> {
  await sql.unsafe('vacuum (analyze)');
}
