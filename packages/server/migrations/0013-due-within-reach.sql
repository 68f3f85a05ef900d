-- When something is due next at the restaurants of one management group: one probe for each of them,
-- however much is open elsewhere.
create index payment_by_merchant_due_at on payment (merchant_guid, due_at)
  where due_at is not null;
create index payment_attempt_by_merchant_due_at on payment_attempt (merchant_guid, due_at)
  where due_at is not null;
