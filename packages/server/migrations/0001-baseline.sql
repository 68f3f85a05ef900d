-- The schema of version 1.0. Later migrations change it; this file is frozen by its checksum.
--
-- The restaurant is the tenant: it is the first column of every key of tenant data. Ids come from
-- the application. Times that clients see have milliseconds, as on the wire: what a client reads is
-- exactly what its next filter compares. Times are by the clock of the environment, which a sandbox
-- can move; comments say so where real time is meant.
--
-- Sections: environment, sandboxes and processes, groups and restaurants, API accounts, connections and their
-- events, people, configuration, stock, payments, orders, webhooks, audit log, log of requests.


-- ENVIRONMENT, SANDBOXES AND PROCESSES

-- The kind of this environment, set at the first start, so that nobody serves a production database
-- as a sandbox by mistake, or the other way around.
create table environment (
  id integer primary key check (id = 1),
  -- Page tokens name it, so that those of other environments are refused.
  guid uuid not null,
  kind text not null check (kind in ('sandbox', 'production')),
  created_at timestamptz(3) not null
);

-- The clock that every process on the database follows. Production never reads it.
create table environment_clock (
  id integer primary key check (id = 1),
  mode text not null check (mode in ('RUNNING', 'FROZEN')),
  -- How far a running clock is ahead of real time.
  offset_ms bigint not null,
  -- Where the clock stands while it is frozen or being moved.
  frozen_at timestamptz(3),
  -- Raised by every change except the renewal of a lease.
  version integer not null check (version >= 0),
  -- Who moves the clock, and until when in real time.
  mover uuid,
  mover_expires_at timestamptz(3),
  check ((mover is null) = (mover_expires_at is null)),
  check ((frozen_at is null) = (mode = 'RUNNING' and mover is null))
);
insert into environment_clock (id, mode, offset_ms, version) values (1, 'RUNNING', 0, 0);

-- The faults that somebody ordered for a sandbox. A rule happens a number of times and then has ended,
-- or at a rate: then the seed and the number of the match decide.
create table fault_rule (
  guid uuid primary key,
  -- Null for any.
  operation text,
  client_id text,
  restaurant_guid uuid,
  phase text not null check (phase in ('before', 'after', 'paging', 'webhooks', 'processor')),
  fault json not null,
  times integer check (times >= 1),
  rate float8 check (rate between 0 and 1),
  seed integer not null check (seed >= 0),
  -- The mixture that it belongs to; null for none.
  profile text check (profile in ('perfect', 'like-production', 'bad-friday')),
  matched integer not null default 0 check (matched >= injected),
  injected integer not null default 0 check (injected >= 0),
  -- In real time, as is the creation.
  last_matched_at timestamptz(3),
  created_at timestamptz(3) not null,
  created_by text not null,
  check ((times is null) <> (rate is null)),
  check (injected <= times)
);

-- Which ledger of the card simulator holds this environment's authorizations. Any other ledger knows
-- none of them.
create table processor_ledger (
  id integer primary key check (id = 1),
  ledger_id uuid not null,
  claimed_at timestamptz(3) not null
);

-- SANDBOXES beside this environment, in real time. Only the main environment has rows here.

-- Each sandbox, snapshot and template is a database of its own on the same server, with a ledger of
-- its own. A row comes before its database and goes after it, so that a crash leaves nothing behind
-- that nobody knows: what no other row needs is removed.
create table sandbox_database (
  name text primary key check (name ~ '^servery_[0-9a-f]{8}_[0-9a-f]{16}$'),
  ledger_id uuid not null unique,
  -- Null once it is complete. A maker that has not moved this ahead by then has died.
  making_until timestamptz
);

create table sandbox (
  name text primary key check (name ~ '^[a-z][a-z0-9-]{0,39}$' and name <> 'main'),
  -- Null while its first database is made.
  database_name text unique references sandbox_database (name),
  making_until timestamptz,
  -- What it was made from, as it was asked for.
  made_from json not null,
  -- Whose group and accounts its demo file tells; none if it has none.
  profile text not null,
  created_at timestamptz(3) not null,
  created_by text not null,
  expires_at timestamptz(3) not null,
  -- The last request; null for none.
  used_at timestamptz(3),
  -- Its clock as it was last seen: how far it is ahead of real time, or where it stands if frozen.
  clock_mode text not null default 'RUNNING' check (clock_mode in ('RUNNING', 'FROZEN')),
  clock_ms bigint not null default 0,
  -- When the next of its work is due, so that it is woken; while it is awake, a little ahead, so that
  -- another process wakes it after a crash. Null if nothing is.
  wake_at timestamptz,
  check ((database_name is null) = (making_until is not null))
);
create index sandbox_wake on sandbox (wake_at) where wake_at is not null;
create index sandbox_expiry on sandbox (expires_at);

-- Sandboxes that expired, for a day: who still asks for one is told.
create table sandbox_expired (
  name text primary key,
  expired_at timestamptz(3) not null
);

create table sandbox_snapshot (
  sandbox_name text not null references sandbox (name) on delete cascade,
  name text not null check (name ~ '^[a-z][a-z0-9-]{0,39}$'),
  database_name text not null unique references sandbox_database (name),
  created_at timestamptz(3) not null,
  created_by text not null,
  primary key (sandbox_name, name)
);

-- What new sandboxes of a profile are copied from, while the program and its migrations are these.
create table sandbox_template (
  profile text primary key,
  fingerprint text not null,
  database_name text not null unique references sandbox_database (name)
);

-- The server processes that are alive, in real time.
create table server_process (
  process_id uuid primary key,
  -- The workers of one server count requests together in its memory. The database counts only while
  -- processes of several groups are alive.
  group_id uuid not null,
  -- A process refuses tokens that name another address than its own, so processes warn when their
  -- addresses differ. Null until the process listens.
  public_url text,
  started_at timestamptz not null,
  seen_at timestamptz not null,
  -- When the server started that has taken the last heartbeat. A replica that has it follows that
  -- server, and not one from before a failover.
  database_started_at timestamptz,
  -- After a write failed because the disk was full, a process fills this for a moment, to find out
  -- whether there is space again. The bytes are random, so compressing them would gain nothing.
  trial bytea
);
-- By itself, because PostgreSQL 15 doesn't know it in `create table`.
alter table server_process alter column trial set storage external;

-- What each process did in each minute of the last hour, in real time, for a look at the platform's
-- health. Each process adds a row when a minute is over, and deletes what is older.
create table health_minute (
  minute timestamptz(0) not null,
  process_id uuid not null,
  version text not null,
  started_at timestamptz(3) not null,
  -- The process ended in this minute.
  is_last boolean not null,
  -- These add up over minutes and processes.
  totals jsonb not null,
  measured jsonb not null,
  primary key (minute, process_id)
);

-- A process may use what it remembers of the database until somebody changes it. Every change raises
-- the counters of its subjects just before its COMMIT, and every process reads a few times a second
-- which were raised. A counter stands for many subjects, by a digest of their names, so that there
-- are never more rows than these; -1 stands for all.
create table change_mark (
  bucket integer primary key check (bucket between -1 and 65535),
  revision bigint not null,
  -- The transaction that raised it last.
  changed_in xid8 not null
) with (
  -- The same rows are written again and again.
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 2000
);
create index change_mark_by_transaction on change_mark (changed_in);

-- What is leased of each budget of requests in the current windows. Unlogged, because a crash may
-- forget them: the longest window is a quarter of an hour.
create unlogged table rate_budget (
  key text primary key,
  second_index bigint not null,
  second_used bigint not null,
  -- Of each second to the end of these ten.
  held bigint not null,
  quarter_hour_used bigint not null,
  -- What the last statement granted, for its answer.
  granted_share bigint not null,
  granted_block bigint not null
);


-- GROUPS AND RESTAURANTS

create table management_group (
  guid uuid primary key,
  name text not null,
  archived boolean not null default false,
  -- Raised by every edit, so that nobody overwrites an edit they have not seen.
  version integer not null default 1 check (version > 0),
  created_at timestamptz(3) not null,
  -- Null until the first edit.
  modified_at timestamptz(3)
);
create index management_group_by_name on management_group (left(name, 60), guid);

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
  -- Whether orders go to the kitchen by themselves, or a person approves each.
  order_approval text not null default 'auto' check (order_approval in ('auto', 'manual')),
  -- Raised by every publication of the restaurant's configuration.
  publish_number integer not null,
  -- Raised by every edit, as in management_group.
  version integer not null default 1 check (version > 0),
  created_at timestamptz(3) not null,
  modified_at timestamptz(3) not null,
  -- What a search looks at: so much of each that it fits into an index.
  search_text text not null generated always as (lower(left(name, 100) || E'\n'
    || left(coalesce(location_name, ''), 100) || E'\n' || left(coalesce(location_code, ''), 100)))
    stored
);
create index restaurant_by_group on restaurant (management_group_guid, guid);
-- Lists, by name. A search for what few have reads all entries, so they hold what it looks at.
create index restaurant_by_name on restaurant (left(name, 60), guid)
  include (name, search_text, archived, management_group_guid);

