-- Every change through any door: who changed what, and how it was before and after.

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
  after json
);
create index audit_entry_by_at on audit_entry (at, guid);
create index audit_entry_by_restaurant on audit_entry (restaurant_guid, at, guid)
  where restaurant_guid is not null;
create index audit_entry_by_subject on audit_entry (subject_kind, subject_id, at, guid);
