-- The server processes that are alive on this database: with more than one, budgets are shared.
create table server_process (
  process_id uuid primary key,
  started_at timestamptz not null,
  seen_at timestamptz not null
);

-- Requests counted per key in the present windows. It is unlogged because a crash may forget it:
-- the longest window is a quarter of an hour.
create unlogged table rate_count (
  key text primary key,
  second_index bigint not null,
  second_used integer not null,
  quarter_hour_index bigint not null,
  quarter_hour_used integer not null
);