create table partner (
  guid uuid primary key,
  name text not null,
  description text check (length(description) between 1 and 1000),
  created_at timestamptz(3) not null
);
create index partner_by_name on partner (lower(name), guid);

-- The partners in a group's document, connected or not, so that its export lists them again.
create table management_group_partner (
  management_group_guid uuid not null references management_group (guid),
  partner_guid uuid not null references partner (guid),
  primary key (management_group_guid, partner_guid)
);


-- API ACCOUNTS

-- Scopes and revocation are read on every request, so a change takes effect at once. BACK_OFFICE
-- accounts hold scopes of their own kind, and the other types hold none of these, so that no mistake
-- of the application can mix them.
create table api_client (
  client_id text primary key check (client_id ~ '^[A-Za-z0-9._~-]{1,128}$'),
  name text not null,
  description text check (length(description) between 1 and 1000),
  type text not null check (type in ('PARTNER', 'CUSTOMER', 'BACK_OFFICE')),
  -- Set for PARTNER accounts only.
  partner_guid uuid references partner (guid),
  -- Set for CUSTOMER accounts. A BACK_OFFICE account without a group reaches the whole platform.
  management_group_guid uuid references management_group (guid),
  scopes text[] not null,
  -- True for accounts with a card key from before card keys had identifiers.
  holds_legacy_card_key boolean not null,
  created_at timestamptz not null,
  created_by text,
  revoked_at timestamptz,
  revoked_by text,
  -- Written at most once a minute.
  last_used_at timestamptz(3),
  check ((type = 'PARTNER') = (partner_guid is not null)),
  constraint api_client_group_check check (
    type = 'BACK_OFFICE' or (type = 'CUSTOMER') = (management_group_guid is not null)
  ),
  constraint api_client_partner_scopes_check check (
    type = 'BACK_OFFICE' or scopes <@ array[
      'credit_cards.authorization:write', 'stock:read', 'stock:write', 'config:read',
      'restaurants:read', 'menus:read', 'orders:read', 'orders.channel:read',
      'orders.orders:write', 'orders.items:write', 'orders.discounts:write', 'orders.payments:write',
      'orders.delivery_info:write', 'orders.channel:void', 'orders:void', 'guest.pi:read',
      'delivery_info.address:read'
    ]
  ),
  constraint api_client_back_office_scopes_check check (
    type <> 'BACK_OFFICE' or scopes <@ array[
      'payments.lifecycle:read', 'payments.lifecycle:write', 'clock:read', 'clock:write',
      'card_keys:read', 'card_keys:write', 'metrics:read', 'people:read', 'people:write',
      'restaurants.admin:read', 'restaurants.admin:write', 'configuration:read',
      'configuration:write', 'configuration:publish', 'stock.admin:read', 'stock.admin:write',
      'orders.admin:read', 'orders.admin:write',
      'clients:read', 'clients:write', 'connections:read', 'connections:write', 'requests:read',
      'audit:read', 'webhooks:read', 'webhooks:write', 'sandboxes:read', 'sandboxes:write',
      'faults:read', 'faults:write', 'requests:write'
    ]
  ),
  -- They make no payments, so they never leave a keyId out.
  constraint api_client_back_office_card_key_check check (
    type <> 'BACK_OFFICE' or not holds_legacy_card_key
  )
);
create index api_client_by_created_at on api_client (created_at, client_id);
create index api_client_by_management_group on api_client (management_group_guid);
create index api_client_by_partner on api_client (partner_guid);

-- An account may have several active secrets, so that one can be replaced without a gap.
create table client_secret (
  client_id text not null references api_client (client_id),
  guid uuid not null,
  label text check (length(label) between 1 and 100),
  -- Keyed with the master key, so that nobody can read or guess a secret from a dump.
  digest bytea not null check (length(digest) = 32),
  created_at timestamptz not null,
  created_by text,
  expires_at timestamptz,
  revoked_at timestamptz,
  revoked_by text,
  last_used_at timestamptz(3),
  primary key (client_id, guid)
);

-- The keys that sign access tokens. The application numbers the generations 1, 2, 3, …; the primary
-- key lets only one process add the next one.
create table signing_key (
  generation integer primary key check (generation > 0),
  -- The RFC 7638 thumbprint of the public key.
  kid text not null unique,
  public_jwk json not null,
  -- PKCS #8, sealed with the master key.
  sealed_private_key bytea not null,
  created_at timestamptz not null,
  -- A key is published when it is created, and signs from here until the next generation does.
  active_from timestamptz not null,
  -- No token of the key expires later. Until then the key is published and its tokens are accepted.
  signed_until timestamptz not null
);

-- The current token of a secret: one for all scopes of the account, and one for each narrower set
-- that was asked for. The token itself is not stored: signing the same facts again gives the same
-- token.
create table access_grant (
  client_id text not null,
  -- A token ends with the secret that it was issued by (AUTH-10).
  secret_guid uuid not null,
  -- The scopes asked for, sorted and separated by spaces; empty for all scopes of the account.
  narrowed_to text not null,
  jti uuid not null,
  kid text not null references signing_key (kid),
  -- The claims except iat, exp and jti, byte for byte. A login that would write other claims
  -- replaces the grant.
  facts text not null,
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (client_id, secret_guid, narrowed_to),
  foreign key (client_id, secret_guid) references client_secret (client_id, guid),
  check (expires_at > issued_at)
);

-- Tokens that were revoked before they expired.
create table revoked_token (
  client_id text not null references api_client (client_id),
  jti uuid not null,
  expires_at timestamptz not null,
  revoked_at timestamptz not null,
  primary key (client_id, jti)
);

-- How often an account called an operation. Days are in UTC.
create table client_operation_use (
  client_id text not null references api_client (client_id),
  day date not null,
  -- `none` if no operation has the path.
  operation text not null,
  status integer not null check (status between 100 and 599),
  requests bigint not null check (requests > 0),
  primary key (client_id, day, operation, status)
);
create index client_operation_use_by_day on client_operation_use (day);

-- How often an account was let in to a restaurant.
create table client_restaurant_use (
  client_id text not null references api_client (client_id),
  day date not null,
  restaurant_guid uuid not null references restaurant (guid),
  requests bigint not null check (requests > 0),
  primary key (client_id, day, restaurant_guid)
);
create index client_restaurant_use_by_day on client_restaurant_use (day);

-- Since when an account has a scope, and when a request last needed it.
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


-- CONNECTIONS AND THEIR EVENTS

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
  -- Set when the restaurant disconnects; connecting again clears both.
  removed_at timestamptz(3),
  removed_reason text check (length(removed_reason) between 1 and 500),
  primary key (restaurant_guid, partner_guid)
);
create index connection_by_partner on connection (partner_guid, created_at, restaurant_guid);
create index connection_by_change on connection (partner_guid, modified_at)
  where removed_at is null;

-- The timeline of a connection. No row is ever changed or removed.
create table connection_change (
  restaurant_guid uuid not null,
  partner_guid uuid not null,
  -- From 1 without gaps, in the order in which the changes happened.
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
  -- The references after the change.
  external_group_ref text,
  external_restaurant_ref text,
  reason text,
  primary key (restaurant_guid, partner_guid, number),
  foreign key (restaurant_guid, partner_guid)
    references connection (restaurant_guid, partner_guid),
  check (reason is null or kind = 'DISCONNECTED')
);

-- The accounts that read their partner's events: what they may receive is written until then, in real
-- time, even if no endpoint wants it. A row that is past is deleted.
create table event_reader (
  partner_guid uuid not null references partner (guid),
  client_id text not null references api_client (client_id),
  kept_until timestamptz(3) not null,
  primary key (partner_guid, client_id)
);

-- A transaction that writes an event of a partner locks the row until COMMIT. So positions appear in
-- order and without gaps: a reader of one has missed none before it.
create table partner_counter (
  partner_guid uuid primary key references partner (guid),
  -- Of the newest event; 0 before the first.
  position bigint not null check (position >= 0),
  -- Restaurants that are connected, so that lists needn't count them.
  connections integer not null default 0 check (connections >= 0)
);

-- What partners are told: one event for each change of a connection, and what happened at connected
-- restaurants.
create table partner_event (
  partner_guid uuid not null references partner (guid),
  position bigint not null check (position > 0),
  guid uuid not null unique,
  type text not null check (type in (
    'partner_added', 'partner_updated', 'partner_removed', 'menus_updated', 'order_updated',
    'channel_order_updated', 'guestOrderStatusUpdated', 'in_stock', 'low_quantity',
    'out_of_stock', 'payment_updated')),
  restaurant_guid uuid not null references restaurant (guid),
  -- The change of the connection; null for an event of another category.
  change_number integer,
  at timestamptz(3) not null,
  -- Written once. Every attempt, replay and log sends these bytes.
  body text not null,
  primary key (partner_guid, position),
  unique (restaurant_guid, partner_guid, change_number),
  foreign key (restaurant_guid, partner_guid, change_number)
    references connection_change (restaurant_guid, partner_guid, number),
  check ((change_number is not null)
    = (type in ('partner_added', 'partner_updated', 'partner_removed')))
);
create index partner_event_by_at on partner_event (at, partner_guid, position);

