-- The schema that the migrations make, for review. `npm run schema` writes this file and a test
-- compares it; it is never applied.

create table access_grant (
  client_id text not null,
  secret_guid uuid not null,
  narrowed_to text not null,
  jti uuid not null,
  kid text not null,
  facts text not null,
  issued_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint access_grant_pkey primary key (client_id, secret_guid, narrowed_to),
  constraint access_grant_check check ((expires_at > issued_at)),
  constraint access_grant_client_id_secret_guid_fkey foreign key (client_id, secret_guid) references client_secret(client_id, guid),
  constraint access_grant_kid_fkey foreign key (kid) references signing_key(kid)
);

create table api_client (
  client_id text not null,
  name text not null,
  description text,
  type text not null,
  partner_guid uuid,
  management_group_guid uuid,
  scopes text[] not null,
  holds_legacy_card_key boolean not null,
  created_at timestamp with time zone not null,
  created_by text,
  revoked_at timestamp with time zone,
  revoked_by text,
  last_used_at timestamp(3) with time zone,
  constraint api_client_pkey primary key (client_id),
  constraint api_client_back_office_card_key_check check (((type <> 'BACK_OFFICE'::text) or (not holds_legacy_card_key))),
  constraint api_client_back_office_scopes_check check (((type <> 'BACK_OFFICE'::text) or (scopes <@ array['payments.lifecycle:read'::text, 'payments.lifecycle:write'::text, 'clock:read'::text, 'clock:write'::text, 'card_keys:read'::text, 'card_keys:write'::text, 'metrics:read'::text, 'people:read'::text, 'people:write'::text, 'restaurants.admin:read'::text, 'restaurants.admin:write'::text, 'configuration:read'::text, 'configuration:write'::text, 'configuration:publish'::text, 'stock.admin:read'::text, 'stock.admin:write'::text, 'orders.admin:read'::text, 'orders.admin:write'::text, 'clients:read'::text, 'clients:write'::text, 'connections:read'::text, 'connections:write'::text, 'requests:read'::text, 'audit:read'::text, 'webhooks:read'::text, 'webhooks:write'::text, 'sandboxes:read'::text, 'sandboxes:write'::text, 'faults:read'::text, 'faults:write'::text, 'requests:write'::text]))),
  constraint api_client_check check (((type = 'PARTNER'::text) = (partner_guid is not null))),
  constraint api_client_client_id_check check ((client_id ~ '^[A-Za-z0-9._~-]{1,128}$'::text)),
  constraint api_client_description_check check (((length(description) >= 1) and (length(description) <= 1000))),
  constraint api_client_group_check check (((type = 'BACK_OFFICE'::text) or ((type = 'CUSTOMER'::text) = (management_group_guid is not null)))),
  constraint api_client_partner_scopes_check check (((type = 'BACK_OFFICE'::text) or (scopes <@ array['credit_cards.authorization:write'::text, 'stock:read'::text, 'stock:write'::text, 'config:read'::text, 'restaurants:read'::text, 'menus:read'::text, 'orders:read'::text, 'orders.channel:read'::text, 'orders.orders:write'::text, 'orders.items:write'::text, 'orders.discounts:write'::text, 'orders.payments:write'::text, 'orders.delivery_info:write'::text, 'orders.channel:void'::text, 'orders:void'::text, 'guest.pi:read'::text, 'delivery_info.address:read'::text]))),
  constraint api_client_type_check check ((type = any (array['PARTNER'::text, 'CUSTOMER'::text, 'BACK_OFFICE'::text]))),
  constraint api_client_management_group_guid_fkey foreign key (management_group_guid) references management_group(guid),
  constraint api_client_partner_guid_fkey foreign key (partner_guid) references partner(guid)
);
create index api_client_by_created_at on api_client (created_at, client_id);
create index api_client_by_management_group on api_client (management_group_guid);
create index api_client_by_partner on api_client (partner_guid);

