-- Management groups, restaurants, their published configuration and stock, partners, connections.
-- The restaurant is the tenant: it is the first column of every key of tenant data.
-- Times have milliseconds, as on the wire: what a client reads is exactly what "after" compares.

create table management_group (
  guid uuid primary key,
  name text not null,
  created_at timestamptz(3) not null
);

create table restaurant (
  guid uuid primary key,
  management_group_guid uuid not null references management_group (guid),
  name text not null,
  location_name text,
  location_code text,
  description text,
  time_zone text not null,
  closeout_hour integer not null check (closeout_hour between 0 and 12),
  currency_code text not null,
  first_business_date integer,
  archived boolean not null,
  -- The remaining sections of RestaurantInfo, each as the contract writes it.
  urls json not null,
  location json not null,
  schedules json not null,
  delivery json not null,
  online_ordering json not null,
  prep_times json not null,
  -- Raised by every publication of the restaurant's configuration.
  publish_number integer not null,
  created_at timestamptz(3) not null,
  modified_at timestamptz(3) not null
);
create index restaurant_by_group on restaurant (management_group_guid, guid);

-- One published object of one of the 23 collections, or the one tipWithholding object.
create table configuration_object (
  restaurant_guid uuid not null references restaurant (guid),
  collection text not null,
  guid uuid not null,
  -- Identifies the item across locations in the stock interface; menu items only.
  multi_location_id text,
  external_id text,
  -- The object's own fields in the contract's order; a reference is the GUID of its target.
  fields json not null,
  archived boolean not null,
  modified_at timestamptz(3) not null,
  primary key (restaurant_guid, collection, guid),
  check ((collection = 'menuItems') = (multi_location_id is not null))
);
-- The collection comes last: as the second column it would look as good as the primary key to a
-- planner without statistics, for example to the foreign key checks of stock after an import.
create index configuration_object_by_modified
  on configuration_object (restaurant_guid, modified_at, collection);
create unique index configuration_object_by_multi_location_id
  on configuration_object (restaurant_guid, multi_location_id) where multi_location_id is not null;

-- The items that are not simply in stock; an item without a row is in stock.
create table stock (
  restaurant_guid uuid not null,
  collection text not null default 'menuItems' check (collection = 'menuItems'),
  item_guid uuid not null,
  status text not null check (status in ('QUANTITY', 'OUT_OF_STOCK')),
  quantity numeric(16, 4),
  modified_at timestamptz(3) not null,
  primary key (restaurant_guid, item_guid),
  foreign key (restaurant_guid, collection, item_guid)
    references configuration_object (restaurant_guid, collection, guid),
  check ((status = 'QUANTITY') = (quantity is not null)),
  check (quantity > 0)
);

-- An integrated partner service.
create table partner (
  guid uuid primary key,
  name text not null,
  created_at timestamptz(3) not null
);

-- The partners that a group's document lists, connected or not, so that its export lists them again.
create table management_group_partner (
  management_group_guid uuid not null references management_group (guid),
  partner_guid uuid not null references partner (guid),
  primary key (management_group_guid, partner_guid)
);

-- A restaurant's consent to a partner's integration. It decides access at once.
create table connection (
  restaurant_guid uuid not null references restaurant (guid),
  partner_guid uuid not null references partner (guid),
  external_group_ref text,
  external_restaurant_ref text,
  created_by_first_name text,
  created_by_last_name text,
  created_by_email text,
  created_by_phone text,
  created_at timestamptz(3) not null,
  modified_at timestamptz(3) not null,
  -- Set when the restaurant disconnected; connecting again clears it.
  removed_at timestamptz(3),
  primary key (restaurant_guid, partner_guid)
);
create index connection_by_partner on connection (partner_guid, created_at, restaurant_guid);