-- History is only added to (docs/decisions/0021); old events may be deleted. The check of a foreign
-- key locks a row, which takes the right to update one of its columns.
revoke update, delete, truncate on connection_change from current_user;
grant update (restaurant_guid) on connection_change to current_user;
revoke update, truncate on partner_event from current_user;
grant update (partner_guid) on partner_event to current_user;


-- PEOPLE

-- People who work in the back office.
create table person (
  guid uuid primary key,
  -- In lower case, so that nobody is two people by writing it differently.
  email text not null unique check (email = lower(email) and length(email) between 3 and 254),
  name text not null check (length(name) between 1 and 100),
  -- An argon2id hash in PHC form; null until the person accepts an invitation.
  password_hash text,
  password_changed_at timestamptz(3),
  -- The secret of an authenticator app (RFC 6238), sealed with the master key.
  sealed_totp_secret bytea,
  -- Set by the first correct code; from then on a login needs one.
  totp_confirmed_at timestamptz(3),
  -- The newest time step whose code was accepted: a code counts once.
  totp_last_step bigint,
  created_at timestamptz(3) not null,
  -- A deactivated person cannot log in and has no session.
  deactivated_at timestamptz(3),
  check ((password_hash is null) = (password_changed_at is null)),
  check (sealed_totp_secret is not null or (totp_confirmed_at is null and totp_last_step is null))
);
create index person_by_name on person (lower(name), guid);

-- What a person may do, and where. At most one GUID names the place; none means the whole platform.
create table person_role (
  person_guid uuid not null references person (guid),
  guid uuid not null,
  role text not null check (role in ('OPERATOR', 'GROUP_ADMINISTRATOR', 'RESTAURANT_ADMINISTRATOR',
    'READ_ONLY', 'PARTNER_DEVELOPER')),
  management_group_guid uuid references management_group (guid),
  restaurant_guid uuid references restaurant (guid),
  partner_guid uuid references partner (guid),
  given_at timestamptz(3) not null,
  given_by text not null,
  primary key (person_guid, guid),
  unique nulls not distinct
    (person_guid, role, management_group_guid, restaurant_guid, partner_guid),
  check (num_nonnulls(management_group_guid, restaurant_guid, partner_guid) <= 1),
  check (role <> 'OPERATOR'
    or num_nonnulls(management_group_guid, restaurant_guid, partner_guid) = 0),
  check (role <> 'GROUP_ADMINISTRATOR' or management_group_guid is not null),
  check (role <> 'RESTAURANT_ADMINISTRATOR' or restaurant_guid is not null),
  check ((role = 'PARTNER_DEVELOPER') = (partner_guid is not null))
);

-- A session is stored by the digest of its token; only the browser has the token.
create table person_session (
  digest bytea primary key check (length(digest) = 32),
  guid uuid not null unique,
  person_guid uuid not null references person (guid),
  created_at timestamptz(3) not null,
  seen_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  -- So that people can recognize their sessions: where it began, and the name of the browser.
  address text not null,
  user_agent text
);
create index person_session_by_person on person_session (person_guid);

-- Filters of lists in the console, for the person alone.
create table person_view (
  person_guid uuid not null references person (guid),
  guid uuid not null,
  page text not null check (length(page) between 1 and 100),
  name text not null check (length(name) between 1 and 100),
  query text not null check (length(query) <= 1000),
  saved_at timestamptz(3) not null,
  primary key (person_guid, guid),
  unique (person_guid, page, name)
);

-- A link that lets its holder choose a password once: an invitation, or a reset.
create table person_invitation (
  digest bytea primary key check (length(digest) = 32),
  person_guid uuid not null references person (guid),
  created_at timestamptz(3) not null,
  created_by text not null,
  expires_at timestamptz(3) not null,
  -- True for the first operator, who chooses an e-mail address with the password.
  chooses_email boolean not null default false,
  used_at timestamptz(3)
);
create index person_invitation_by_person on person_invitation (person_guid);

-- One-time codes for people who lost their phone.
create table person_recovery_code (
  person_guid uuid not null references person (guid),
  digest bytea not null check (length(digest) = 32),
  used_at timestamptz(3),
  primary key (person_guid, digest)
);

-- Failed logins, by account, and by account and address. Unlogged, because a crash may forget them.
create unlogged table log_in_attempt (
  key text primary key,
  attempts integer not null check (attempts > 0),
  -- A day for wrong codes of the second factor, a quarter of an hour for everything else.
  counts_until timestamptz(3) not null
);
create index log_in_attempt_by_counts_until on log_in_attempt (counts_until);


-- CONFIGURATION

-- A published object of one of the 24 collections, or the tipWithholding object.
create table configuration_object (
  restaurant_guid uuid not null references restaurant (guid),
  collection text not null,
  guid uuid not null,
  -- Identifies the object across locations in the stock and menus interfaces.
  multi_location_id text,
  external_id text,
  -- The object's own fields in the contract's order; a reference is the GUID of its target.
  fields json not null,
  archived boolean not null,
  modified_at timestamptz(3) not null,
  -- The name of an item as the lists of stock sort and search it; null in other collections.
  item_name text collate "C" generated always as (
    case when collection = 'menuItems' then coalesce(lower(fields->>'name'), '') end) stored,
  primary key (restaurant_guid, collection, guid),
  check ((multi_location_id is not null) = (collection in ('menuItems', 'menus', 'menuGroups',
    'menuOptionGroups', 'preModifiers', 'preModifierGroups')))
);
-- The collection comes last. As the second column it would look as good as the primary key to a
-- planner without statistics, for example to the foreign key checks of stock after an import.
create index configuration_object_by_modified
  on configuration_object (restaurant_guid, modified_at, collection);
create unique index configuration_object_by_multi_location_id
  on configuration_object (restaurant_guid, multi_location_id, collection)
  where multi_location_id is not null;
-- Lists of the items of a restaurant, by name. A search for what few have reads all entries. If the
-- condition named the collection, this index would look as good as the primary key, too.
create index configuration_object_by_item_name on configuration_object
  (restaurant_guid, left(item_name, 100), guid) include (item_name, archived)
  where item_name is not null;

-- An object as it would be published, beside its published form.
create table configuration_draft (
  restaurant_guid uuid not null references restaurant (guid),
  collection text not null,
  guid uuid not null,
  -- New after each edit: it tells which drafts a preview was made from.
  revision uuid not null,
  multi_location_id text,
  external_id text,
  fields json not null,
  archived boolean not null,
  -- Of the published object that the draft was made from; null if there was none.
  base_digest text,
  created_by text not null,
  created_at timestamptz(3) not null,
  modified_by text not null,
  modified_at timestamptz(3) not null,
  primary key (restaurant_guid, collection, guid),
  check ((multi_location_id is not null) = (collection in ('menuItems', 'menus', 'menuGroups',
    'menuOptionGroups', 'preModifiers', 'preModifierGroups')))
);

-- One row for each publish number of a restaurant, so that any earlier one can be published again.
create table publication (
  restaurant_guid uuid not null references restaurant (guid),
  number integer not null check (number > 0),
  cause text not null
    check (cause in ('PUBLISHED', 'APPLIED', 'ROLLED_BACK', 'IMPORTED', 'BEGUN')),
  published_by text not null,
  published_at timestamptz(3) not null,
  note text,
  rolled_back_to integer,
  -- The same for restaurants that were published together.
  group_publication_guid uuid,
  -- Objects that appeared for partners, changed and disappeared.
  added integer not null check (added >= 0),
  changed integer not null check (changed >= 0),
  removed integer not null check (removed >= 0),
  primary key (restaurant_guid, number),
  check ((cause = 'ROLLED_BACK') = (rolled_back_to is not null)),
  check (rolled_back_to < number)
);

-- What a publication changed: objects as {multiLocationId, externalId, archived, fields}.
create table publication_change (
  restaurant_guid uuid not null,
  number integer not null,
  collection text not null,
  guid uuid not null,
  -- Null if the object is new.
  before json,
  after json not null,
  primary key (restaurant_guid, number, collection, guid),
  foreign key (restaurant_guid, number) references publication (restaurant_guid, number)
);

-- What a publication changed for partners, also through references (CFG-12, CFG-13).
create table published_change (
  restaurant_guid uuid not null,
  number integer not null,
  collection text not null,
  guid uuid not null,
  kind text not null check (kind in ('CREATED', 'CHANGED', 'REMOVED')),
  primary key (restaurant_guid, number, collection, guid),
  foreign key (restaurant_guid, number) references publication (restaurant_guid, number)
);

