-- Webhooks: where partners are told of their events, what waits for them there, and each attempt.

-- The body of an event is written once, in the transaction of the change: every attempt, replay and
-- log sends these bytes, whatever version of the program does it.
alter table partner_event
  alter column payload type text using (
    '{"timestamp":"' || to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    || '","eventCategory":"partner","eventType":"' || type || '","guid":"' || guid::text
    || '","details":' || payload::text || '}');
alter table partner_event rename column payload to body;
create index partner_event_by_at on partner_event (at, partner_guid, position);

-- A place where one account of a partner is told of events.
create table webhook_endpoint (
  partner_guid uuid not null references partner (guid),
  guid uuid not null unique,
  -- The PARTNER account that it belongs to: a revoked account is told nothing.
  client_id text not null references api_client (client_id),
  url text not null check (length(url) between 1 and 4000),
  description text check (length(description) between 1 and 1000),
  -- Null for all types.
  event_types text[] check (
    cardinality(event_types) > 0
    and event_types <@ array['partner_added', 'partner_removed', 'partner_updated']),
  connect_timeout_ms integer not null check (connect_timeout_ms between 100 and 10000),
  answer_timeout_ms integer not null check (answer_timeout_ms between 100 and 30000),
  -- How long after each attempt the next one comes; then a delivery is a dead letter.
  retry_delays_s integer[] not null check (
    cardinality(retry_delays_s) <= 20
    and 1 <= all (retry_delays_s) and 86400 >= all (retry_delays_s)),
  -- True when each delivery waits until the one before it is over.
  is_ordered boolean not null,
  -- PAUSED: events are queued and wait. DISABLED: a person wants none to be queued any more.
  state text not null check (state in ('ACTIVE', 'PAUSED', 'DISABLED')),
  state_reason text check (state_reason in ('FAILURES', 'GONE', 'BLOCKED', 'SECRET', 'PERSON')),
  -- In words: what was answered last, or what the person said.
  state_detail text check (length(state_detail) between 1 and 1000),
  state_since timestamptz(3) not null,
  state_by text not null,
  -- Attempts in a row that failed, since when, and how often it was probed since it was paused.
  failures integer not null check (failures >= 0),
  failing_since timestamptz(3),
  probes integer not null check (probes >= 0),
  -- When a paused endpoint is tried again with one delivery; null for one that a person paused.
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

-- What deliveries are signed with. At most two live at once; the application sees to it while it
-- holds the endpoint.
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

-- What a partner is told beside the log of events: events again, and test events. Numbered like
-- events, so that a stream of them can be resumed.
create table webhook_extra_position (
  partner_guid uuid primary key references partner (guid),
  number bigint not null check (number > 0)
);
create table webhook_extra (
  partner_guid uuid not null references partner (guid),
  number bigint not null check (number > 0),
  kind text not null check (kind in ('REPLAY', 'TEST')),
  -- What was asked for at once has one guid.
  request_guid uuid not null,
  at timestamptz(3) not null,
  -- The newest position then: it comes behind all that waited.
  place bigint not null check (place >= 0),
  -- Which event is told again. It is kept as long as this row is.
  position bigint,
  -- A test event, which is not in the log.
  guid uuid unique,
  type text check (type in ('partner_added', 'partner_removed', 'partner_updated')),
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

-- One event on its way to one endpoint. `place` is the position of the event and `extra` is 0; of a
-- replay or test event `extra` is its number, and `place` the newest position when it was asked for,
-- so that it comes behind all that waited then.
create table webhook_delivery (
  partner_guid uuid not null,
  endpoint_guid uuid not null,
  place bigint not null check (place >= 0),
  extra bigint not null check (extra >= 0),
  guid uuid not null unique,
  state text not null check (state in ('QUEUED', 'DELIVERED', 'DEAD', 'DROPPED')),
  queued_at timestamptz(3) not null,
  -- By the clock of the environment.
  due_at timestamptz(3) not null,
  -- Attempts that were written down; how many of them the schedule of retries counts, and how many
  -- came sooner because they were asked for. Both begin anew when a pause ends.
  attempts integer not null check (attempts >= 0),
  tries integer not null check (tries between 0 and attempts),
  early integer not null default 0 check (early between 0 and attempts),
  -- Who works on it, and until when in real time.
  lease_holder uuid,
  lease_expires_at timestamptz(3),
  finished_at timestamptz(3),
  -- Who dropped it, and why.
  dropped_by text,
  drop_reason text check (length(drop_reason) between 1 and 500),
  -- The number of the replay that came of a dead letter.
  replayed_by bigint,
  primary key (partner_guid, endpoint_guid, place, extra),
  foreign key (partner_guid, endpoint_guid) references webhook_endpoint (partner_guid, guid),
  check (place > 0 or extra > 0),
  check ((state = 'QUEUED') = (finished_at is null)),
  check ((lease_holder is null) = (lease_expires_at is null)),
  check (lease_holder is null or state = 'QUEUED'),
  check ((state = 'DROPPED') = (dropped_by is not null))
) with (
  fillfactor = 70,
  -- Each delivery is updated twice, and what waits is read from the oldest on: dead rows are removed
  -- before they are many.
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_cost_delay = 0
);
-- What waits, in the order in which it is due, and in the order of its endpoint.
create index webhook_delivery_due on webhook_delivery (partner_guid, endpoint_guid, due_at, place,
  extra) where state = 'QUEUED';
create index webhook_delivery_queued on webhook_delivery (partner_guid, endpoint_guid, place, extra)
  include (queued_at) where state = 'QUEUED';
create index webhook_delivery_dead on webhook_delivery (partner_guid, endpoint_guid, place, extra)
  where state = 'DEAD';
-- What the back office lists of a partner, and what waits and the dead letters of all, the newest
-- first; and what was queued since an instant.
create index webhook_delivery_by_partner on webhook_delivery (partner_guid, guid);
create index webhook_delivery_queued_by_guid on webhook_delivery (guid) where state = 'QUEUED';
create index webhook_delivery_dead_by_guid on webhook_delivery (guid) where state = 'DEAD';
create index webhook_delivery_by_queue on webhook_delivery using brin (queued_at)
  with (pages_per_range = 16);
-- What is over is over in about the order in which it was queued.
create index webhook_delivery_by_finish on webhook_delivery using brin (finished_at)
  with (pages_per_range = 16);

-- Every attempt of which the outcome was written down, in one statement with its delivery; deleted
-- with it likewise. A foreign key would look the delivery up again, and lock it, for every attempt.
create table webhook_attempt (
  partner_guid uuid not null,
  endpoint_guid uuid not null,
  place bigint not null,
  extra bigint not null,
  -- From 1; what the header said.
  number integer not null check (number > 0),
  at timestamptz(3) not null,
  -- True when it was to find out whether a paused endpoint answers again.
  is_probe boolean not null,
  url text not null,
  -- As sent, with signatures masked.
  request_headers json not null,
  -- Null when there was no answer.
  status integer check (status between 100 and 999),
  -- The first 64 KiB of the answer; the first 4,096 characters where it was taken.
  answer text,
  is_answer_cut boolean not null,
  duration_ms integer not null check (duration_ms >= 0),
  outcome text not null check (outcome in ('DELIVERED', 'STATUS', 'REDIRECT', 'CONNECT_TIMEOUT',
    'ANSWER_TIMEOUT', 'REFUSED', 'RESET', 'UNREACHABLE', 'TLS', 'NOT_HTTP', 'BLOCKED_TARGET')),
  -- What went wrong, in words; null when it was taken.
  explanation text,
  -- When the next one comes; null when none does, or when the endpoint is paused.
  next_at timestamptz(3),
  primary key (partner_guid, endpoint_guid, place, extra, number),
  check ((outcome = 'DELIVERED') = (explanation is null)),
  check ((outcome in ('DELIVERED', 'STATUS', 'REDIRECT')) = (status is not null))
);
-- How an endpoint fared of late, without reading what was sent and answered.
create index webhook_attempt_by_at on webhook_attempt (partner_guid, endpoint_guid, at)
  include (outcome);

-- Checking the foreign key of a replay locks the event, for which the right to update one column is
-- needed. The body of an event stays as it is.
grant update (partner_guid) on partner_event to current_user;

-- Back office accounts may look after webhooks too.
alter table api_client
  drop constraint api_client_back_office_scopes_check,
  add constraint api_client_back_office_scopes_check check (
    type <> 'BACK_OFFICE' or scopes <@ array[
      'payments.lifecycle:read', 'payments.lifecycle:write', 'clock:read', 'clock:write',
      'card_keys:read', 'card_keys:write', 'metrics:read', 'people:read', 'people:write',
      'restaurants.admin:read', 'restaurants.admin:write', 'configuration:read',
      'configuration:write', 'configuration:publish', 'stock.admin:read', 'stock.admin:write',
      'clients:read', 'clients:write', 'connections:read', 'connections:write', 'requests:read',
      'audit:read', 'webhooks:read', 'webhooks:write'
    ]
  );
