-- Events are never changed or removed (PAY-I5), and the database holds that without a trigger: an event
-- has a digest of all that it says and of the digest of the event before it. The next event refers
-- to that digest by a foreign key, and the payment to the newest one. Whatever is changed in an event
-- makes another digest of it, and then the reference to the old one refers to nothing.
-- docs/decisions/0015 says what this holds and what it does not.

alter table payment_event add column previous_digest bytea;

-- What was there is chained up, the oldest first. Were this another expression than that of the
-- column below, the foreign keys after it could not be made.
with recursive chain as (
  select merchant_guid, payment_uuid, 0 as version, null::bytea as digest
  from payment_event where version = 1
  union all
  select e.merchant_guid, e.payment_uuid, e.version, sha256(decode(replace(
    e.from_state || '|' || e.cause || '|' || e.to_state || '|' || e.attempt::text
      || '|' || (extract(epoch from e.occurred_at at time zone 'UTC') * 1000)::bigint::text
      || '|' || coalesce(e.guid::text, '-')
      || '|' || coalesce(encode(c.digest, 'hex'), '-')
      || '|' || coalesce(e.details::text, '-'),
    E'\\', E'\\\\'), 'escape'))
  from chain c
  join payment_event e on e.merchant_guid = c.merchant_guid and e.payment_uuid = c.payment_uuid
    and e.version = c.version + 1
)
update payment_event e set previous_digest = c.digest
from chain c
where c.version >= 1 and e.merchant_guid = c.merchant_guid and e.payment_uuid = c.payment_uuid
  and e.version = c.version + 1;

-- Nothing in the parts can be taken for the bar between them: the states and the cause are names of
-- payment_transition, and the only free text is the last. JSON is never a mere '-'. All functions are
-- immutable, and none writes differently in another version of PostgreSQL, so that a dump can be
-- restored there. What is not in the digest is in the keys that refer to it.
alter table payment_event
  add column digest bytea not null generated always as (sha256(decode(replace(
    from_state || '|' || cause || '|' || to_state || '|' || attempt::text
      || '|' || (extract(epoch from occurred_at at time zone 'UTC') * 1000)::bigint::text
      || '|' || coalesce(guid::text, '-')
      || '|' || coalesce(encode(previous_digest, 'hex'), '-')
      || '|' || coalesce(details::text, '-'),
    E'\\', E'\\\\'), 'escape'))) stored,
  add constraint payment_event_chain_check check ((version = 1) = (previous_digest is null));

-- The keys that held the chain of versions and states hold the digests as well.
alter table payment drop constraint payment_merchant_guid_payment_uuid_version_state_fkey;
alter table payment_event
  drop constraint payment_event_merchant_guid_payment_uuid_previous_version__fkey,
  drop constraint payment_event_merchant_guid_payment_uuid_version_to_state_key,
  add constraint payment_event_digest_key
    unique (merchant_guid, payment_uuid, version, to_state, digest),
  add constraint payment_event_chain_fkey
    foreign key (merchant_guid, payment_uuid, previous_version, from_state, previous_digest)
    references payment_event (merchant_guid, payment_uuid, version, to_state, digest);

alter table payment add column event_digest bytea;
update payment p set event_digest = e.digest
from payment_event e
where e.merchant_guid = p.merchant_guid and e.payment_uuid = p.payment_uuid
  and e.version = p.version;
alter table payment
  alter column event_digest set not null,
  add constraint payment_event_fkey
    foreign key (merchant_guid, payment_uuid, version, state, event_digest)
    references payment_event (merchant_guid, payment_uuid, version, to_state, digest);

-- The role of the program, unless it is a superuser, may do none of it, not even together with the
-- payment. A foreign key locks the row that it refers to, which takes the right to update some
-- column of it: this one is part of all keys.
revoke update, delete, truncate on payment_event from current_user;
grant update (merchant_guid) on payment_event to current_user;