-- The menus of a restaurant as partners read them: prices, taxes and inherited values resolved.
create table published_menus (
  restaurant_guid uuid primary key references restaurant (guid),
  -- When the document changed last. It only ever grows, also while there is no menu.
  last_updated timestamptz(3) not null,
  -- The document, byte for byte, without its time and brand. Null while no menu is published.
  content text,
  -- The SHA-256 of the content, in hexadecimal.
  digest text check (length(digest) = 64),
  -- What prices depend on and the document does not tell.
  supplement json not null,
  check ((content is null) = (digest is null))
);


-- STOCK

-- The items that are not simply in stock; an item without a row is in stock.
create table stock (
  restaurant_guid uuid not null,
  collection text not null default 'menuItems' check (collection = 'menuItems'),
  item_guid uuid not null,
  status text not null check (status in ('QUANTITY', 'OUT_OF_STOCK')),
  quantity numeric(16, 4),
  -- When the clock puts the item back in stock; null if only a change does.
  until timestamptz(3),
  modified_at timestamptz(3) not null,
  primary key (restaurant_guid, item_guid),
  foreign key (restaurant_guid, collection, item_guid)
    references configuration_object (restaurant_guid, collection, guid),
  check ((status = 'QUANTITY') = (quantity is not null)),
  check (quantity > 0),
  check (until is null or status = 'OUT_OF_STOCK')
);
create index stock_by_until on stock (until) where until is not null;
create index stock_by_restaurant_until on stock (restaurant_guid, until) where until is not null;

-- Every change of stock. Rows are only inserted, and deleted when they are old. They have no foreign
-- keys, because a history outlives what it is about.
create table stock_change (
  restaurant_guid uuid not null,
  item_guid uuid not null,
  -- Counts the changes of an item. It shows whether a change is still the newest, and lets no two
  -- changes start from the same state.
  version integer not null check (version >= 1),
  guid uuid not null,
  cause text not null
    check (cause in ('SET', 'UNDO', 'RESTORED', 'IMPORT', 'ORDER', 'ORDER_VOID')),
  status_before text not null check (status_before in ('IN_STOCK', 'QUANTITY', 'OUT_OF_STOCK')),
  quantity_before numeric(16, 4),
  until_before timestamptz(3),
  status_after text not null check (status_after in ('IN_STOCK', 'QUANTITY', 'OUT_OF_STOCK')),
  quantity_after numeric(16, 4),
  until_after timestamptz(3),
  -- The id of an account, `person:` and a GUID, or `system:` and a name.
  changed_by text not null,
  request_id uuid,
  changed_at timestamptz(3) not null,
  -- The change that this one undid.
  undoes uuid,
  -- The order that took the item, or gave it back.
  order_guid uuid,
  primary key (restaurant_guid, item_guid, version),
  check ((status_before = 'QUANTITY') = (quantity_before is not null)),
  check ((status_after = 'QUANTITY') = (quantity_after is not null)),
  check (until_before is null or status_before = 'OUT_OF_STOCK'),
  check (until_after is null or status_after = 'OUT_OF_STOCK'),
  check ((cause = 'UNDO') = (undoes is not null)),
  check ((cause in ('ORDER', 'ORDER_VOID')) = (order_guid is not null))
);
create unique index stock_change_by_guid on stock_change (restaurant_guid, guid);
-- A change is undone once.
create unique index stock_change_by_undoes on stock_change (restaurant_guid, undoes)
  where undoes is not null;
create index stock_change_by_changed_at on stock_change (restaurant_guid, changed_at, guid);
-- Only a few of a day's changes: most are orders that lower a quantity.
create index stock_change_ran_out on stock_change (restaurant_guid, changed_at)
  where status_after = 'OUT_OF_STOCK' and status_before <> 'OUT_OF_STOCK';
-- To delete old rows of all restaurants.
create index stock_change_by_age on stock_change (changed_at);


-- PAYMENTS
-- No card number, security code or encrypted card data has a column, and none may get one (PAY-I7).

-- The keys that clients encrypt card data with. A client uses only its own.
create table card_key (
  client_id text not null references api_client (client_id),
  -- '<ALGORITHM>::<identifier>', as keyId on the wire.
  key_id text not null,
  algorithm text not null
    check (algorithm in ('RSA-OAEP-SHA256', 'RSA-OAEP-SHA1', 'RSA-OAEP-256', 'ECDH-ES')),
  state text not null check (state in ('PENDING', 'ACTIVE', 'DECRYPT_ONLY', 'DESTROYED')),
  -- A request without a keyId means the legacy key.
  legacy boolean not null,
  public_key_pem text not null,
  public_key_jwk json not null,
  -- PKCS #8, sealed with the master key, which lives outside the database.
  sealed_private_key bytea,
  not_after timestamptz(3),
  created_at timestamptz(3) not null,
  state_changed_at timestamptz(3) not null,
  primary key (client_id, key_id),
  check (key_id like algorithm || '::_%'),
  check ((state = 'DESTROYED') = (sealed_private_key is null))
);

-- Every legal move of a payment. lifecycle.ts has the same rows, and a test compares them.
create table payment_transition (
  from_state text not null,
  cause text not null,
  to_state text not null,
  primary key (from_state, cause, to_state)
);
insert into payment_transition (from_state, cause, to_state) values
  ('NEW', 'submitted', 'PENDING'),
  ('NEW', 'riskRefused', 'DENIED'),
  ('PENDING', 'approved', 'AUTHORIZED'),
  ('PENDING', 'declined', 'DENIED'),
  ('PENDING', 'notProcessed', 'ABORTED'),
  ('PENDING', 'outcomeLost', 'UNKNOWN'),
  ('ABORTED', 'submittedAgain', 'PENDING'),
  ('ABORTED', 'lateApproval', 'REVERSAL_PENDING'),
  ('UNKNOWN', 'inquiryApproved', 'AUTHORIZED'),
  ('UNKNOWN', 'inquiryApprovedLate', 'VOID_PENDING'),
  ('UNKNOWN', 'inquiryDeclined', 'DENIED'),
  ('UNKNOWN', 'inquiryNotFound', 'ABORTED'),
  ('UNKNOWN', 'inquiryGivenUp', 'REVERSAL_PENDING'),
  ('REVERSAL_PENDING', 'reversalAcknowledged', 'REVERSED'),
  ('REVERSED', 'lateApproval', 'REVERSAL_PENDING'),
  ('AUTHORIZED', 'appliedToCheck', 'APPLIED'),
  ('AUTHORIZED', 'applyDeadlinePassed', 'VOID_PENDING'),
  ('AUTHORIZED', 'voidedOnPointOfSale', 'VOID_PENDING'),
  ('AUTHORIZED', 'voidedByPartner', 'VOID_PENDING'),
  ('APPLIED', 'orderFulfilled', 'CAPTURE_SCHEDULED'),
  ('APPLIED', 'tipChanged', 'APPLIED'),
  ('APPLIED', 'captureDeadlinePassed', 'VOID_PENDING'),
  ('APPLIED', 'voidedOnPointOfSale', 'VOID_PENDING'),
  ('CAPTURE_SCHEDULED', 'captureTimeReached', 'CAPTURE_PENDING'),
  -- The orders side wants the money before the close-out.
  ('CAPTURE_SCHEDULED', 'captureRequested', 'CAPTURE_PENDING'),
  ('CAPTURE_SCHEDULED', 'captureDeadlinePassed', 'VOID_PENDING'),
  ('CAPTURE_SCHEDULED', 'tipChanged', 'CAPTURE_SCHEDULED'),
  ('CAPTURE_PENDING', 'captureAcknowledged', 'CAPTURED'),
  -- The processor never got the capture, and the hold must not outlive its deadline (PAY-I3).
  ('CAPTURE_PENDING', 'captureDeadlinePassed', 'VOID_PENDING'),
  ('VOID_PENDING', 'voidAcknowledged', 'VOIDED'),
  -- The processor refused for good, and the same key would get the same answer: a person decides.
  ('CAPTURE_PENDING', 'captureDeclined', 'REVIEW'),
  ('CAPTURE_PENDING', 'captureMismatch', 'REVIEW'),
  ('VOID_PENDING', 'voidDeclined', 'REVIEW'),
  ('VOID_PENDING', 'foundCaptured', 'REVIEW'),
  ('REVERSAL_PENDING', 'reversalDeclined', 'REVIEW'),
  -- The processor knows neither the hold nor an earlier capture, which may still take effect.
  ('VOID_PENDING', 'holdNotFound', 'REVIEW');

