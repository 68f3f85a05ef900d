-- Management groups and restaurants can be edited by several people: each change raises a version,
-- so that nobody overwrites what he has not read.

alter table management_group
  add column archived boolean not null default false,
  add column version integer not null default 1 check (version > 0),
  -- Null until the first change.
  add column modified_at timestamptz(3);

alter table restaurant
  add column version integer not null default 1 check (version > 0);
