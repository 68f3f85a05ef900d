-- Every change through any door: who changed what, and how it was before and after. Entries are only
-- ever added. Each is written by the transaction of its change, without a lock that all would wait
-- for; a second later the sealer links it to a chain of hashes. docs/decisions/0016 says what this
-- holds and what it does not.

create table audit_entry (
  guid uuid primary key,
  -- By the clock of the environment, and by the real one, which nobody moves.
  at timestamptz(3) not null,
  real_at timestamptz(3) not null,
  -- The id of an account, `person:` and a GUID, or `system:` and a name.
  actor text not null,
  request_id uuid,
  -- The operation of the contract, or the command, that made the change.
  operation text not null,
  subject_kind text not null,
  subject_id text not null,
  -- Where the subject belongs: who reaches there may read the entry.
  management_group_guid uuid,
  restaurant_guid uuid,
  partner_guid uuid,
  -- Null for what was not there.
  before json,
  after json,
  -- Proves that the platform wrote the entry: a digest under the master key, which is not here.
  mac bytea not null,
  -- Of all that the entry says, each part behind its length, so that no two entries read the same.
  -- All functions are immutable and write the same in every version of PostgreSQL; src/audit/chain.ts
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
create index audit_entry_by_subject on audit_entry (subject_kind, subject_id, at, guid);
create index audit_entry_by_request on audit_entry (request_id) where request_id is not null;

-- Entries that are not in the chain yet, whenever their transaction came to its end: an entry that is
-- committed after younger ones is found here like any other.
create table audit_unsealed (
  entry_guid uuid primary key references audit_entry
);

-- The chain. A link refers to what the entry says and to the link before it, so that neither can be
-- changed or removed while the link is there.
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
  -- Proves that the platform sealed the entry at this place.
  mac bytea not null,
  constraint audit_link_hash_key unique (position, hash),
  constraint audit_link_entry_fkey
    foreign key (entry_guid, entry_digest) references audit_entry (guid, digest),
  constraint audit_link_chain_fkey
    foreign key (previous_position, previous_hash) references audit_link (position, hash)
);

-- Where the chain ends: what the sealers of all processes compare and set.
create table audit_head (
  only_row boolean primary key check (only_row),
  position bigint not null check (position >= 0),
  hash bytea check ((position = 0) = (hash is null)),
  -- Proves that the chain ended here: one that was cut off has a head from before.
  mac bytea check ((position = 0) = (mac is null)),
  constraint audit_head_link_fkey
    foreign key (position, hash) references audit_link (position, hash)
);
insert into audit_head (only_row, position) values (true, 0);

-- The role of the program, unless it is a superuser, only adds. A foreign key locks the row that it
-- refers to, which takes the right to update some column of it: these are in the keys.
revoke update, delete, truncate on audit_entry, audit_link from current_user;
grant update (guid) on audit_entry to current_user;
grant update (position) on audit_link to current_user;
revoke delete, truncate on audit_head from current_user;
