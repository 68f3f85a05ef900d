-- Stock that the clock restores, and every change of stock with who made it.

-- When the clock puts the item back in stock; null when only a change does.
alter table stock add column until timestamptz(3)
  check (until is null or status = 'OUT_OF_STOCK');
-- What is due first, and what is due first at a restaurant.
create index stock_by_until on stock (until) where until is not null;
create index stock_by_restaurant_until on stock (restaurant_guid, until) where until is not null;

-- Rows are only inserted, and removed when they are old. They name no key of a table: a history
-- outlives what it tells of.
create table stock_change (
  restaurant_guid uuid not null,
  item_guid uuid not null,
  -- Counts the changes of an item, from 1 or from the newest that is kept: whoever undoes one knows
  -- by it whether it is the newest, and no two can be made of the same state.
  version integer not null check (version >= 1),
  guid uuid not null,
  cause text not null check (cause in ('SET', 'UNDO', 'RESTORED', 'IMPORT')),
  status_before text not null check (status_before in ('IN_STOCK', 'QUANTITY', 'OUT_OF_STOCK')),
  quantity_before numeric(16, 4),
  until_before timestamptz(3),
  status_after text not null check (status_after in ('IN_STOCK', 'QUANTITY', 'OUT_OF_STOCK')),
  quantity_after numeric(16, 4),
  until_after timestamptz(3),
  -- The id of an account, `person:` and a GUID, or `system:` and a name.
  changed_by text not null,
  request_id uuid,
  -- By the clock of the environment.
  changed_at timestamptz(3) not null,
  -- The change that this one undid.
  undoes uuid,
  primary key (restaurant_guid, item_guid, version),
  check ((status_before = 'QUANTITY') = (quantity_before is not null)),
  check ((status_after = 'QUANTITY') = (quantity_after is not null)),
  check (until_before is null or status_before = 'OUT_OF_STOCK'),
  check (until_after is null or status_after = 'OUT_OF_STOCK'),
  check ((cause = 'UNDO') = (undoes is not null))
);
create unique index stock_change_by_guid on stock_change (restaurant_guid, guid);
-- A change is undone once.
create unique index stock_change_by_undoes on stock_change (restaurant_guid, undoes)
  where undoes is not null;
create index stock_change_by_changed_at on stock_change (restaurant_guid, changed_at, guid);
-- What is old is forgotten wherever it was.
create index stock_change_by_age on stock_change (changed_at);