create table audit_entry (
  guid uuid not null,
  at timestamp(3) with time zone not null,
  real_at timestamp(3) with time zone not null,
  actor text not null,
  request_id uuid,
  operation text not null,
  subject_kind text not null,
  subject_id text not null,
  management_group_guid uuid,
  restaurant_guid uuid,
  partner_guid uuid,
  before json,
  after json,
  mac bytea not null,
  digest bytea not null generated always as (sha256(decode(replace(((((((((((((((((((((((((((((((((('36:'::text || (guid)::text) || '|'::text) || (((extract(epoch from (at at time zone 'UTC'::text)) * (1000)::numeric))::bigint)::text) || '|'::text) || (((extract(epoch from (real_at at time zone 'UTC'::text)) * (1000)::numeric))::bigint)::text) || '|'::text) || (length(actor))::text) || ':'::text) || actor) || '|'::text) || coalesce((request_id)::text, '-'::text)) || '|'::text) || (length(operation))::text) || ':'::text) || operation) || '|'::text) || (length(subject_kind))::text) || ':'::text) || subject_kind) || '|'::text) || (length(subject_id))::text) || ':'::text) || subject_id) || '|'::text) || coalesce((management_group_guid)::text, '-'::text)) || '|'::text) || coalesce((restaurant_guid)::text, '-'::text)) || '|'::text) || coalesce((partner_guid)::text, '-'::text)) || '|'::text) || coalesce((((length((before)::text))::text || ':'::text) || (before)::text), '-'::text)) || '|'::text) || coalesce((((length((after)::text))::text || ':'::text) || (after)::text), '-'::text)), '\'::text, '\\'::text), 'escape'::text))) stored,
  constraint audit_entry_pkey primary key (guid),
  constraint audit_entry_digest_key unique (guid, digest)
);
create index audit_entry_by_at on audit_entry (at, guid);
create index audit_entry_by_group on audit_entry (management_group_guid, at, guid) where (management_group_guid is not null);
create index audit_entry_by_partner on audit_entry (partner_guid, at, guid) where (partner_guid is not null);
create index audit_entry_by_request on audit_entry (request_id) where (request_id is not null);
create index audit_entry_by_restaurant on audit_entry (restaurant_guid, at, guid) where (restaurant_guid is not null);
create index audit_entry_by_subject on audit_entry (subject_kind, subject_id, at, guid);

create table audit_head (
  only_row boolean not null,
  position bigint not null,
  hash bytea,
  mac bytea,
  constraint audit_head_pkey primary key (only_row),
  constraint audit_head_check check ((("position" = 0) = (hash is null))),
  constraint audit_head_check1 check ((("position" = 0) = (mac is null))),
  constraint audit_head_only_row_check check (only_row),
  constraint audit_head_position_check check (("position" >= 0)),
  constraint audit_head_link_fkey foreign key ("position", hash) references audit_link("position", hash)
);

create table audit_link (
  position bigint not null,
  entry_guid uuid not null,
  entry_digest bytea not null,
  previous_position bigint generated always as (nullif(("position" - 1), 0)) stored,
  previous_hash bytea,
  sealed_at timestamp(3) with time zone not null,
  hash bytea not null generated always as (sha256(decode(((((((((("position")::text || '|'::text) || (((extract(epoch from (sealed_at at time zone 'UTC'::text)) * (1000)::numeric))::bigint)::text) || '|'::text) || (entry_guid)::text) || '|'::text) || encode(entry_digest, 'hex'::text)) || '|'::text) || coalesce(encode(previous_hash, 'hex'::text), '-'::text)), 'escape'::text))) stored,
  mac bytea not null,
  constraint audit_link_pkey primary key ("position"),
  constraint audit_link_entry_guid_key unique (entry_guid),
  constraint audit_link_hash_key unique ("position", hash),
  constraint audit_link_check check ((("position" = 1) = (previous_hash is null))),
  constraint audit_link_position_check check (("position" > 0)),
  constraint audit_link_chain_fkey foreign key (previous_position, previous_hash) references audit_link("position", hash),
  constraint audit_link_entry_fkey foreign key (entry_guid, entry_digest) references audit_entry(guid, digest)
);

create table audit_unsealed (
  entry_guid uuid not null,
  constraint audit_unsealed_pkey primary key (entry_guid),
  constraint audit_unsealed_entry_guid_fkey foreign key (entry_guid) references audit_entry(guid)
);

create table card_key (
  client_id text not null,
  key_id text not null,
  algorithm text not null,
  state text not null,
  legacy boolean not null,
  public_key_pem text not null,
  public_key_jwk json not null,
  sealed_private_key bytea,
  not_after timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  state_changed_at timestamp(3) with time zone not null,
  constraint card_key_pkey primary key (client_id, key_id),
  constraint card_key_algorithm_check check ((algorithm = any (array['RSA-OAEP-SHA256'::text, 'RSA-OAEP-SHA1'::text, 'RSA-OAEP-256'::text, 'ECDH-ES'::text]))),
  constraint card_key_check check ((key_id ~~ (algorithm || '::_%'::text))),
  constraint card_key_check1 check (((state = 'DESTROYED'::text) = (sealed_private_key is null))),
  constraint card_key_state_check check ((state = any (array['PENDING'::text, 'ACTIVE'::text, 'DECRYPT_ONLY'::text, 'DESTROYED'::text]))),
  constraint card_key_client_id_fkey foreign key (client_id) references api_client(client_id)
);

create table change_mark (
  bucket integer not null,
  revision bigint not null,
  changed_in xid8 not null,
  constraint change_mark_pkey primary key (bucket),
  constraint change_mark_bucket_check check (((bucket >= '-1'::integer) and (bucket <= 65535)))
);
create index change_mark_by_transaction on change_mark (changed_in);

create table client_operation_use (
  client_id text not null,
  day date not null,
  operation text not null,
  status integer not null,
  requests bigint not null,
  constraint client_operation_use_pkey primary key (client_id, day, operation, status),
  constraint client_operation_use_requests_check check ((requests > 0)),
  constraint client_operation_use_status_check check (((status >= 100) and (status <= 599))),
  constraint client_operation_use_client_id_fkey foreign key (client_id) references api_client(client_id)
);
create index client_operation_use_by_day on client_operation_use (day);

create table client_restaurant_use (
  client_id text not null,
  day date not null,
  restaurant_guid uuid not null,
  requests bigint not null,
  constraint client_restaurant_use_pkey primary key (client_id, day, restaurant_guid),
  constraint client_restaurant_use_requests_check check ((requests > 0)),
  constraint client_restaurant_use_client_id_fkey foreign key (client_id) references api_client(client_id),
  constraint client_restaurant_use_restaurant_guid_fkey foreign key (restaurant_guid) references restaurant(guid)
);
create index client_restaurant_use_by_day on client_restaurant_use (day);

create table client_scope_use (
  client_id text not null,
  scope text not null,
  granted_at timestamp(3) with time zone,
  used_at timestamp(3) with time zone,
  constraint client_scope_use_pkey primary key (client_id, scope),
  constraint client_scope_use_client_id_fkey foreign key (client_id) references api_client(client_id)
);

create table client_secret (
  client_id text not null,
  guid uuid not null,
  label text,
  digest bytea not null,
  created_at timestamp with time zone not null,
  created_by text,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  revoked_by text,
  last_used_at timestamp(3) with time zone,
  constraint client_secret_pkey primary key (client_id, guid),
  constraint client_secret_digest_check check ((length(digest) = 32)),
  constraint client_secret_label_check check (((length(label) >= 1) and (length(label) <= 100))),
  constraint client_secret_client_id_fkey foreign key (client_id) references api_client(client_id)
);

create table client_use_start (
  is_counting boolean not null,
  started_at timestamp(3) with time zone not null,
  constraint client_use_start_pkey primary key (is_counting),
  constraint client_use_start_is_counting_check check (is_counting)
);

create table configuration_draft (
  restaurant_guid uuid not null,
  collection text not null,
  guid uuid not null,
  revision uuid not null,
  multi_location_id text,
  external_id text,
  fields json not null,
  archived boolean not null,
  base_digest text,
  created_by text not null,
  created_at timestamp(3) with time zone not null,
  modified_by text not null,
  modified_at timestamp(3) with time zone not null,
  constraint configuration_draft_pkey primary key (restaurant_guid, collection, guid),
  constraint configuration_draft_check check (((multi_location_id is not null) = (collection = any (array['menuItems'::text, 'menus'::text, 'menuGroups'::text, 'menuOptionGroups'::text, 'preModifiers'::text, 'preModifierGroups'::text])))),
  constraint configuration_draft_restaurant_guid_fkey foreign key (restaurant_guid) references restaurant(guid)
);

create table configuration_object (
  restaurant_guid uuid not null,
  collection text not null,
  guid uuid not null,
  multi_location_id text,
  external_id text,
  fields json not null,
  archived boolean not null,
  modified_at timestamp(3) with time zone not null,
  item_name text generated always as (
case
    when (collection = 'menuItems'::text) then coalesce(lower((fields ->> 'name'::text)), ''::text)
    else null::text
end) stored,
  constraint configuration_object_pkey primary key (restaurant_guid, collection, guid),
  constraint configuration_object_check check (((multi_location_id is not null) = (collection = any (array['menuItems'::text, 'menus'::text, 'menuGroups'::text, 'menuOptionGroups'::text, 'preModifiers'::text, 'preModifierGroups'::text])))),
  constraint configuration_object_restaurant_guid_fkey foreign key (restaurant_guid) references restaurant(guid)
);
create index configuration_object_by_item_name on configuration_object (restaurant_guid, "left"(item_name, 100), guid) include (item_name, archived) where (item_name is not null);
create index configuration_object_by_modified on configuration_object (restaurant_guid, modified_at, collection);
create unique index configuration_object_by_multi_location_id on configuration_object (restaurant_guid, multi_location_id, collection) where (multi_location_id is not null);

create table connection (
  restaurant_guid uuid not null,
  partner_guid uuid not null,
  external_group_ref text,
  external_restaurant_ref text,
  created_by_first_name text,
  created_by_last_name text,
  created_by_email text,
  created_by_phone text,
  created_at timestamp(3) with time zone not null,
  modified_at timestamp(3) with time zone not null,
  removed_at timestamp(3) with time zone,
  removed_reason text,
  constraint connection_pkey primary key (restaurant_guid, partner_guid),
  constraint connection_removed_reason_check check (((length(removed_reason) >= 1) and (length(removed_reason) <= 500))),
  constraint connection_partner_guid_fkey foreign key (partner_guid) references partner(guid),
  constraint connection_restaurant_guid_fkey foreign key (restaurant_guid) references restaurant(guid)
);
create index connection_by_change on connection (partner_guid, modified_at) where (removed_at is null);
create index connection_by_partner on connection (partner_guid, created_at, restaurant_guid);

create table connection_change (
  restaurant_guid uuid not null,
  partner_guid uuid not null,
  number integer not null,
  kind text not null,
  at timestamp(3) with time zone not null,
  actor text not null,
  request_id uuid,
  employee_first_name text,
  employee_last_name text,
  employee_email text,
  employee_phone text,
  external_group_ref text,
  external_restaurant_ref text,
  reason text,
  constraint connection_change_pkey primary key (restaurant_guid, partner_guid, number),
  constraint connection_change_check check (((reason is null) or (kind = 'DISCONNECTED'::text))),
  constraint connection_change_kind_check check ((kind = any (array['CONNECTED'::text, 'EDITED'::text, 'RESTAURANT_EDITED'::text, 'DISCONNECTED'::text]))),
  constraint connection_change_number_check check ((number > 0)),
  constraint connection_change_restaurant_guid_partner_guid_fkey foreign key (restaurant_guid, partner_guid) references connection(restaurant_guid, partner_guid)
);

create table environment (
  id integer not null,
  guid uuid not null,
  kind text not null,
  created_at timestamp(3) with time zone not null,
  constraint environment_pkey primary key (id),
  constraint environment_id_check check ((id = 1)),
  constraint environment_kind_check check ((kind = any (array['sandbox'::text, 'production'::text])))
);

create table environment_clock (
  id integer not null,
  mode text not null,
  offset_ms bigint not null,
  frozen_at timestamp(3) with time zone,
  version integer not null,
  mover uuid,
  mover_expires_at timestamp(3) with time zone,
  constraint environment_clock_pkey primary key (id),
  constraint environment_clock_check check (((mover is null) = (mover_expires_at is null))),
  constraint environment_clock_check1 check (((frozen_at is null) = ((mode = 'RUNNING'::text) and (mover is null)))),
  constraint environment_clock_id_check check ((id = 1)),
  constraint environment_clock_mode_check check ((mode = any (array['RUNNING'::text, 'FROZEN'::text]))),
  constraint environment_clock_version_check check ((version >= 0))
);

create table event_reader (
  partner_guid uuid not null,
  client_id text not null,
  kept_until timestamp(3) with time zone not null,
  constraint event_reader_pkey primary key (partner_guid, client_id),
  constraint event_reader_client_id_fkey foreign key (client_id) references api_client(client_id),
  constraint event_reader_partner_guid_fkey foreign key (partner_guid) references partner(guid)
);

create table fault_rule (
  guid uuid not null,
  operation text,
  client_id text,
  restaurant_guid uuid,
  phase text not null,
  fault json not null,
  times integer,
  rate double precision,
  seed integer not null,
  profile text,
  matched integer not null default 0,
  injected integer not null default 0,
  last_matched_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  created_by text not null,
  constraint fault_rule_pkey primary key (guid),
  constraint fault_rule_check check ((matched >= injected)),
  constraint fault_rule_check1 check (((times is null) <> (rate is null))),
  constraint fault_rule_check2 check ((injected <= times)),
  constraint fault_rule_injected_check check ((injected >= 0)),
  constraint fault_rule_phase_check check ((phase = any (array['before'::text, 'after'::text, 'paging'::text, 'webhooks'::text, 'processor'::text]))),
  constraint fault_rule_profile_check check ((profile = any (array['perfect'::text, 'like-production'::text, 'bad-friday'::text]))),
  constraint fault_rule_rate_check check (((rate >= (0)::double precision) and (rate <= (1)::double precision))),
  constraint fault_rule_seed_check check ((seed >= 0)),
  constraint fault_rule_times_check check ((times >= 1))
);

create table health_minute (
  minute timestamp(0) with time zone not null,
  process_id uuid not null,
  version text not null,
  started_at timestamp(3) with time zone not null,
  is_last boolean not null,
  totals jsonb not null,
  measured jsonb not null,
  constraint health_minute_pkey primary key (minute, process_id)
);

create table log_in_attempt (
  key text not null,
  attempts integer not null,
  counts_until timestamp(3) with time zone not null,
  constraint log_in_attempt_pkey primary key (key),
  constraint log_in_attempt_attempts_check check ((attempts > 0))
);
create index log_in_attempt_by_counts_until on log_in_attempt (counts_until);

create table management_group (
  guid uuid not null,
  name text not null,
  archived boolean not null default false,
  version integer not null default 1,
  created_at timestamp(3) with time zone not null,
  modified_at timestamp(3) with time zone,
  constraint management_group_pkey primary key (guid),
  constraint management_group_version_check check ((version > 0))
);
create index management_group_by_name on management_group ("left"(name, 60), guid);

create table management_group_partner (
  management_group_guid uuid not null,
  partner_guid uuid not null,
  constraint management_group_partner_pkey primary key (management_group_guid, partner_guid),
  constraint management_group_partner_management_group_guid_fkey foreign key (management_group_guid) references management_group(guid),
  constraint management_group_partner_partner_guid_fkey foreign key (partner_guid) references partner(guid)
);

create table order_event (
  restaurant_guid uuid not null,
  order_guid uuid not null,
  version integer not null,
  cause text not null,
  details json,
  occurred_at timestamp(3) with time zone not null,
  changed_by text not null,
  request_id uuid,
  constraint order_event_pkey primary key (restaurant_guid, order_guid, version),
  constraint order_event_version_check check ((version >= 1)),
  constraint order_event_restaurant_guid_order_guid_fkey foreign key (restaurant_guid, order_guid) references restaurant_order(restaurant_guid, guid)
);

create table order_external_id (
  restaurant_guid uuid not null,
  owner_guid uuid not null,
  kind text not null,
  external_id text not null,
  guid uuid not null,
  order_guid uuid not null,
  constraint order_external_id_pkey primary key (restaurant_guid, owner_guid, kind, external_id),
  constraint order_external_id_external_id_check check (((length(external_id) >= 1) and (length(external_id) <= 255))),
  constraint order_external_id_kind_check check ((kind = any (array['ORDER'::text, 'CHECK'::text, 'SELECTION'::text]))),
  constraint order_external_id_restaurant_guid_order_guid_fkey foreign key (restaurant_guid, order_guid) references restaurant_order(restaurant_guid, guid)
);

create table order_guest (
  restaurant_guid uuid not null,
  order_guid uuid not null,
  business_date integer not null,
  content json not null,
  constraint order_guest_pkey primary key (restaurant_guid, order_guid),
  constraint order_guest_restaurant_guid_order_guid_fkey foreign key (restaurant_guid, order_guid) references restaurant_order(restaurant_guid, guid)
);
create index order_guest_by_business_date on order_guest (business_date, restaurant_guid, order_guid);

create table order_number (
  restaurant_guid uuid not null,
  business_date integer not null,
  orders integer not null,
  checks integer not null,
  constraint order_number_pkey primary key (restaurant_guid, business_date),
  constraint order_number_checks_check check ((checks >= 0)),
  constraint order_number_orders_check check ((orders >= 0)),
  constraint order_number_restaurant_guid_fkey foreign key (restaurant_guid) references restaurant(guid)
);

create table order_payment (
  restaurant_guid uuid not null,
  payment_uuid uuid not null,
  order_guid uuid not null,
  check_guid uuid not null,
  external_id text,
  client_id text,
  type text not null,
  amount_minor bigint not null,
  tip_minor bigint not null,
  tendered_minor bigint not null,
  other_payment_guid uuid,
  entry_mode text,
  paid_at timestamp(3) with time zone not null,
  paid_business_date integer not null,
  voided_at timestamp(3) with time zone,
  void_business_date integer,
  position integer not null,
  constraint order_payment_pkey primary key (restaurant_guid, payment_uuid),
  constraint order_payment_amount_minor_check check ((amount_minor >= 0)),
  constraint order_payment_check check (((type = 'OTHER'::text) = (other_payment_guid is not null))),
  constraint order_payment_check1 check (((type = 'CREDIT'::text) = (entry_mode is not null))),
  constraint order_payment_check2 check (((voided_at is null) = (void_business_date is null))),
  constraint order_payment_entry_mode_check check ((entry_mode = any (array['ONLINE'::text, 'PARTNER_ECOM_COF'::text, 'FUTURE_ORDER'::text]))),
  constraint order_payment_position_check check (("position" >= 0)),
  constraint order_payment_tendered_minor_check check ((tendered_minor >= 0)),
  constraint order_payment_tip_minor_check check ((tip_minor >= 0)),
  constraint order_payment_type_check check ((type = any (array['CREDIT'::text, 'OTHER'::text, 'CASH'::text]))),
  constraint order_payment_client_id_fkey foreign key (client_id) references api_client(client_id),
  constraint order_payment_restaurant_guid_order_guid_fkey foreign key (restaurant_guid, order_guid) references restaurant_order(restaurant_guid, guid)
);
create index order_payment_by_order on order_payment (restaurant_guid, order_guid, "position");
create index order_payment_by_paid_date on order_payment (restaurant_guid, paid_business_date, paid_at, payment_uuid);
create index order_payment_by_void_date on order_payment (restaurant_guid, void_business_date, paid_at, payment_uuid) where (void_business_date is not null);

create table partner (
  guid uuid not null,
  name text not null,
  description text,
  created_at timestamp(3) with time zone not null,
  constraint partner_pkey primary key (guid),
  constraint partner_description_check check (((length(description) >= 1) and (length(description) <= 1000)))
);
create index partner_by_name on partner (lower(name), guid);

create table partner_counter (
  partner_guid uuid not null,
  position bigint not null,
  connections integer not null default 0,
  constraint partner_counter_pkey primary key (partner_guid),
  constraint partner_counter_connections_check check ((connections >= 0)),
  constraint partner_counter_position_check check (("position" >= 0)),
  constraint partner_counter_partner_guid_fkey foreign key (partner_guid) references partner(guid)
);

create table partner_event (
  partner_guid uuid not null,
  position bigint not null,
  guid uuid not null,
  type text not null,
  restaurant_guid uuid not null,
  change_number integer,
  at timestamp(3) with time zone not null,
  body text not null,
  constraint partner_event_pkey primary key (partner_guid, "position"),
  constraint partner_event_guid_key unique (guid),
  constraint partner_event_restaurant_guid_partner_guid_change_number_key unique (restaurant_guid, partner_guid, change_number),
  constraint partner_event_check check (((change_number is not null) = (type = any (array['partner_added'::text, 'partner_updated'::text, 'partner_removed'::text])))),
  constraint partner_event_position_check check (("position" > 0)),
  constraint partner_event_type_check check ((type = any (array['partner_added'::text, 'partner_updated'::text, 'partner_removed'::text, 'menus_updated'::text, 'order_updated'::text, 'channel_order_updated'::text, 'guestOrderStatusUpdated'::text, 'in_stock'::text, 'low_quantity'::text, 'out_of_stock'::text, 'payment_updated'::text]))),
  constraint partner_event_partner_guid_fkey foreign key (partner_guid) references partner(guid),
  constraint partner_event_restaurant_guid_fkey foreign key (restaurant_guid) references restaurant(guid),
  constraint partner_event_restaurant_guid_partner_guid_change_number_fkey foreign key (restaurant_guid, partner_guid, change_number) references connection_change(restaurant_guid, partner_guid, number)
);
create index partner_event_by_at on partner_event (at, partner_guid, "position");

create table payment (
  merchant_guid uuid not null,
  payment_uuid uuid not null,
  payment_id uuid not null,
  client_id text not null,
  state text not null,
  version integer not null,
  event_digest bytea not null,
  attempt integer not null,
  content_digest bytea not null,
  currency_code text not null,
  amount_minor bigint not null,
  tip_minor bigint not null,
  changed_tip_minor bigint,
  captured_minor bigint,
  card_number_origin text not null,
  will_save_card boolean not null,
  card_brand text not null,
  card_first6 text not null,
  card_last4 text not null,
  card_digest bytea not null,
  local_transaction_date text not null,
  authorization_code text,
  response_code text,
  denial_reason text,
  error text,
  check_guid uuid,
  order_guid uuid,
  void_reason text,
  authorized_at timestamp(3) with time zone,
  apply_deadline timestamp(3) with time zone,
  capture_deadline timestamp(3) with time zone,
  capture_at timestamp(3) with time zone,
  due_at timestamp(3) with time zone,
  tries integer not null default 0,
  lease_holder uuid,
  lease_expires_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  modified_at timestamp(3) with time zone not null,
  constraint payment_pkey primary key (merchant_guid, payment_uuid),
  constraint payment_amount_minor_check check ((amount_minor >= 0)),
  constraint payment_attempt_check check ((attempt >= 0)),
  constraint payment_card_digest_check check ((length(card_digest) = 32)),
  constraint payment_card_first6_check check ((card_first6 ~ '^[0-9]{6}$'::text)),
  constraint payment_card_last4_check check ((card_last4 ~ '^[0-9]{4}$'::text)),
  constraint payment_card_number_origin_check check ((card_number_origin = any (array['END_USER'::text, 'PARTNER_VAULT'::text]))),
  constraint payment_check check (((amount_minor + tip_minor) > 0)),
  constraint payment_check1 check (((state = 'CAPTURED'::text) = (captured_minor is not null))),
  constraint payment_check10 check (((due_at is null) = (state = any (array['DENIED'::text, 'ABORTED'::text, 'REVERSED'::text, 'CAPTURED'::text, 'VOIDED'::text, 'REVIEW'::text])))),
  constraint payment_check11 check (((state <> all (array['CAPTURE_SCHEDULED'::text, 'CAPTURE_PENDING'::text, 'CAPTURED'::text])) or (capture_at is not null))),
  constraint payment_check2 check (((changed_tip_minor >= 0) and (changed_tip_minor <= tip_minor))),
  constraint payment_check3 check (((amount_minor + changed_tip_minor) > 0)),
  constraint payment_check4 check (((changed_tip_minor is null) or (check_guid is not null))),
  constraint payment_check5 check (((order_guid is null) or (check_guid is not null))),
  constraint payment_check6 check ((captured_minor = (amount_minor + coalesce(changed_tip_minor, tip_minor)))),
  constraint payment_check7 check (((state <> all (array['AUTHORIZED'::text, 'APPLIED'::text, 'CAPTURE_SCHEDULED'::text, 'CAPTURE_PENDING'::text, 'CAPTURED'::text])) or ((authorization_code is not null) and (authorized_at is not null) and (apply_deadline is not null) and (capture_deadline is not null)))),
  constraint payment_check8 check (((state <> all (array['DENIED'::text, 'REVERSED'::text])) or (denial_reason is not null))),
  constraint payment_check9 check (((state <> all (array['APPLIED'::text, 'CAPTURE_SCHEDULED'::text, 'CAPTURE_PENDING'::text, 'CAPTURED'::text])) or (check_guid is not null))),
  constraint payment_content_digest_check check ((length(content_digest) = 32)),
  constraint payment_currency_code_check check ((currency_code ~ '^[A-Z]{3}$'::text)),
  constraint payment_tip_minor_check check ((tip_minor >= 0)),
  constraint payment_tries_check check ((tries >= 0)),
  constraint payment_void_reason_check check (((length(void_reason) >= 1) and (length(void_reason) <= 200))),
  constraint payment_client_id_fkey foreign key (client_id) references api_client(client_id),
  constraint payment_event_fkey foreign key (merchant_guid, payment_uuid, version, state, event_digest) references payment_event(merchant_guid, payment_uuid, version, to_state, digest),
  constraint payment_merchant_guid_fkey foreign key (merchant_guid) references restaurant(guid)
);
create index payment_by_amount on payment (amount_minor);
create index payment_by_card_last4 on payment (card_last4, created_at, payment_uuid);
create index payment_by_changed_total on payment (((amount_minor + changed_tip_minor))) where (changed_tip_minor is not null);
create index payment_by_client on payment (client_id, created_at, payment_uuid);
create index payment_by_created_at on payment (created_at, payment_uuid);
create index payment_by_due_at on payment (due_at) where (due_at is not null);
create index payment_by_merchant on payment (merchant_guid, created_at, payment_uuid);
create index payment_by_merchant_due_at on payment (merchant_guid, due_at) where (due_at is not null);
create index payment_by_state on payment (state, created_at, payment_uuid);
create index payment_by_total on payment (((amount_minor + tip_minor)));
create index payment_put_off on payment (due_at) where ((due_at is not null) and (tries > 0));
create index payment_unsettled on payment (state, modified_at) where (state = any (array['PENDING'::text, 'UNKNOWN'::text, 'REVERSAL_PENDING'::text, 'CAPTURE_PENDING'::text, 'VOID_PENDING'::text]));

create table payment_alarm (
  merchant_guid uuid not null,
  guid uuid not null,
  payment_uuid uuid not null,
  kind text not null,
  attempt integer not null,
  payment_state text not null,
  explanation text not null,
  raised_at timestamp(3) with time zone not null,
  acknowledged_at timestamp(3) with time zone,
  acknowledged_by text,
  note text,
  constraint payment_alarm_pkey primary key (merchant_guid, guid),
  constraint payment_alarm_guid_key unique (guid),
  constraint payment_alarm_attempt_check check ((attempt >= 0)),
  constraint payment_alarm_check check (((acknowledged_at is null) = (acknowledged_by is null))),
  constraint payment_alarm_note_check check (((length(note) >= 1) and (length(note) <= 1000))),
  constraint payment_alarm_merchant_guid_payment_uuid_fkey foreign key (merchant_guid, payment_uuid) references payment(merchant_guid, payment_uuid)
);
create index payment_alarm_by_raised_at on payment_alarm (raised_at, guid);
create index payment_alarm_noted_of_payment on payment_alarm (merchant_guid, payment_uuid, kind, attempt, payment_state, acknowledged_at);
create index payment_alarm_open on payment_alarm (raised_at, guid) where (acknowledged_at is null);
create unique index payment_alarm_open_of_payment on payment_alarm (merchant_guid, payment_uuid, kind, attempt, payment_state) where (acknowledged_at is null);

create table payment_attempt (
  merchant_guid uuid not null,
  payment_uuid uuid not null,
  attempt integer not null,
  processor_key text not null,
  started_at timestamp(3) with time zone not null,
  sent_before timestamp(3) with time zone,
  outcome text,
  explanation text,
  processor_reference text,
  finished_at timestamp(3) with time zone,
  due_at timestamp(3) with time zone,
  follow_ups integer not null default 0,
  tries integer not null default 0,
  lease_holder uuid,
  lease_expires_at timestamp(3) with time zone,
  constraint payment_attempt_pkey primary key (merchant_guid, payment_uuid, attempt),
  constraint payment_attempt_attempt_check check ((attempt >= 1)),
  constraint payment_attempt_check1 check (((outcome is null) = (finished_at is null))),
  constraint payment_attempt_follow_ups_check check ((follow_ups >= 0)),
  constraint payment_attempt_outcome_check check ((outcome = any (array['APPROVED'::text, 'DECLINED'::text, 'NOT_PROCESSED'::text, 'UNKNOWN'::text, 'NOT_FOUND'::text, 'REVERSED'::text]))),
  constraint payment_attempt_tries_check check ((tries >= 0)),
  constraint payment_attempt_merchant_guid_payment_uuid_fkey foreign key (merchant_guid, payment_uuid) references payment(merchant_guid, payment_uuid)
);
create index payment_attempt_by_due_at on payment_attempt (due_at) where (due_at is not null);
create index payment_attempt_by_merchant_due_at on payment_attempt (merchant_guid, due_at) where (due_at is not null);

create table payment_event (
  merchant_guid uuid not null,
  payment_uuid uuid not null,
  version integer not null,
  previous_version integer,
  from_state text not null,
  cause text not null,
  to_state text not null,
  attempt integer not null,
  details json,
  occurred_at timestamp(3) with time zone not null,
  guid uuid not null,
  previous_digest bytea,
  digest bytea not null generated always as (sha256(decode(replace(((((((((((((((from_state || '|'::text) || cause) || '|'::text) || to_state) || '|'::text) || (attempt)::text) || '|'::text) || (((extract(epoch from (occurred_at at time zone 'UTC'::text)) * (1000)::numeric))::bigint)::text) || '|'::text) || (guid)::text) || '|'::text) || coalesce(encode(previous_digest, 'hex'::text), '-'::text)) || '|'::text) || coalesce((details)::text, '-'::text)), '\'::text, '\\'::text), 'escape'::text))) stored,
  constraint payment_event_pkey primary key (merchant_guid, payment_uuid, version),
  constraint payment_event_digest_key unique (merchant_guid, payment_uuid, version, to_state, digest),
  constraint payment_event_attempt_check check ((attempt >= 0)),
  constraint payment_event_chain_check check (((version = 1) = (previous_digest is null))),
  constraint payment_event_check check (((version = 1) = (previous_version is null))),
  constraint payment_event_check1 check (((version = 1) = (from_state = 'NEW'::text))),
  constraint payment_event_check2 check ((previous_version = (version - 1))),
  constraint payment_event_version_check check ((version >= 1)),
  constraint payment_event_chain_fkey foreign key (merchant_guid, payment_uuid, previous_version, from_state, previous_digest) references payment_event(merchant_guid, payment_uuid, version, to_state, digest),
  constraint payment_event_from_state_cause_to_state_fkey foreign key (from_state, cause, to_state) references payment_transition(from_state, cause, to_state),
  constraint payment_event_merchant_guid_fkey foreign key (merchant_guid) references restaurant(guid)
);

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
  created_at timestamp(3) with time zone not null,
  constraint payment_guest_pkey primary key (merchant_guid, payment_uuid),
  constraint payment_guest_merchant_guid_payment_uuid_fkey foreign key (merchant_guid, payment_uuid) references payment(merchant_guid, payment_uuid)
);
create index payment_guest_by_created_at on payment_guest (created_at, merchant_guid, payment_uuid);

create table payment_transition (
  from_state text not null,
  cause text not null,
  to_state text not null,
  constraint payment_transition_pkey primary key (from_state, cause, to_state)
);

create table person (
  guid uuid not null,
  email text not null,
  name text not null,
  password_hash text,
  password_changed_at timestamp(3) with time zone,
  sealed_totp_secret bytea,
  totp_confirmed_at timestamp(3) with time zone,
  totp_last_step bigint,
  created_at timestamp(3) with time zone not null,
  deactivated_at timestamp(3) with time zone,
  constraint person_pkey primary key (guid),
  constraint person_email_key unique (email),
  constraint person_check check (((password_hash is null) = (password_changed_at is null))),
  constraint person_check1 check (((sealed_totp_secret is not null) or ((totp_confirmed_at is null) and (totp_last_step is null)))),
  constraint person_email_check check (((email = lower(email)) and ((length(email) >= 3) and (length(email) <= 254)))),
  constraint person_name_check check (((length(name) >= 1) and (length(name) <= 100)))
);
create index person_by_name on person (lower(name), guid);

create table person_invitation (
  digest bytea not null,
  person_guid uuid not null,
  created_at timestamp(3) with time zone not null,
  created_by text not null,
  expires_at timestamp(3) with time zone not null,
  chooses_email boolean not null default false,
  used_at timestamp(3) with time zone,
  constraint person_invitation_pkey primary key (digest),
  constraint person_invitation_digest_check check ((length(digest) = 32)),
  constraint person_invitation_person_guid_fkey foreign key (person_guid) references person(guid)
);
create index person_invitation_by_person on person_invitation (person_guid);

create table person_recovery_code (
  person_guid uuid not null,
  digest bytea not null,
  used_at timestamp(3) with time zone,
  constraint person_recovery_code_pkey primary key (person_guid, digest),
  constraint person_recovery_code_digest_check check ((length(digest) = 32)),
  constraint person_recovery_code_person_guid_fkey foreign key (person_guid) references person(guid)
);

create table person_role (
  person_guid uuid not null,
  guid uuid not null,
  role text not null,
  management_group_guid uuid,
  restaurant_guid uuid,
  partner_guid uuid,
  given_at timestamp(3) with time zone not null,
  given_by text not null,
  constraint person_role_pkey primary key (person_guid, guid),
  constraint person_role_person_guid_role_management_group_guid_restaura_key unique nulls not distinct (person_guid, role, management_group_guid, restaurant_guid, partner_guid),
  constraint person_role_check check ((num_nonnulls(management_group_guid, restaurant_guid, partner_guid) <= 1)),
  constraint person_role_check1 check (((role <> 'OPERATOR'::text) or (num_nonnulls(management_group_guid, restaurant_guid, partner_guid) = 0))),
  constraint person_role_check2 check (((role <> 'GROUP_ADMINISTRATOR'::text) or (management_group_guid is not null))),
  constraint person_role_check3 check (((role <> 'RESTAURANT_ADMINISTRATOR'::text) or (restaurant_guid is not null))),
  constraint person_role_check4 check (((role = 'PARTNER_DEVELOPER'::text) = (partner_guid is not null))),
  constraint person_role_role_check check ((role = any (array['OPERATOR'::text, 'GROUP_ADMINISTRATOR'::text, 'RESTAURANT_ADMINISTRATOR'::text, 'READ_ONLY'::text, 'PARTNER_DEVELOPER'::text]))),
  constraint person_role_management_group_guid_fkey foreign key (management_group_guid) references management_group(guid),
  constraint person_role_partner_guid_fkey foreign key (partner_guid) references partner(guid),
  constraint person_role_person_guid_fkey foreign key (person_guid) references person(guid),
  constraint person_role_restaurant_guid_fkey foreign key (restaurant_guid) references restaurant(guid)
);

create table person_session (
  digest bytea not null,
  guid uuid not null,
  person_guid uuid not null,
  created_at timestamp(3) with time zone not null,
  seen_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  address text not null,
  user_agent text,
  constraint person_session_pkey primary key (digest),
  constraint person_session_guid_key unique (guid),
  constraint person_session_digest_check check ((length(digest) = 32)),
  constraint person_session_person_guid_fkey foreign key (person_guid) references person(guid)
);
create index person_session_by_person on person_session (person_guid);

create table person_view (
  person_guid uuid not null,
  guid uuid not null,
  page text not null,
  name text not null,
  query text not null,
  saved_at timestamp(3) with time zone not null,
  constraint person_view_pkey primary key (person_guid, guid),
  constraint person_view_person_guid_page_name_key unique (person_guid, page, name),
  constraint person_view_name_check check (((length(name) >= 1) and (length(name) <= 100))),
  constraint person_view_page_check check (((length(page) >= 1) and (length(page) <= 100))),
  constraint person_view_query_check check ((length(query) <= 1000)),
  constraint person_view_person_guid_fkey foreign key (person_guid) references person(guid)
);

create table processor_ledger (
  id integer not null,
  ledger_id uuid not null,
  claimed_at timestamp(3) with time zone not null,
  constraint processor_ledger_pkey primary key (id),
  constraint processor_ledger_id_check check ((id = 1))
);

create table publication (
  restaurant_guid uuid not null,
  number integer not null,
  cause text not null,
  published_by text not null,
  published_at timestamp(3) with time zone not null,
  note text,
  rolled_back_to integer,
  group_publication_guid uuid,
  added integer not null,
  changed integer not null,
  removed integer not null,
  constraint publication_pkey primary key (restaurant_guid, number),
  constraint publication_added_check check ((added >= 0)),
  constraint publication_cause_check check ((cause = any (array['PUBLISHED'::text, 'APPLIED'::text, 'ROLLED_BACK'::text, 'IMPORTED'::text, 'BEGUN'::text]))),
  constraint publication_changed_check check ((changed >= 0)),
  constraint publication_check check (((cause = 'ROLLED_BACK'::text) = (rolled_back_to is not null))),
  constraint publication_check1 check ((rolled_back_to < number)),
  constraint publication_number_check check ((number > 0)),
  constraint publication_removed_check check ((removed >= 0)),
  constraint publication_restaurant_guid_fkey foreign key (restaurant_guid) references restaurant(guid)
);

create table publication_change (
  restaurant_guid uuid not null,
  number integer not null,
  collection text not null,
  guid uuid not null,
  before json,
  after json not null,
  constraint publication_change_pkey primary key (restaurant_guid, number, collection, guid),
  constraint publication_change_restaurant_guid_number_fkey foreign key (restaurant_guid, number) references publication(restaurant_guid, number)
);

create table published_change (
  restaurant_guid uuid not null,
  number integer not null,
  collection text not null,
  guid uuid not null,
  kind text not null,
  constraint published_change_pkey primary key (restaurant_guid, number, collection, guid),
  constraint published_change_kind_check check ((kind = any (array['CREATED'::text, 'CHANGED'::text, 'REMOVED'::text]))),
  constraint published_change_restaurant_guid_number_fkey foreign key (restaurant_guid, number) references publication(restaurant_guid, number)
);

create table published_menus (
  restaurant_guid uuid not null,
  last_updated timestamp(3) with time zone not null,
  content text,
  digest text,
  supplement json not null,
  constraint published_menus_pkey primary key (restaurant_guid),
  constraint published_menus_check check (((content is null) = (digest is null))),
  constraint published_menus_digest_check check ((length(digest) = 64)),
  constraint published_menus_restaurant_guid_fkey foreign key (restaurant_guid) references restaurant(guid)
);

create table rate_budget (
  key text not null,
  second_index bigint not null,
  second_used bigint not null,
  held bigint not null,
  quarter_hour_used bigint not null,
  granted_share bigint not null,
  granted_block bigint not null,
  constraint rate_budget_pkey primary key (key)
);

create table request_log (
  request_id uuid not null,
  logged_at timestamp(3) with time zone not null,
  at timestamp(3) with time zone not null,
  real_at timestamp(3) with time zone not null,
  operation text,
  method text not null,
  path text not null,
  status integer not null,
  duration_ms double precision not null,
  client_id text,
  person_guid uuid,
  partner_guid uuid,
  management_group_guid uuid,
  restaurant_guid uuid,
  remote_address text not null,
  refusal json,
  query json not null,
  request_headers json not null,
  request_body text,
  answer_headers json not null,
  answer_body text,
  facts json,
  fault text,
  size_bytes integer not null,
  constraint request_log_pkey primary key (request_id)
);
create index request_log_by_client on request_log (client_id, real_at, request_id) where (client_id is not null);
create index request_log_by_logged_at on request_log (logged_at, request_id) include (size_bytes);
create index request_log_by_person on request_log (person_guid, real_at, request_id) where (person_guid is not null);
create index request_log_by_real_at on request_log (real_at, request_id);
create index request_log_by_restaurant on request_log (restaurant_guid, real_at, request_id) where (restaurant_guid is not null);

create table restaurant (
  guid uuid not null,
  management_group_guid uuid not null,
  name text not null,
  location_name text,
  location_code text,
  description text,
  time_zone text not null,
  closeout_hour integer not null,
  currency_code text not null,
  first_business_date integer,
  archived boolean not null,
  urls json not null,
  location json not null,
  schedules json not null,
  delivery json not null,
  online_ordering json not null,
  prep_times json not null,
  order_approval text not null default 'auto'::text,
  publish_number integer not null,
  version integer not null default 1,
  created_at timestamp(3) with time zone not null,
  modified_at timestamp(3) with time zone not null,
  search_text text not null generated always as (lower((((("left"(name, 100) || '
'::text) || "left"(coalesce(location_name, ''::text), 100)) || '
'::text) || "left"(coalesce(location_code, ''::text), 100)))) stored,
  constraint restaurant_pkey primary key (guid),
  constraint restaurant_closeout_hour_check check (((closeout_hour >= 0) and (closeout_hour <= 12))),
  constraint restaurant_order_approval_check check ((order_approval = any (array['auto'::text, 'manual'::text]))),
  constraint restaurant_version_check check ((version > 0)),
  constraint restaurant_management_group_guid_fkey foreign key (management_group_guid) references management_group(guid)
);
create index restaurant_by_group on restaurant (management_group_guid, guid);
create index restaurant_by_name on restaurant ("left"(name, 60), guid) include (name, search_text, archived, management_group_guid);

create table restaurant_order (
  restaurant_guid uuid not null,
  guid uuid not null,
  owner_guid uuid not null,
  client_id text not null,
  external_id text,
  request_digest bytea not null,
  business_date integer not null,
  display_number text not null,
  opened_at timestamp(3) with time zone not null,
  promised_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  modified_at timestamp(3) with time zone not null,
  approval_status text not null,
  guest_status text not null,
  fulfilled_at timestamp(3) with time zone,
  voided_at timestamp(3) with time zone,
  fire_at timestamp(3) with time zone not null,
  due_at timestamp(3) with time zone,
  check_guids uuid[] not null,
  payment_statuses text[] not null,
  version integer not null,
  content json not null,
  constraint restaurant_order_pkey primary key (restaurant_guid, guid),
  constraint restaurant_order_approval_status_check check ((approval_status = any (array['NEEDS_APPROVAL'::text, 'APPROVED'::text, 'FUTURE'::text, 'NOT_APPROVED'::text]))),
  constraint restaurant_order_check check (((guest_status = 'VOIDED'::text) = (voided_at is not null))),
  constraint restaurant_order_check1 check (((voided_at is null) or (due_at is null))),
  constraint restaurant_order_guest_status_check check ((guest_status = any (array['RECEIVED'::text, 'IN_PREPARATION'::text, 'READY_FOR_PICKUP'::text, 'CLOSED'::text, 'VOIDED'::text]))),
  constraint restaurant_order_payment_statuses_check check ((payment_statuses <@ array['OPEN'::text, 'PAID'::text, 'CLOSED'::text])),
  constraint restaurant_order_request_digest_check check ((length(request_digest) = 32)),
  constraint restaurant_order_version_check check ((version >= 1)),
  constraint restaurant_order_client_id_fkey foreign key (client_id) references api_client(client_id),
  constraint restaurant_order_restaurant_guid_fkey foreign key (restaurant_guid) references restaurant(guid)
);
create index restaurant_order_by_business_date on restaurant_order (restaurant_guid, business_date, opened_at, guid);
create index restaurant_order_by_check on restaurant_order using gin (check_guids);
create index restaurant_order_by_created_at on restaurant_order (restaurant_guid, created_at, guid);
create index restaurant_order_by_due_at on restaurant_order (due_at, restaurant_guid, guid) where (due_at is not null);
create unique index restaurant_order_by_guid on restaurant_order (guid);
create index restaurant_order_by_modified_at on restaurant_order (restaurant_guid, modified_at, guid);
create index restaurant_order_due_of_restaurant on restaurant_order (restaurant_guid, due_at) where (due_at is not null);
create index restaurant_order_unusual on restaurant_order (restaurant_guid, created_at, guid) where ((guest_status <> 'CLOSED'::text) or (approval_status <> 'APPROVED'::text) or (payment_statuses <> array['CLOSED'::text]));

create table revoked_token (
  client_id text not null,
  jti uuid not null,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone not null,
  constraint revoked_token_pkey primary key (client_id, jti),
  constraint revoked_token_client_id_fkey foreign key (client_id) references api_client(client_id)
);

create table sandbox (
  name text not null,
  database_name text,
  making_until timestamp with time zone,
  made_from json not null,
  profile text not null,
  created_at timestamp(3) with time zone not null,
  created_by text not null,
  expires_at timestamp(3) with time zone not null,
  used_at timestamp(3) with time zone,
  clock_mode text not null default 'RUNNING'::text,
  clock_ms bigint not null default 0,
  wake_at timestamp with time zone,
  constraint sandbox_pkey primary key (name),
  constraint sandbox_database_name_key unique (database_name),
  constraint sandbox_check check (((database_name is null) = (making_until is not null))),
  constraint sandbox_clock_mode_check check ((clock_mode = any (array['RUNNING'::text, 'FROZEN'::text]))),
  constraint sandbox_name_check check (((name ~ '^[a-z][a-z0-9-]{0,39}$'::text) and (name <> 'main'::text))),
  constraint sandbox_database_name_fkey foreign key (database_name) references sandbox_database(name)
);
create index sandbox_expiry on sandbox (expires_at);
create index sandbox_wake on sandbox (wake_at) where (wake_at is not null);

create table sandbox_database (
  name text not null,
  ledger_id uuid not null,
  making_until timestamp with time zone,
  constraint sandbox_database_pkey primary key (name),
  constraint sandbox_database_ledger_id_key unique (ledger_id),
  constraint sandbox_database_name_check check ((name ~ '^servery_[0-9a-f]{8}_[0-9a-f]{16}$'::text))
);

create table sandbox_expired (
  name text not null,
  expired_at timestamp(3) with time zone not null,
  constraint sandbox_expired_pkey primary key (name)
);

create table sandbox_snapshot (
  sandbox_name text not null,
  name text not null,
  database_name text not null,
  created_at timestamp(3) with time zone not null,
  created_by text not null,
  constraint sandbox_snapshot_pkey primary key (sandbox_name, name),
  constraint sandbox_snapshot_database_name_key unique (database_name),
  constraint sandbox_snapshot_name_check check ((name ~ '^[a-z][a-z0-9-]{0,39}$'::text)),
  constraint sandbox_snapshot_database_name_fkey foreign key (database_name) references sandbox_database(name),
  constraint sandbox_snapshot_sandbox_name_fkey foreign key (sandbox_name) references sandbox(name) on delete cascade
);

create table sandbox_template (
  profile text not null,
  fingerprint text not null,
  database_name text not null,
  constraint sandbox_template_pkey primary key (profile),
  constraint sandbox_template_database_name_key unique (database_name),
  constraint sandbox_template_database_name_fkey foreign key (database_name) references sandbox_database(name)
);

create table server_process (
  process_id uuid not null,
  group_id uuid not null,
  public_url text,
  started_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  database_started_at timestamp with time zone,
  trial bytea,
  constraint server_process_pkey primary key (process_id)
);

create table signing_key (
  generation integer not null,
  kid text not null,
  public_jwk json not null,
  sealed_private_key bytea not null,
  created_at timestamp with time zone not null,
  active_from timestamp with time zone not null,
  signed_until timestamp with time zone not null,
  constraint signing_key_pkey primary key (generation),
  constraint signing_key_kid_key unique (kid),
  constraint signing_key_generation_check check ((generation > 0))
);

create table stock (
  restaurant_guid uuid not null,
  collection text not null default 'menuItems'::text,
  item_guid uuid not null,
  status text not null,
  quantity numeric(16,4),
  until timestamp(3) with time zone,
  modified_at timestamp(3) with time zone not null,
  constraint stock_pkey primary key (restaurant_guid, item_guid),
  constraint stock_check check (((status = 'QUANTITY'::text) = (quantity is not null))),
  constraint stock_check1 check (((until is null) or (status = 'OUT_OF_STOCK'::text))),
  constraint stock_collection_check check ((collection = 'menuItems'::text)),
  constraint stock_quantity_check check ((quantity > (0)::numeric)),
  constraint stock_status_check check ((status = any (array['QUANTITY'::text, 'OUT_OF_STOCK'::text]))),
  constraint stock_restaurant_guid_collection_item_guid_fkey foreign key (restaurant_guid, collection, item_guid) references configuration_object(restaurant_guid, collection, guid)
);
create index stock_by_restaurant_until on stock (restaurant_guid, until) where (until is not null);
create index stock_by_until on stock (until) where (until is not null);

create table stock_change (
  restaurant_guid uuid not null,
  item_guid uuid not null,
  version integer not null,
  guid uuid not null,
  cause text not null,
  status_before text not null,
  quantity_before numeric(16,4),
  until_before timestamp(3) with time zone,
  status_after text not null,
  quantity_after numeric(16,4),
  until_after timestamp(3) with time zone,
  changed_by text not null,
  request_id uuid,
  changed_at timestamp(3) with time zone not null,
  undoes uuid,
  order_guid uuid,
  constraint stock_change_pkey primary key (restaurant_guid, item_guid, version),
  constraint stock_change_cause_check check ((cause = any (array['SET'::text, 'UNDO'::text, 'RESTORED'::text, 'IMPORT'::text, 'ORDER'::text, 'ORDER_VOID'::text]))),
  constraint stock_change_check check (((status_before = 'QUANTITY'::text) = (quantity_before is not null))),
  constraint stock_change_check1 check (((status_after = 'QUANTITY'::text) = (quantity_after is not null))),
  constraint stock_change_check2 check (((until_before is null) or (status_before = 'OUT_OF_STOCK'::text))),
  constraint stock_change_check3 check (((until_after is null) or (status_after = 'OUT_OF_STOCK'::text))),
  constraint stock_change_check4 check (((cause = 'UNDO'::text) = (undoes is not null))),
  constraint stock_change_check5 check (((cause = any (array['ORDER'::text, 'ORDER_VOID'::text])) = (order_guid is not null))),
  constraint stock_change_status_after_check check ((status_after = any (array['IN_STOCK'::text, 'QUANTITY'::text, 'OUT_OF_STOCK'::text]))),
  constraint stock_change_status_before_check check ((status_before = any (array['IN_STOCK'::text, 'QUANTITY'::text, 'OUT_OF_STOCK'::text]))),
  constraint stock_change_version_check check ((version >= 1))
);
create index stock_change_by_age on stock_change (changed_at);
create index stock_change_by_changed_at on stock_change (restaurant_guid, changed_at, guid);
create unique index stock_change_by_guid on stock_change (restaurant_guid, guid);
create unique index stock_change_by_undoes on stock_change (restaurant_guid, undoes) where (undoes is not null);
create index stock_change_ran_out on stock_change (restaurant_guid, changed_at) where ((status_after = 'OUT_OF_STOCK'::text) and (status_before <> 'OUT_OF_STOCK'::text));

create table velocity_count (
  key_digest bytea not null,
  window_index bigint not null,
  used integer not null,
  used_before integer not null,
  expires_at timestamp(3) with time zone not null,
  constraint velocity_count_pkey primary key (key_digest),
  constraint velocity_count_key_digest_check check ((length(key_digest) = 32))
);
create index velocity_count_by_expires_at on velocity_count (expires_at);

create table velocity_verdict (
  merchant_guid uuid not null,
  payment_uuid uuid not null,
  passed integer not null,
  expires_at timestamp(3) with time zone not null,
  constraint velocity_verdict_pkey primary key (merchant_guid, payment_uuid)
);
create index velocity_verdict_by_expires_at on velocity_verdict (expires_at);

create table webhook_attempt (
  partner_guid uuid not null,
  endpoint_guid uuid not null,
  place bigint not null,
  extra bigint not null,
  number integer not null,
  at timestamp(3) with time zone not null,
  sent_at timestamp(3) with time zone not null,
  is_probe boolean not null,
  url text not null,
  status integer,
  answer text,
  is_answer_cut boolean not null,
  duration_ms integer not null,
  outcome text not null,
  explanation text,
  next_at timestamp(3) with time zone,
  fault text,
  constraint webhook_attempt_pkey primary key (partner_guid, endpoint_guid, place, extra, number),
  constraint webhook_attempt_check check (((outcome = 'DELIVERED'::text) = (explanation is null))),
  constraint webhook_attempt_check1 check (((outcome = any (array['DELIVERED'::text, 'STATUS'::text, 'REDIRECT'::text])) = (status is not null))),
  constraint webhook_attempt_duration_ms_check check ((duration_ms >= 0)),
  constraint webhook_attempt_number_check check ((number > 0)),
  constraint webhook_attempt_outcome_check check ((outcome = any (array['DELIVERED'::text, 'STATUS'::text, 'REDIRECT'::text, 'CONNECT_TIMEOUT'::text, 'ANSWER_TIMEOUT'::text, 'REFUSED'::text, 'RESET'::text, 'UNREACHABLE'::text, 'TLS'::text, 'NOT_HTTP'::text, 'BLOCKED_TARGET'::text]))),
  constraint webhook_attempt_status_check check (((status >= 100) and (status <= 999)))
);
create index webhook_attempt_by_at on webhook_attempt (partner_guid, endpoint_guid, at) include (outcome);

create table webhook_delivery (
  partner_guid uuid not null,
  endpoint_guid uuid not null,
  place bigint not null,
  extra bigint not null,
  guid uuid not null,
  event_type text not null,
  state text not null,
  queued_at timestamp(3) with time zone not null,
  due_at timestamp(3) with time zone not null,
  attempts integer not null,
  tries integer not null,
  early integer not null default 0,
  lease_holder uuid,
  lease_expires_at timestamp(3) with time zone,
  finished_at timestamp(3) with time zone,
  dropped_by text,
  drop_reason text,
  replayed_by bigint,
  fault text,
  constraint webhook_delivery_pkey primary key (partner_guid, endpoint_guid, place, extra),
  constraint webhook_delivery_guid_key unique (guid),
  constraint webhook_delivery_attempts_check check ((attempts >= 0)),
  constraint webhook_delivery_check check (((tries >= 0) and (tries <= attempts))),
  constraint webhook_delivery_check1 check (((early >= 0) and (early <= attempts))),
  constraint webhook_delivery_check2 check (((place > 0) or (extra > 0))),
  constraint webhook_delivery_check3 check (((state = 'QUEUED'::text) = (finished_at is null))),
  constraint webhook_delivery_check4 check (((lease_holder is null) = (lease_expires_at is null))),
  constraint webhook_delivery_check5 check (((lease_holder is null) or (state = 'QUEUED'::text))),
  constraint webhook_delivery_check6 check (((state = 'DROPPED'::text) = (dropped_by is not null))),
  constraint webhook_delivery_drop_reason_check check (((length(drop_reason) >= 1) and (length(drop_reason) <= 500))),
  constraint webhook_delivery_extra_check check ((extra >= 0)),
  constraint webhook_delivery_place_check check ((place >= 0)),
  constraint webhook_delivery_state_check check ((state = any (array['QUEUED'::text, 'DELIVERED'::text, 'DEAD'::text, 'DROPPED'::text]))),
  constraint webhook_delivery_partner_guid_endpoint_guid_fkey foreign key (partner_guid, endpoint_guid) references webhook_endpoint(partner_guid, guid)
);
create index webhook_delivery_by_event_type on webhook_delivery (event_type, guid);
create index webhook_delivery_by_finish on webhook_delivery using brin (finished_at) with (pages_per_range='16');
create index webhook_delivery_by_partner on webhook_delivery (partner_guid, guid);
create index webhook_delivery_by_queue on webhook_delivery using brin (queued_at) with (pages_per_range='16');
create index webhook_delivery_dead on webhook_delivery (partner_guid, endpoint_guid, place, extra) where (state = 'DEAD'::text);
create index webhook_delivery_dead_by_guid on webhook_delivery (guid) where (state = 'DEAD'::text);
create index webhook_delivery_due on webhook_delivery (partner_guid, endpoint_guid, due_at, place, extra) where (state = 'QUEUED'::text);
create index webhook_delivery_queued on webhook_delivery (partner_guid, endpoint_guid, place, extra) include (queued_at) where (state = 'QUEUED'::text);
create index webhook_delivery_queued_by_guid on webhook_delivery (guid) where (state = 'QUEUED'::text);

create table webhook_endpoint (
  partner_guid uuid not null,
  guid uuid not null,
  client_id text not null,
  url text not null,
  description text,
  event_types text[],
  connect_timeout_ms integer not null,
  answer_timeout_ms integer not null,
  retry_delays_s integer[] not null,
  is_ordered boolean not null,
  state text not null,
  state_reason text,
  state_detail text,
  state_since timestamp(3) with time zone not null,
  state_by text not null,
  failures integer not null,
  failing_since timestamp(3) with time zone,
  probes integer not null,
  probe_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  created_by text not null,
  modified_at timestamp(3) with time zone not null,
  archived_at timestamp(3) with time zone,
  archived_by text,
  constraint webhook_endpoint_pkey primary key (partner_guid, guid),
  constraint webhook_endpoint_guid_key unique (guid),
  constraint webhook_endpoint_answer_timeout_ms_check check (((answer_timeout_ms >= 100) and (answer_timeout_ms <= 30000))),
  constraint webhook_endpoint_check check (((state = 'ACTIVE'::text) = (state_reason is null))),
  constraint webhook_endpoint_check1 check ((((state = 'PAUSED'::text) and (state_reason <> 'PERSON'::text)) = (probe_at is not null))),
  constraint webhook_endpoint_check2 check (((archived_at is null) = (archived_by is null))),
  constraint webhook_endpoint_connect_timeout_ms_check check (((connect_timeout_ms >= 100) and (connect_timeout_ms <= 10000))),
  constraint webhook_endpoint_description_check check (((length(description) >= 1) and (length(description) <= 1000))),
  constraint webhook_endpoint_event_types_check check (((cardinality(event_types) > 0) and (event_types <@ array['partner_added'::text, 'partner_updated'::text, 'partner_removed'::text, 'menus_updated'::text, 'order_updated'::text, 'channel_order_updated'::text, 'guestOrderStatusUpdated'::text, 'in_stock'::text, 'low_quantity'::text, 'out_of_stock'::text, 'payment_updated'::text]))),
  constraint webhook_endpoint_failures_check check ((failures >= 0)),
  constraint webhook_endpoint_probes_check check ((probes >= 0)),
  constraint webhook_endpoint_retry_delays_s_check check (((cardinality(retry_delays_s) <= 20) and (1 <= all (retry_delays_s)) and (86400 >= all (retry_delays_s)))),
  constraint webhook_endpoint_state_check check ((state = any (array['ACTIVE'::text, 'PAUSED'::text, 'DISABLED'::text]))),
  constraint webhook_endpoint_state_detail_check check (((length(state_detail) >= 1) and (length(state_detail) <= 1000))),
  constraint webhook_endpoint_state_reason_check check ((state_reason = any (array['FAILURES'::text, 'GONE'::text, 'BLOCKED'::text, 'SECRET'::text, 'PERSON'::text]))),
  constraint webhook_endpoint_url_check check (((length(url) >= 1) and (length(url) <= 4000))),
  constraint webhook_endpoint_client_id_fkey foreign key (client_id) references api_client(client_id),
  constraint webhook_endpoint_partner_guid_fkey foreign key (partner_guid) references partner(guid)
);
create index webhook_endpoint_by_client on webhook_endpoint (client_id);
create index webhook_endpoint_by_created_at on webhook_endpoint (created_at, guid);
create index webhook_endpoint_by_probe on webhook_endpoint (probe_at) where (probe_at is not null);

create table webhook_extra (
  partner_guid uuid not null,
  number bigint not null,
  kind text not null,
  request_guid uuid not null,
  at timestamp(3) with time zone not null,
  place bigint not null,
  position bigint,
  guid uuid,
  type text,
  body text,
  constraint webhook_extra_pkey primary key (partner_guid, number),
  constraint webhook_extra_guid_key unique (guid),
  constraint webhook_extra_check check (((kind = 'REPLAY'::text) = ("position" is not null))),
  constraint webhook_extra_check1 check (((kind = 'TEST'::text) = ((guid is not null) and (type is not null) and (body is not null)))),
  constraint webhook_extra_kind_check check ((kind = any (array['REPLAY'::text, 'TEST'::text]))),
  constraint webhook_extra_number_check check ((number > 0)),
  constraint webhook_extra_place_check check ((place >= 0)),
  constraint webhook_extra_type_check check ((type = any (array['partner_added'::text, 'partner_updated'::text, 'partner_removed'::text, 'menus_updated'::text, 'order_updated'::text, 'channel_order_updated'::text, 'guestOrderStatusUpdated'::text, 'in_stock'::text, 'low_quantity'::text, 'out_of_stock'::text, 'payment_updated'::text]))),
  constraint webhook_extra_partner_guid_fkey foreign key (partner_guid) references partner(guid),
  constraint webhook_extra_partner_guid_position_fkey foreign key (partner_guid, "position") references partner_event(partner_guid, "position")
);
create index webhook_extra_by_at on webhook_extra (at, partner_guid, number);
create index webhook_extra_by_event on webhook_extra (partner_guid, "position") where ("position" is not null);
create index webhook_extra_by_request on webhook_extra (partner_guid, request_guid);

create table webhook_extra_position (
  partner_guid uuid not null,
  number bigint not null,
  constraint webhook_extra_position_pkey primary key (partner_guid),
  constraint webhook_extra_position_number_check check ((number > 0)),
  constraint webhook_extra_position_partner_guid_fkey foreign key (partner_guid) references partner(guid)
);

create table webhook_secret (
  partner_guid uuid not null,
  endpoint_guid uuid not null,
  guid uuid not null,
  sealed bytea not null,
  label text,
  created_at timestamp(3) with time zone not null,
  created_by text not null,
  expires_at timestamp(3) with time zone,
  revoked_at timestamp(3) with time zone,
  revoked_by text,
  constraint webhook_secret_pkey primary key (partner_guid, endpoint_guid, guid),
  constraint webhook_secret_label_check check (((length(label) >= 1) and (length(label) <= 100))),
  constraint webhook_secret_partner_guid_endpoint_guid_fkey foreign key (partner_guid, endpoint_guid) references webhook_endpoint(partner_guid, guid)
);
