-- What people want to know of partners, API accounts, their secrets and how they are used; and of
-- connections: every change of one, and the events that tell partners of it.

alter table partner
  add column description text check (length(description) between 1 and 1000);
create index partner_by_name on partner (lower(name), guid);

alter table api_client
  add column description text check (length(description) between 1 and 1000),
  -- Who made and who ended it; null for the time before that was kept.
  add column created_by text,
  add column revoked_by text,
  -- Told by the process that served it, at most once a minute.
  add column last_used_at timestamptz(3);
create index api_client_by_created_at on api_client (created_at, client_id);

alter table client_secret
  add column label text check (length(label) between 1 and 100),
  add column created_by text,
  add column revoked_by text,
  add column last_used_at timestamptz(3);

-- How often an account asked for an operation on a day, in UTC by the clock of the environment.
create table client_operation_use (
  client_id text not null references api_client (client_id),
  day date not null,
  -- `none` where no operation has the path.
  operation text not null,
  status integer not null check (status between 100 and 599),
  requests bigint not null check (requests > 0),
  primary key (client_id, day, operation, status)
);
create index client_operation_use_by_day on client_operation_use (day);

-- How often an account was let in to a restaurant on a day.
create table client_restaurant_use (
  client_id text not null references api_client (client_id),
  day date not null,
  restaurant_guid uuid not null references restaurant (guid),
  requests bigint not null check (requests > 0),
  primary key (client_id, day, restaurant_guid)
);
create index client_restaurant_use_by_day on client_restaurant_use (day);

-- Since when an account has a scope, where that is known, and when it was last of use.
create table client_scope_use (
  client_id text not null references api_client (client_id),
  scope text not null,
  granted_at timestamptz(3),
  used_at timestamptz(3),
  primary key (client_id, scope)
);

-- Since when requests are counted: one row.
create table client_use_start (
  is_counting boolean primary key check (is_counting),
  started_at timestamptz(3) not null
);

-- Why a connection ended; null while it lives.
alter table connection
  add column removed_reason text check (length(removed_reason) between 1 and 500);

-- Every change of a connection. No row is ever changed or removed.
create table connection_change (
  restaurant_guid uuid not null,
  partner_guid uuid not null,
  -- From 1 without gaps, in the order in which they happened.
  number integer not null check (number > 0),
  kind text not null check (kind in ('CONNECTED', 'EDITED', 'RESTAURANT_EDITED', 'DISCONNECTED')),
  at timestamptz(3) not null,
  -- The id of an account, `person:` and a GUID, or `system:` and a name.
  actor text not null,
  request_id uuid,
  employee_first_name text,
  employee_last_name text,
  employee_email text,
  employee_phone text,
  -- As they are from then on.
  external_group_ref text,
  external_restaurant_ref text,
  reason text,
  primary key (restaurant_guid, partner_guid, number),
  foreign key (restaurant_guid, partner_guid)
    references connection (restaurant_guid, partner_guid),
  check (reason is null or kind = 'DISCONNECTED')
);

-- The position of the newest event of a partner. Whoever writes an event holds the row until COMMIT:
-- positions are seen in their order and without gaps, and whoever has read one has missed none.
create table partner_event_position (
  partner_guid uuid primary key references partner (guid),
  position bigint not null check (position > 0)
);

-- What partners are told of their connections, one event for each change.
create table partner_event (
  partner_guid uuid not null references partner (guid),
  position bigint not null check (position > 0),
  guid uuid not null unique,
  type text not null check (type in ('partner_added', 'partner_removed', 'partner_updated')),
  restaurant_guid uuid not null,
  change_number integer not null,
  at timestamptz(3) not null,
  -- PartnerAccessExternalWebhookRep, as the restaurant and the connection were at that time.
  payload json not null,
  primary key (partner_guid, position),
  unique (restaurant_guid, partner_guid, change_number),
  foreign key (restaurant_guid, partner_guid, change_number)
    references connection_change (restaurant_guid, partner_guid, number)
);

-- The timelines of the connections that there are begin with what is known of them.
insert into connection_change (restaurant_guid, partner_guid, number, kind, at, actor,
  employee_first_name, employee_last_name, employee_email, employee_phone, external_group_ref,
  external_restaurant_ref)
select restaurant_guid, partner_guid, 1, 'CONNECTED', created_at, 'system:migration',
  created_by_first_name, created_by_last_name, created_by_email, created_by_phone,
  external_group_ref, external_restaurant_ref
from connection;
insert into connection_change (restaurant_guid, partner_guid, number, kind, at, actor,
  employee_first_name, employee_last_name, employee_email, employee_phone, external_group_ref,
  external_restaurant_ref)
select restaurant_guid, partner_guid, 2, 'DISCONNECTED', removed_at, 'system:migration',
  created_by_first_name, created_by_last_name, created_by_email, created_by_phone,
  external_group_ref, external_restaurant_ref
from connection
where removed_at is not null;

-- What was written stays as it is (docs/decisions/0015). Checking a foreign key locks a row, for
-- which the right to update one column is needed.
revoke update, delete, truncate on connection_change from current_user;
grant update (restaurant_guid) on connection_change to current_user;
-- Events are let go of after their time.
revoke update, truncate on partner_event from current_user;