-- One row for each move of a payment, never changed or removed (PAY-I5). The keys make the rows a
-- chain: versions have no gap, each move starts in the state in which the one before it ended, and
-- every move is legal. An event has a digest of its content and of the digest before it. The next
-- event refers to that digest, and the payment to the newest one, so changing an event breaks a
-- reference. docs/decisions/0021 says what this holds and what it does not.
create table payment_event (
  merchant_guid uuid not null references restaurant (guid),
  payment_uuid uuid not null,
  version integer not null check (version >= 1),
  previous_version integer,
  from_state text not null,
  cause text not null,
  to_state text not null,
  -- The attempt that the move belongs to; 0 if the processor got nothing.
  attempt integer not null check (attempt >= 0),
  -- What operators want to know beside it, for example the processor's response code.
  details json,
  occurred_at timestamptz(3) not null,
  -- Made by the process that recorded the event: after a lost COMMIT it tells whose the move was.
  guid uuid not null,
  previous_digest bytea,
  -- No part can contain the bar between them: states and causes are names of payment_transition, and
  -- the only free text comes last. JSON is never just '-'. All functions are immutable and write the
  -- same in every version of PostgreSQL, so that a dump can be restored there. What the digest
  -- leaves out is in the keys that refer to it.
  digest bytea not null generated always as (sha256(decode(replace(
    from_state || '|' || cause || '|' || to_state || '|' || attempt::text
      || '|' || (extract(epoch from occurred_at at time zone 'UTC') * 1000)::bigint::text
      || '|' || guid::text
      || '|' || coalesce(encode(previous_digest, 'hex'), '-')
      || '|' || coalesce(details::text, '-'),
    E'\\', E'\\\\'), 'escape'))) stored,
  primary key (merchant_guid, payment_uuid, version),
  constraint payment_event_digest_key
    unique (merchant_guid, payment_uuid, version, to_state, digest),
  constraint payment_event_chain_fkey
    foreign key (merchant_guid, payment_uuid, previous_version, from_state, previous_digest)
    references payment_event (merchant_guid, payment_uuid, version, to_state, digest),
  foreign key (from_state, cause, to_state)
    references payment_transition (from_state, cause, to_state),
  check ((version = 1) = (previous_version is null)),
  check ((version = 1) = (from_state = 'NEW')),
  check (previous_version = version - 1),
  constraint payment_event_chain_check check ((version = 1) = (previous_digest is null))
);
-- The program's own role, unless it is a superuser, cannot change events, not even together with the
-- payment. A foreign key locks the row that it refers to, which takes the right to update one of its
-- columns: this one is part of all keys.
revoke update, delete, truncate on payment_event from current_user;
grant update (merchant_guid) on payment_event to current_user;

-- The present of a payment. The foreign key holds its state and version to its newest event.
create table payment (
  merchant_guid uuid not null references restaurant (guid),
  payment_uuid uuid not null,
  -- Ours, unique over all merchants: the processor's keys are made of it.
  payment_id uuid not null,
  client_id text not null references api_client (client_id),
  state text not null,
  version integer not null,
  event_digest bytea not null,
  attempt integer not null check (attempt >= 0),
  -- A keyed digest of the content, to recognize a repeat (PAY-7).
  content_digest bytea not null check (length(content_digest) = 32),
  currency_code text not null check (currency_code ~ '^[A-Z]{3}$'),
  -- Minor units of the currency.
  amount_minor bigint not null check (amount_minor >= 0),
  tip_minor bigint not null check (tip_minor >= 0),
  -- The tip to capture, once it was changed; null while it is the authorized one.
  changed_tip_minor bigint,
  captured_minor bigint,
  card_number_origin text not null check (card_number_origin in ('END_USER', 'PARTNER_VAULT')),
  will_save_card boolean not null,
  card_brand text not null,
  card_first6 text not null check (card_first6 ~ '^[0-9]{6}$'),
  card_last4 text not null check (card_last4 ~ '^[0-9]{4}$'),
  -- A keyed digest of the card number: it recognizes a card, and no number can be read from it.
  card_digest bytea not null check (length(card_digest) = 32),
  -- Answered as it was submitted, byte for byte.
  local_transaction_date text not null,
  authorization_code text,
  -- ISO 8583, of a declined authorization.
  response_code text,
  denial_reason text,
  error text,
  check_guid uuid,
  -- Null for no check, or one of an outside orders system.
  order_guid uuid,
  void_reason text check (length(void_reason) between 1 and 200),
  authorized_at timestamptz(3),
  apply_deadline timestamptz(3),
  capture_deadline timestamptz(3),
  capture_at timestamptz(3),
  -- When the payment needs work next; null if nothing happens by itself.
  due_at timestamptz(3),
  -- Calls in a row that did not move the payment; they decide how long to wait.
  tries integer not null default 0 check (tries >= 0),
  -- The process that works on it. For efficiency only: the version keeps it safe.
  lease_holder uuid,
  lease_expires_at timestamptz(3),
  created_at timestamptz(3) not null,
  modified_at timestamptz(3) not null,
  primary key (merchant_guid, payment_uuid),
  constraint payment_event_fkey
    foreign key (merchant_guid, payment_uuid, version, state, event_digest)
    references payment_event (merchant_guid, payment_uuid, version, to_state, digest),
  check (amount_minor + tip_minor > 0),
  check ((state = 'CAPTURED') = (captured_minor is not null)),
  -- Never more than was authorized (PAY-I4), and only of a payment that a check took.
  check (changed_tip_minor between 0 and tip_minor),
  check (amount_minor + changed_tip_minor > 0),
  check (changed_tip_minor is null or check_guid is not null),
  check (order_guid is null or check_guid is not null),
  check (captured_minor = amount_minor + coalesce(changed_tip_minor, tip_minor)),
  check (state not in ('AUTHORIZED', 'APPLIED', 'CAPTURE_SCHEDULED', 'CAPTURE_PENDING', 'CAPTURED')
    or (authorization_code is not null and authorized_at is not null
      and apply_deadline is not null and capture_deadline is not null)),
  check (state not in ('DENIED', 'REVERSED') or denial_reason is not null),
  check (state not in ('APPLIED', 'CAPTURE_SCHEDULED', 'CAPTURE_PENDING', 'CAPTURED')
    or check_guid is not null),
  -- An unfinished payment is always due at some time, so that none can be forgotten.
  check ((due_at is null)
    = (state in ('DENIED', 'ABORTED', 'REVERSED', 'CAPTURED', 'VOIDED', 'REVIEW'))),
  check (state not in ('CAPTURE_SCHEDULED', 'CAPTURE_PENDING', 'CAPTURED')
    or capture_at is not null)
);
create index payment_by_created_at on payment (created_at, payment_uuid);
-- Lists of payments, newest first, with one filter.
create index payment_by_merchant on payment (merchant_guid, created_at, payment_uuid);
create index payment_by_state on payment (state, created_at, payment_uuid);
create index payment_by_client on payment (client_id, created_at, payment_uuid);
create index payment_by_card_last4 on payment (card_last4, created_at, payment_uuid);
-- A payment is found by its price, or by its total with the first or the changed tip.
create index payment_by_amount on payment (amount_minor);
create index payment_by_total on payment ((amount_minor + tip_minor));
create index payment_by_changed_total on payment ((amount_minor + changed_tip_minor))
  where changed_tip_minor is not null;
create index payment_by_due_at on payment (due_at) where due_at is not null;
-- What is due next at the restaurants of one group: one probe for each of them.
create index payment_by_merchant_due_at on payment (merchant_guid, due_at)
  where due_at is not null;
-- After a sandbox's clock moved back, work that was postponed past it has to be found: few of very
-- many open payments.
create index payment_put_off on payment (due_at) where due_at is not null and tries > 0;
-- For metrics: how long payments have waited for the processor.
create index payment_unsettled on payment (state, modified_at)
  where state in ('PENDING', 'UNKNOWN', 'REVERSAL_PENDING', 'CAPTURE_PENDING', 'VOID_PENDING');

-- One attempt to authorize a payment, written before the processor gets it.
create table payment_attempt (
  merchant_guid uuid not null,
  payment_uuid uuid not null,
  attempt integer not null check (attempt >= 1),
  -- 'auth:<payment_id>:<attempt>', the idempotency key at the processor.
  processor_key text not null,
  started_at timestamptz(3) not null,
  -- The call was sent before this time, learnt when the sandbox's clock went back.
  sent_before timestamptz(3),
  -- NOT_FOUND: an inquiry did not know the attempt. REVERSED: its hold was released.
  outcome text check (outcome in
    ('APPROVED', 'DECLINED', 'NOT_PROCESSED', 'UNKNOWN', 'NOT_FOUND', 'REVERSED')),
  -- Why it was not approved, for operators; never shown to a guest.
  explanation text,
  processor_reference text,
  finished_at timestamptz(3),
  -- When to ask about the attempt again, because its call may still take effect.
  due_at timestamptz(3),
  follow_ups integer not null default 0 check (follow_ups >= 0),
  -- Inquiries in a row without an answer.
  tries integer not null default 0 check (tries >= 0),
  lease_holder uuid,
  lease_expires_at timestamptz(3),
  primary key (merchant_guid, payment_uuid, attempt),
  foreign key (merchant_guid, payment_uuid) references payment (merchant_guid, payment_uuid),
  check ((outcome is null) = (finished_at is null))
);
create index payment_attempt_by_due_at on payment_attempt (due_at) where due_at is not null;
create index payment_attempt_by_merchant_due_at on payment_attempt (merchant_guid, due_at)
  where due_at is not null;

