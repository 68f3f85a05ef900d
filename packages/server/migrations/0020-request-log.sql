-- The last requests, for whoever asks why one was refused. What is here has passed the redaction of
-- src/requests/redact.ts: no secret, card number or data of a guest. Rows are never changed, and go
-- after a time and beyond a size.

create table request_log (
  request_id uuid primary key,
  -- When it was written, in real time: what streams go by.
  logged_at timestamptz(3) not null,
  -- When it came, by the clock of the environment and really.
  at timestamptz(3) not null,
  real_at timestamptz(3) not null,
  -- Null when no operation has the method and path.
  operation text,
  method text not null,
  path text not null,
  status integer not null,
  duration_ms float8 not null,
  -- Null when nobody was recognized; of a login that failed, whoever it says to be.
  client_id text,
  person_guid uuid,
  -- Whose the client is: who reaches there may read the row, as may who reaches the restaurant.
  partner_guid uuid,
  management_group_guid uuid,
  -- The one that the request names, whether or not there is one and it was reached.
  restaurant_guid uuid,
  remote_address text not null,
  -- Which check refused it, and why; null when none did.
  refusal json,
  query json not null,
  request_headers json not null,
  request_body text,
  answer_headers json not null,
  answer_body text,
  -- About how much room the row takes.
  size_bytes integer not null
);
create index request_log_by_real_at on request_log (real_at, request_id);
create index request_log_by_logged_at on request_log (logged_at, request_id) include (size_bytes);
create index request_log_by_client on request_log (client_id, real_at, request_id)
  where client_id is not null;
create index request_log_by_restaurant on request_log (restaurant_guid, real_at, request_id)
  where restaurant_guid is not null;
