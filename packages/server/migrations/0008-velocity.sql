-- Limits against the testing of stolen cards, and the end of guest data.

-- Payments counted per card, guest, address and so on, in the present window and the one before.
-- The key is a keyed digest: neither a card nor an address can be read from it. The table is
-- unlogged because a crash may forget it, and so that counting waits for no disk.
create unlogged table velocity_count (
  key_digest bytea primary key check (length(key_digest) = 32),
  -- Counts windows of the limit's length since the epoch.
  window_index bigint not null,
  used integer not null,
  used_before integer not null,
  -- When the window after the present one has passed and the row says nothing any more.
  expires_at timestamptz(3) not null
);
create index velocity_count_by_expires_at on velocity_count (expires_at);

-- Guest data is removed so many days after it came, whatever the setting is then.
alter table payment_guest add column created_at timestamptz(3);
update payment_guest g set created_at = p.created_at
from payment p
where p.merchant_guid = g.merchant_guid and p.payment_uuid = g.payment_uuid;
alter table payment_guest alter column created_at set not null;
create index payment_guest_by_created_at
  on payment_guest (created_at, merchant_guid, payment_uuid);