-- Guest data, apart from the payment, so that it can be deleted while the payment stays.
create table payment_guest (
  merchant_guid uuid not null,
  payment_uuid uuid not null,
  guest_identifier text not null,
  guest_email text,
  origin_ip_address text not null,
  user_agent text,
  app_name text,
  app_version text,
  instance_id text not null,
  additional_info text,
  billing_address json not null,
  delivery_address json,
  -- How long it is kept counts from here.
  created_at timestamptz(3) not null,
  primary key (merchant_guid, payment_uuid),
  foreign key (merchant_guid, payment_uuid) references payment (merchant_guid, payment_uuid)
);
create index payment_guest_by_created_at
  on payment_guest (created_at, merchant_guid, payment_uuid);

-- What a person has to look at.
create table payment_alarm (
  merchant_guid uuid not null,
  guid uuid not null unique,
  payment_uuid uuid not null,
  kind text not null,
  attempt integer not null check (attempt >= 0),
  payment_state text not null,
  -- For operators; never card data.
  explanation text not null,
  raised_at timestamptz(3) not null,
  acknowledged_at timestamptz(3),
  -- The id of an account, or `person:` and a GUID.
  acknowledged_by text,
  note text check (length(note) between 1 and 1000),
  primary key (merchant_guid, guid),
  foreign key (merchant_guid, payment_uuid) references payment (merchant_guid, payment_uuid),
  check ((acknowledged_at is null) = (acknowledged_by is null))
);
create index payment_alarm_by_raised_at on payment_alarm (raised_at, guid);
create index payment_alarm_open on payment_alarm (raised_at, guid) where acknowledged_at is null;
-- A payment has one open alarm of a kind for each attempt and state. A day after a person has
-- acknowledged it, a payment that has not moved raises another one.
create unique index payment_alarm_open_of_payment on payment_alarm
  (merchant_guid, payment_uuid, kind, attempt, payment_state) where acknowledged_at is null;
create index payment_alarm_noted_of_payment on payment_alarm
  (merchant_guid, payment_uuid, kind, attempt, payment_state, acknowledged_at);

-- Limits against the testing of stolen cards: payments per card, guest, address and so on, in the
-- current window and the one before. Unlogged, because a crash may forget it and counting must not
-- wait for the disk.
create unlogged table velocity_count (
  -- Keyed: neither a card nor an address can be read from it.
  key_digest bytea primary key check (length(key_digest) = 32),
  -- Counts windows of the limit's length since the epoch.
  window_index bigint not null,
  used integer not null,
  used_before integer not null,
  -- The end of the window after the current one, when the row means nothing any more.
  expires_at timestamptz(3) not null
);
create index velocity_count_by_expires_at on velocity_count (expires_at);

-- What the counts said of a payment, which is recorded after that: it is counted once, however often
-- it is tried until then.
create unlogged table velocity_verdict (
  merchant_guid uuid not null,
  payment_uuid uuid not null,
  -- How many of its keys had room, in their order.
  passed integer not null,
  expires_at timestamptz(3) not null,
  primary key (merchant_guid, payment_uuid)
);
create index velocity_verdict_by_expires_at on velocity_verdict (expires_at);


-- ORDERS

-- One row for each order. The columns are what orders are found by; `content` has the rest: checks,
-- selections with what the menu said about them, discounts and charges. Amounts are minor units.
create table restaurant_order (
  restaurant_guid uuid not null references restaurant (guid),
  guid uuid not null,
  -- The partner or the management group of the account: its channel.
  owner_guid uuid not null,
  client_id text not null references api_client (client_id),
  external_id text,
  -- Of the request as it was read, to recognize a repeat.
  request_digest bytea not null check (length(request_digest) = 32),
  business_date integer not null,
  display_number text not null,
  opened_at timestamptz(3) not null,
  promised_at timestamptz(3),
  created_at timestamptz(3) not null,
  -- No two orders of a restaurant have the same, so that a reader of changes misses none.
  modified_at timestamptz(3) not null,
  approval_status text not null
    check (approval_status in ('NEEDS_APPROVAL', 'APPROVED', 'FUTURE', 'NOT_APPROVED')),
  guest_status text not null check (
    guest_status in ('RECEIVED', 'IN_PREPARATION', 'READY_FOR_PICKUP', 'CLOSED', 'VOIDED')),
  fulfilled_at timestamptz(3),
  voided_at timestamptz(3),
  -- When the clock sends it to the kitchen if it is approved.
  fire_at timestamptz(3) not null,
  -- When the clock does something about it next.
  due_at timestamptz(3),
  check_guids uuid[] not null,
  -- Those of the checks, each once.
  payment_statuses text[] not null check (payment_statuses <@ array['OPEN', 'PAID', 'CLOSED']),
  version integer not null check (version >= 1),
  content json not null,
  primary key (restaurant_guid, guid),
  check ((guest_status = 'VOIDED') = (voided_at is not null)),
  check (voided_at is null or due_at is null)
);
create index restaurant_order_by_check on restaurant_order using gin (check_guids);
create index restaurant_order_by_created_at
  on restaurant_order (restaurant_guid, created_at, guid);
-- Lists of orders that have a status. Where most orders end closed and paid, a list of those finds
-- enough among the newest orders, and the entries here are few.
create index restaurant_order_unusual on restaurant_order (restaurant_guid, created_at, guid)
  where guest_status <> 'CLOSED' or approval_status <> 'APPROVED'
    or payment_statuses <> array['CLOSED'];
create index restaurant_order_by_due_at
  on restaurant_order (due_at, restaurant_guid, guid) where due_at is not null;
create index restaurant_order_due_of_restaurant
  on restaurant_order (restaurant_guid, due_at) where due_at is not null;
-- For paths that name an order without its restaurant.
create unique index restaurant_order_by_guid on restaurant_order (guid);
create index restaurant_order_by_modified_at
  on restaurant_order (restaurant_guid, modified_at, guid);
create index restaurant_order_by_business_date
  on restaurant_order (restaurant_guid, business_date, opened_at, guid);

-- What guests wrote, apart from the order, so that it can be erased while the order stays.
create table order_guest (
  restaurant_guid uuid not null,
  order_guid uuid not null,
  business_date integer not null,
  content json not null,
  primary key (restaurant_guid, order_guid),
  foreign key (restaurant_guid, order_guid) references restaurant_order (restaurant_guid, guid)
);
create index order_guest_by_business_date on order_guest (business_date, restaurant_guid, order_guid);

-- The identifiers that clients gave to orders, checks and selections. They are never free again.
create table order_external_id (
  restaurant_guid uuid not null,
  owner_guid uuid not null,
  kind text not null check (kind in ('ORDER', 'CHECK', 'SELECTION')),
  external_id text not null check (length(external_id) between 1 and 255),
  -- What it names, and the order that has it.
  guid uuid not null,
  order_guid uuid not null,
  primary key (restaurant_guid, owner_guid, kind, external_id),
  foreign key (restaurant_guid, order_guid) references restaurant_order (restaurant_guid, guid)
);

-- The last display numbers of a business date.
create table order_number (
  restaurant_guid uuid not null references restaurant (guid),
  business_date integer not null,
  orders integer not null check (orders >= 0),
  checks integer not null check (checks >= 0),
  primary key (restaurant_guid, business_date)
);

-- The payments of checks. The money of a CREDIT payment is in `payment`, which has its state.
create table order_payment (
  restaurant_guid uuid not null,
  payment_uuid uuid not null,
  order_guid uuid not null,
  check_guid uuid not null,
  external_id text,
  -- The account that sent it; null for a payment taken at the counter.
  client_id text references api_client (client_id),
  type text not null check (type in ('CREDIT', 'OTHER', 'CASH')),
  amount_minor bigint not null check (amount_minor >= 0),
  tip_minor bigint not null check (tip_minor >= 0),
  tendered_minor bigint not null check (tendered_minor >= 0),
  -- The alternate payment type of an OTHER payment.
  other_payment_guid uuid,
  -- Of a CREDIT payment.
  entry_mode text check (entry_mode in ('ONLINE', 'PARTNER_ECOM_COF', 'FUTURE_ORDER')),
  paid_at timestamptz(3) not null,
  paid_business_date integer not null,
  voided_at timestamptz(3),
  void_business_date integer,
  -- Keeps the order in which they came.
  position integer not null check (position >= 0),
  primary key (restaurant_guid, payment_uuid),
  foreign key (restaurant_guid, order_guid) references restaurant_order (restaurant_guid, guid),
  check ((type = 'OTHER') = (other_payment_guid is not null)),
  check ((type = 'CREDIT') = (entry_mode is not null)),
  check ((voided_at is null) = (void_business_date is null))
);
create index order_payment_by_order on order_payment (restaurant_guid, order_guid, position);
create index order_payment_by_paid_date
  on order_payment (restaurant_guid, paid_business_date, paid_at, payment_uuid);
