-- Card keys and the life of a card payment.
-- No card number, security code or encrypted card data has a column, and none may get one (PAY-I7).

-- The keys that clients encrypt card data with. A client uses only its own.
create table card_key (
  client_id text not null references api_client (client_id),
  -- '<ALGORITHM>::<identifier>', as it stands in keyId on the wire.
  key_id text not null,
  algorithm text not null
    check (algorithm in ('RSA-OAEP-SHA256', 'RSA-OAEP-SHA1', 'RSA-OAEP-256', 'ECDH-ES')),
  state text not null check (state in ('PENDING', 'ACTIVE', 'DECRYPT_ONLY', 'DESTROYED')),
  -- A legacy key is the one that is meant when keyId is absent.
  legacy boolean not null,
  public_key_pem text not null,
  public_key_jwk json not null,
  -- PKCS #8, sealed with the master key, which lives outside the database.
  sealed_private_key bytea,
  not_after timestamptz(3),
  created_at timestamptz(3) not null,
  state_changed_at timestamptz(3) not null,
  primary key (client_id, key_id),
  check (key_id like algorithm || '::_%'),
  check ((state = 'DESTROYED') = (sealed_private_key is null))
);

-- Every legal change of a payment's state; lifecycle.ts holds the same rows, and a test compares.
create table payment_transition (
  from_state text not null,
  cause text not null,
  to_state text not null,
  primary key (from_state, cause, to_state)
);
insert into payment_transition (from_state, cause, to_state) values
  ('NEW', 'submitted', 'PENDING'),
  ('NEW', 'riskRefused', 'DENIED'),
  ('PENDING', 'approved', 'AUTHORIZED'),
  ('PENDING', 'declined', 'DENIED'),
  ('PENDING', 'notProcessed', 'ABORTED'),
  ('PENDING', 'outcomeLost', 'UNKNOWN'),
  ('ABORTED', 'submittedAgain', 'PENDING'),
  ('UNKNOWN', 'inquiryApproved', 'AUTHORIZED'),
  ('UNKNOWN', 'inquiryApprovedLate', 'VOID_PENDING'),
  ('UNKNOWN', 'inquiryDeclined', 'DENIED'),
  ('UNKNOWN', 'inquiryNotFound', 'ABORTED'),
  ('UNKNOWN', 'inquiryGivenUp', 'REVERSAL_PENDING'),
  ('REVERSAL_PENDING', 'reversalAcknowledged', 'REVERSED'),
  ('REVERSED', 'lateApproval', 'REVERSAL_PENDING'),
  ('ABORTED', 'lateApproval', 'REVERSAL_PENDING'),
  ('AUTHORIZED', 'appliedToCheck', 'APPLIED'),
  ('AUTHORIZED', 'applyDeadlinePassed', 'VOID_PENDING'),
  ('AUTHORIZED', 'voidedOnPointOfSale', 'VOID_PENDING'),
  ('APPLIED', 'voidedOnPointOfSale', 'VOID_PENDING'),
  ('APPLIED', 'orderFulfilled', 'CAPTURE_SCHEDULED'),
  ('APPLIED', 'captureDeadlinePassed', 'VOID_PENDING'),
  ('CAPTURE_SCHEDULED', 'captureDeadlinePassed', 'VOID_PENDING'),
  ('CAPTURE_SCHEDULED', 'captureTimeReached', 'CAPTURE_PENDING'),
  ('CAPTURE_PENDING', 'captureAcknowledged', 'CAPTURED'),
  ('VOID_PENDING', 'voidAcknowledged', 'VOIDED'),
  ('VOID_PENDING', 'foundCaptured', 'REVIEW');

-- One row per change of state, never changed (PAY-I5). The keys make it a chain: versions have no gap,
-- each step begins in the state in which the one before it ended, and every step is a legal one.
create table payment_event (
  merchant_guid uuid not null references restaurant (guid),
  payment_uuid uuid not null,
  version integer not null check (version >= 1),
  previous_version integer,
  from_state text not null,
  cause text not null,
  to_state text not null,
  -- The attempt that the change belongs to; 0 when nothing was sent to the processor.
  attempt integer not null check (attempt >= 0),
  -- What an operator wants to know beside it, such as the processor's response code.
  details json,
  occurred_at timestamptz(3) not null,
  primary key (merchant_guid, payment_uuid, version),
  unique (merchant_guid, payment_uuid, version, to_state),
  check ((version = 1) = (previous_version is null)),
  check ((version = 1) = (from_state = 'NEW')),
  check (previous_version = version - 1),
  foreign key (merchant_guid, payment_uuid, previous_version, from_state)
    references payment_event (merchant_guid, payment_uuid, version, to_state),
  foreign key (from_state, cause, to_state)
    references payment_transition (from_state, cause, to_state)
);