create index order_payment_by_void_date
  on order_payment (restaurant_guid, void_business_date, paid_at, payment_uuid)
  where void_business_date is not null;

-- Every change of an order: when, who and what, without guest data.
create table order_event (
  restaurant_guid uuid not null,
  order_guid uuid not null,
  version integer not null check (version >= 1),
  cause text not null,
  details json,
  occurred_at timestamptz(3) not null,
  -- The id of an account, `person:` and a GUID, or `system:` and a name.
  changed_by text not null,
  request_id uuid,
  primary key (restaurant_guid, order_guid, version),
  foreign key (restaurant_guid, order_guid) references restaurant_order (restaurant_guid, guid)
);


-- WEBHOOKS

-- Where one account of a partner receives events.
create table webhook_endpoint (
  partner_guid uuid not null references partner (guid),
  guid uuid not null unique,
  -- The PARTNER account that it belongs to: a revoked account receives nothing.
  client_id text not null references api_client (client_id),
  url text not null check (length(url) between 1 and 4000),
  description text check (length(description) between 1 and 1000),
  -- Null for all types.
  event_types text[] check (
    cardinality(event_types) > 0
    and event_types <@ array[
      'partner_added', 'partner_updated', 'partner_removed', 'menus_updated', 'order_updated',
      'channel_order_updated', 'guestOrderStatusUpdated', 'in_stock', 'low_quantity',
      'out_of_stock', 'payment_updated']),
  connect_timeout_ms integer not null check (connect_timeout_ms between 100 and 10000),
  answer_timeout_ms integer not null check (answer_timeout_ms between 100 and 30000),
  -- The delay after each failed attempt; after the last one the delivery is a dead letter.
  retry_delays_s integer[] not null check (
    cardinality(retry_delays_s) <= 20
    and 1 <= all (retry_delays_s) and 86400 >= all (retry_delays_s)),
  -- True if each delivery waits until the one before it is finished.
  is_ordered boolean not null,
  -- PAUSED: events are queued and wait. DISABLED: a person wants no events to be queued.
  state text not null check (state in ('ACTIVE', 'PAUSED', 'DISABLED')),
  state_reason text check (state_reason in ('FAILURES', 'GONE', 'BLOCKED', 'SECRET', 'PERSON')),
  -- In words: the last answer, or what the person said.
  state_detail text check (length(state_detail) between 1 and 1000),
  state_since timestamptz(3) not null,
  state_by text not null,
  -- Failed attempts in a row, since when, and how often the endpoint was probed since the pause.
  failures integer not null check (failures >= 0),
  failing_since timestamptz(3),
  probes integer not null check (probes >= 0),
  -- When one delivery tries a paused endpoint again; null if a person paused it.
  probe_at timestamptz(3),
  created_at timestamptz(3) not null,
  created_by text not null,
  modified_at timestamptz(3) not null,
  archived_at timestamptz(3),
  archived_by text,
  primary key (partner_guid, guid),
  check ((state = 'ACTIVE') = (state_reason is null)),
  check ((state = 'PAUSED' and state_reason <> 'PERSON') = (probe_at is not null)),
  check ((archived_at is null) = (archived_by is null))
);
create index webhook_endpoint_by_created_at on webhook_endpoint (created_at, guid);
create index webhook_endpoint_by_client on webhook_endpoint (client_id);
create index webhook_endpoint_by_probe on webhook_endpoint (probe_at) where probe_at is not null;

-- What deliveries are signed with. At most two are active at once; the application makes sure of it
-- while it holds a lock on the endpoint.
create table webhook_secret (
  partner_guid uuid not null,
  endpoint_guid uuid not null,
  guid uuid not null,
  -- Sealed with the master key.
  sealed bytea not null,
  label text check (length(label) between 1 and 100),
  created_at timestamptz(3) not null,
  created_by text not null,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  revoked_by text,
  primary key (partner_guid, endpoint_guid, guid),
  foreign key (partner_guid, endpoint_guid) references webhook_endpoint (partner_guid, guid)
);

-- What a partner receives beside the log of events: replays and test events. They are numbered like
-- events, so that a stream of them can be resumed.
create table webhook_extra_position (
  partner_guid uuid primary key references partner (guid),
  number bigint not null check (number > 0)
);
create table webhook_extra (
  partner_guid uuid not null references partner (guid),
  number bigint not null check (number > 0),
  kind text not null check (kind in ('REPLAY', 'TEST')),
  -- The same for everything that one request asked for.
  request_guid uuid not null,
  at timestamptz(3) not null,
  -- The newest position at that time: it comes after everything that waited then.
  place bigint not null check (place >= 0),
  -- The event that is sent again. It is kept as long as this row.
  position bigint,
  -- A test event, which is not in the log.
  guid uuid unique,
  type text check (type in (
    'partner_added', 'partner_updated', 'partner_removed', 'menus_updated', 'order_updated',
    'channel_order_updated', 'guestOrderStatusUpdated', 'in_stock', 'low_quantity',
    'out_of_stock', 'payment_updated')),
  body text,
  primary key (partner_guid, number),
  foreign key (partner_guid, position) references partner_event (partner_guid, position),
  check ((kind = 'REPLAY') = (position is not null)),
  check ((kind = 'TEST') = (guid is not null and type is not null and body is not null))
);
create index webhook_extra_by_event on webhook_extra (partner_guid, position)
  where position is not null;
create index webhook_extra_by_request on webhook_extra (partner_guid, request_guid);
create index webhook_extra_by_at on webhook_extra (at, partner_guid, number);

-- One event on its way to one endpoint. For an event of the log, `place` is its position and `extra`
-- is 0. For a replay or a test event, both are as in webhook_extra.
create table webhook_delivery (
  partner_guid uuid not null,
  endpoint_guid uuid not null,
  place bigint not null check (place >= 0),
  extra bigint not null check (extra >= 0),
  guid uuid not null unique,
  -- That of the event.
  event_type text not null,
  state text not null check (state in ('QUEUED', 'DELIVERED', 'DEAD', 'DROPPED')),
  queued_at timestamptz(3) not null,
  due_at timestamptz(3) not null,
  -- Recorded attempts; how many of them the retry schedule counts, and how many came early because
  -- somebody asked. The last two start again when a pause ends.
  attempts integer not null check (attempts >= 0),
  tries integer not null check (tries between 0 and attempts),
  early integer not null default 0 check (early between 0 and attempts),
  -- The process that works on it, and until when in real time.
  lease_holder uuid,
  lease_expires_at timestamptz(3),
  finished_at timestamptz(3),
  dropped_by text,
  drop_reason text check (length(drop_reason) between 1 and 500),
  -- The number of the replay of this dead letter.
  replayed_by bigint,
  -- The ordered fault that held it back before its first attempt; null for none.
  fault text,
  primary key (partner_guid, endpoint_guid, place, extra),
  foreign key (partner_guid, endpoint_guid) references webhook_endpoint (partner_guid, guid),
  check (place > 0 or extra > 0),
  check ((state = 'QUEUED') = (finished_at is null)),
  check ((lease_holder is null) = (lease_expires_at is null)),
  check (lease_holder is null or state = 'QUEUED'),
  check ((state = 'DROPPED') = (dropped_by is not null))
) with (
  -- Each delivery is updated twice. Each page has space for a claim of all of its rows: elsewhere,
  -- the claimed row would need new entries in all of its indexes.
  fillfactor = 45,
  -- The queue is read from its oldest row on, so dead rows have to go before there are many.
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_cost_delay = 0
);
-- The queue, in the order in which it is due and in the order of its endpoint.
create index webhook_delivery_due on webhook_delivery (partner_guid, endpoint_guid, due_at, place,
  extra) where state = 'QUEUED';
create index webhook_delivery_queued on webhook_delivery (partner_guid, endpoint_guid, place, extra)
  include (queued_at) where state = 'QUEUED';
create index webhook_delivery_dead on webhook_delivery (partner_guid, endpoint_guid, place, extra)
  where state = 'DEAD';
-- The lists of the back office, newest first: of a partner, of a type of event, and the queue and
-- dead letters of all.
create index webhook_delivery_by_partner on webhook_delivery (partner_guid, guid);
create index webhook_delivery_by_event_type on webhook_delivery (event_type, guid);
create index webhook_delivery_queued_by_guid on webhook_delivery (guid) where state = 'QUEUED';
create index webhook_delivery_dead_by_guid on webhook_delivery (guid) where state = 'DEAD';
-- Deliveries are queued and finished in about the order of their rows.
create index webhook_delivery_by_queue on webhook_delivery using brin (queued_at)
  with (pages_per_range = 16);