-- The present of a payment. Its state and version are those of its newest event: the foreign key
-- leaves no way to change one without the other.
create table payment (
  merchant_guid uuid not null references restaurant (guid),
  payment_uuid uuid not null,
  -- Ours, unique over all merchants: it is what the processor's keys are made of.
  payment_id uuid not null,
  client_id text not null references api_client (client_id),
  state text not null,
  version integer not null,
  attempt integer not null check (attempt >= 0),
  -- A keyed digest of the content, to recognise a repeat (PAY-7).
  content_digest bytea not null check (length(content_digest) = 32),
  currency_code text not null check (currency_code ~ '^[A-Z]{3}$'),
  -- Minor units of the currency.
  amount_minor bigint not null check (amount_minor >= 0),
  tip_minor bigint not null check (tip_minor >= 0),
  captured_minor bigint,
  card_number_origin text not null check (card_number_origin in ('END_USER', 'PARTNER_VAULT')),
  will_save_card boolean not null,
  card_brand text not null,
  card_first6 text not null check (card_first6 ~ '^[0-9]{6}$'),
  card_last4 text not null check (card_last4 ~ '^[0-9]{4}$'),
  -- A keyed digest of the card number: the same card is recognised, no number can be read.
  card_digest bytea not null check (length(card_digest) = 32),
  -- As it was submitted, byte for byte, because it is answered so.
  local_transaction_date text not null,
  authorization_code text,
  -- ISO 8583, of a declined authorization.
  response_code text,
  denial_reason text,
  error text,
  authorized_at timestamptz(3),
  apply_deadline timestamptz(3),
  capture_deadline timestamptz(3),
  capture_at timestamptz(3),
  -- When somebody has to look at the payment next; null when nothing is to happen by itself.
  due_at timestamptz(3),
  -- Who is working on it, for efficiency; what is safe is the version.
  lease_holder uuid,
  lease_expires_at timestamptz(3),
  created_at timestamptz(3) not null,
  modified_at timestamptz(3) not null,
  primary key (merchant_guid, payment_uuid),
  foreign key (merchant_guid, payment_uuid, version, state)
    references payment_event (merchant_guid, payment_uuid, version, to_state),
  check (amount_minor + tip_minor > 0),
  check ((state = 'CAPTURED') = (captured_minor is not null)),
  check (captured_minor <= amount_minor + tip_minor),
  check (state not in ('AUTHORIZED', 'APPLIED', 'CAPTURE_SCHEDULED', 'CAPTURE_PENDING', 'CAPTURED')
    or (authorization_code is not null and authorized_at is not null
      and apply_deadline is not null and capture_deadline is not null)),
  check (state not in ('DENIED', 'REVERSED') or denial_reason is not null)
);
create index payment_by_due_at on payment (due_at) where due_at is not null;

-- One attempt to have a payment authorized, written before the processor hears of it.
create table payment_attempt (
  merchant_guid uuid not null,
  payment_uuid uuid not null,
  attempt integer not null check (attempt >= 1),
  -- 'auth:<payment_id>:<attempt>', under which the processor recognises the call.
  processor_key text not null,
  started_at timestamptz(3) not null,
  outcome text check (outcome in ('APPROVED', 'DECLINED', 'NOT_PROCESSED', 'UNKNOWN')),
  -- Why it is not an approval, for operators; never shown to a guest.
  explanation text,
  processor_reference text,
  finished_at timestamptz(3),
  primary key (merchant_guid, payment_uuid, attempt),
  foreign key (merchant_guid, payment_uuid) references payment (merchant_guid, payment_uuid),
  check ((outcome is null) = (finished_at is null))
);

-- What is known of the guest, apart from the payment: it can be removed and the payment stays.
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
  primary key (merchant_guid, payment_uuid),
  foreign key (merchant_guid, payment_uuid) references payment (merchant_guid, payment_uuid)
);