create index webhook_delivery_by_finish on webhook_delivery using brin (finished_at)
  with (pages_per_range = 16);

-- Every attempt with a recorded outcome. It is written in one statement with its delivery, and
-- deleted with it. A foreign key would look the delivery up again, and lock it, for every attempt.
create table webhook_attempt (
  partner_guid uuid not null,
  endpoint_guid uuid not null,
  place bigint not null,
  extra bigint not null,
  -- From 1, as in the header.
  number integer not null check (number > 0),
  at timestamptz(3) not null,
  -- In real time, as in the header. The other headers follow from the event and the number.
  sent_at timestamptz(3) not null,
  -- True if it was to find out whether a paused endpoint answers again.
  is_probe boolean not null,
  url text not null,
  -- Null if there was no answer.
  status integer check (status between 100 and 999),
  -- The first 64 KiB of the answer; the first 4,096 characters after a success.
  answer text,
  is_answer_cut boolean not null,
  duration_ms integer not null check (duration_ms >= 0),
  outcome text not null check (outcome in ('DELIVERED', 'STATUS', 'REDIRECT', 'CONNECT_TIMEOUT',
    'ANSWER_TIMEOUT', 'REFUSED', 'RESET', 'UNREACHABLE', 'TLS', 'NOT_HTTP', 'BLOCKED_TARGET')),
  -- What went wrong, in words; null after a success.
  explanation text,
  -- When the next attempt comes; null if none does, or if the endpoint is paused.
  next_at timestamptz(3),
  -- The ordered fault that changed it; null for none.
  fault text,
  primary key (partner_guid, endpoint_guid, place, extra, number),
  check ((outcome = 'DELIVERED') = (explanation is null)),
  check ((outcome in ('DELIVERED', 'STATUS', 'REDIRECT')) = (status is not null))
);
-- The recent outcomes of an endpoint, without reading requests and answers.
create index webhook_attempt_by_at on webhook_attempt (partner_guid, endpoint_guid, at)
  include (outcome);


-- AUDIT LOG

-- Every change: who made it, what it was, before and after. Entries are only added.
-- The transaction of the change writes its entry, without a lock that all would wait for; a second
-- later the sealer links the entry to a chain of hashes. docs/decisions/0022 says what this holds
-- and what it does not.
create table audit_entry (
  guid uuid primary key,
  at timestamptz(3) not null,
  -- In real time.
  real_at timestamptz(3) not null,
  -- The id of an account, `person:` and a GUID, or `system:` and a name.
  actor text not null,
  request_id uuid,
  -- The operation of the contract, or the command, that made the change.
  operation text not null,
  subject_kind text not null,
  subject_id text not null,
  -- Where the subject belongs. Access to the place gives access to the entry.
  management_group_guid uuid,
  restaurant_guid uuid,
  partner_guid uuid,
  -- Null if it did not exist.
  before json,
  after json,
  -- Proves that the platform wrote the entry: a digest keyed with the master key.
  mac bytea not null,
  -- Of the whole entry. Each part comes after its length, so that no two entries read the same. All
  -- functions are immutable and write the same in every version of PostgreSQL; src/audit/chain.ts
  -- computes the same.
  digest bytea not null generated always as (sha256(decode(replace(
    '36:' || guid::text
      || '|' || (extract(epoch from at at time zone 'UTC') * 1000)::bigint::text
      || '|' || (extract(epoch from real_at at time zone 'UTC') * 1000)::bigint::text
      || '|' || length(actor)::text || ':' || actor
      || '|' || coalesce(request_id::text, '-')
      || '|' || length(operation)::text || ':' || operation
      || '|' || length(subject_kind)::text || ':' || subject_kind
      || '|' || length(subject_id)::text || ':' || subject_id
      || '|' || coalesce(management_group_guid::text, '-')
      || '|' || coalesce(restaurant_guid::text, '-')
      || '|' || coalesce(partner_guid::text, '-')
      || '|' || coalesce(length(before::text)::text || ':' || before::text, '-')
      || '|' || coalesce(length(after::text)::text || ':' || after::text, '-'),
    E'\\', E'\\\\'), 'escape'))) stored,
  constraint audit_entry_digest_key unique (guid, digest)
);
create index audit_entry_by_at on audit_entry (at, guid);
create index audit_entry_by_restaurant on audit_entry (restaurant_guid, at, guid)
  where restaurant_guid is not null;
create index audit_entry_by_group on audit_entry (management_group_guid, at, guid)
  where management_group_guid is not null;
create index audit_entry_by_partner on audit_entry (partner_guid, at, guid)
  where partner_guid is not null;
create index audit_entry_by_subject on audit_entry (subject_kind, subject_id, at, guid);
create index audit_entry_by_request on audit_entry (request_id) where request_id is not null;

-- Entries that are not in the chain yet. The sealer finds an entry here even if younger ones were
-- committed before it.
create table audit_unsealed (
  entry_guid uuid primary key references audit_entry
);

-- The chain. A link refers to the content of its entry and to the link before it, so that neither can
-- be changed or removed while the link exists.
create table audit_link (
  position bigint primary key check (position > 0),
  entry_guid uuid not null unique,
  entry_digest bytea not null,
  -- Null for the first link.
  previous_position bigint generated always as (nullif(position - 1, 0)) stored,
  previous_hash bytea check ((position = 1) = (previous_hash is null)),
  -- In real time.
  sealed_at timestamptz(3) not null,
  hash bytea not null generated always as (sha256(decode(
    position::text
      || '|' || (extract(epoch from sealed_at at time zone 'UTC') * 1000)::bigint::text
      || '|' || entry_guid::text
      || '|' || encode(entry_digest, 'hex')
      || '|' || coalesce(encode(previous_hash, 'hex'), '-'),
    'escape'))) stored,
  -- Proves that the platform sealed the entry at this position.
  mac bytea not null,
  constraint audit_link_hash_key unique (position, hash),
  constraint audit_link_entry_fkey
    foreign key (entry_guid, entry_digest) references audit_entry (guid, digest),
  constraint audit_link_chain_fkey
    foreign key (previous_position, previous_hash) references audit_link (position, hash)
);

-- The end of the chain, which the sealers of all processes compare and set.
create table audit_head (
  only_row boolean primary key check (only_row),
  position bigint not null check (position >= 0),
  hash bytea check ((position = 0) = (hash is null)),
  -- Proves that the chain ended here: a chain that was cut off has an outdated head.
  mac bytea check ((position = 0) = (mac is null)),
  constraint audit_head_link_fkey
    foreign key (position, hash) references audit_link (position, hash)
);
insert into audit_head (only_row, position) values (true, 0);

-- The program's own role, unless it is a superuser, only adds rows. The rights to update single
-- columns are for the locks of foreign keys, as for payment_event.
revoke update, delete, truncate on audit_entry, audit_link from current_user;
grant update (guid) on audit_entry to current_user;
grant update (position) on audit_link to current_user;
revoke delete, truncate on audit_head from current_user;


-- LOG OF REQUESTS

-- The last requests, to find out why one was refused. Everything here has passed the redaction of
-- src/requests/redact.ts: no secret, card number or guest data. Rows are never changed, and are
-- deleted after a time and beyond a size.
create table request_log (
  request_id uuid primary key,
  -- When it was written, in real time: streams go by it.
  logged_at timestamptz(3) not null,
  -- When it arrived, by the environment's clock and in real time.
  at timestamptz(3) not null,
  real_at timestamptz(3) not null,
  -- Null if no operation has the method and path.
  operation text,
  method text not null,
  path text not null,
  status integer not null,
  duration_ms float8 not null,
  -- Null if nobody was recognized. For a failed login, the account that it named.
  client_id text,
  person_guid uuid,
  -- Where the client belongs. Access to that place, or to the restaurant, gives access to the row.
  partner_guid uuid,
  management_group_guid uuid,
  -- The one that the request named, whether or not it exists and was reached.
  restaurant_guid uuid,
  remote_address text not null,
  -- Which check refused the request, and why; null if none did.
  refusal json,
  query json not null,
  request_headers json not null,
  request_body text,
  answer_headers json not null,
  answer_body text,
  -- What is known of how the response came about; null if nobody wanted it explained.
  facts json,
  -- The ordered fault that touched the request; null for none.
  fault text,
  -- About how much space the row takes.
  size_bytes integer not null
);
create index request_log_by_real_at on request_log (real_at, request_id);
create index request_log_by_logged_at on request_log (logged_at, request_id) include (size_bytes);
create index request_log_by_client on request_log (client_id, real_at, request_id)
  where client_id is not null;
create index request_log_by_person on request_log (person_guid, real_at, request_id)
  where person_guid is not null;
create index request_log_by_restaurant on request_log (restaurant_guid, real_at, request_id)
  where restaurant_guid is not null;
