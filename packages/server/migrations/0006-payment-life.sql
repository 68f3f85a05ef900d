-- The life of a payment after its authorization: what the orders side says of it, the work that is
-- due, attempts that may turn up late, and the alarms that wait for a person.

insert into payment_transition (from_state, cause, to_state) values
  -- The orders side wants the money now, before the close-out.
  ('CAPTURE_SCHEDULED', 'captureRequested', 'CAPTURE_PENDING'),
  -- Refused for good, under a key that would give the same answer again: a person decides.
  ('CAPTURE_PENDING', 'captureDeclined', 'REVIEW'),
  ('CAPTURE_PENDING', 'captureMismatch', 'REVIEW'),
  ('VOID_PENDING', 'voidDeclined', 'REVIEW'),
  ('REVERSAL_PENDING', 'reversalDeclined', 'REVIEW'),
  -- The processor never heard of the capture, and the hold must not outlive its deadline (PAY-I3).
  ('CAPTURE_PENDING', 'captureDeadlinePassed', 'VOID_PENDING');

alter table payment
  add column check_guid uuid,
  add column void_reason text check (length(void_reason) between 1 and 200),
  -- Calls in a row that did not bring the payment out of its state; they decide how long to wait.
  add column tries integer not null default 0 check (tries >= 0),
  add check (state not in ('APPLIED', 'CAPTURE_SCHEDULED', 'CAPTURE_PENDING', 'CAPTURED')
    or check_guid is not null),
  -- A payment that is not over is always due some day: none can be forgotten.
  add check ((due_at is null)
    = (state in ('DENIED', 'ABORTED', 'REVERSED', 'CAPTURED', 'VOIDED', 'REVIEW'))),
  add check (state not in ('CAPTURE_SCHEDULED', 'CAPTURE_PENDING', 'CAPTURED')
    or capture_at is not null);

-- Made by whoever recorded the event: after a lost COMMIT it tells whose the change was. Null in
-- events from before this migration.
alter table payment_event add column guid uuid;

-- The lists of the back office, newest first.
create index payment_by_created_at on payment (created_at, payment_uuid);

alter table payment_attempt
  drop constraint payment_attempt_outcome_check,
  -- NOT_FOUND: an inquiry did not know the attempt. REVERSED: what it held was given up.
  add constraint payment_attempt_outcome_check check (outcome in
    ('APPROVED', 'DECLINED', 'NOT_PROCESSED', 'UNKNOWN', 'NOT_FOUND', 'REVERSED')),
  -- When the attempt is asked about again, because its call may still have its effect.
  add column due_at timestamptz(3),
  add column follow_ups integer not null default 0 check (follow_ups >= 0),
  -- Questions in a row that brought no answer.
  add column tries integer not null default 0 check (tries >= 0),
  add column lease_holder uuid,
  add column lease_expires_at timestamptz(3);
create index payment_attempt_by_due_at on payment_attempt (due_at) where due_at is not null;

-- What a person has to look at.
create table payment_alarm (
  merchant_guid uuid not null,
  guid uuid not null,
  payment_uuid uuid not null,
  kind text not null,
  attempt integer not null check (attempt >= 0),
  payment_state text not null,
  -- For operators; never card data.
  explanation text not null,
  raised_at timestamptz(3) not null,
  acknowledged_at timestamptz(3),
  -- The client id of whoever did it.
  acknowledged_by text references api_client (client_id),
  note text check (length(note) between 1 and 1000),
  primary key (merchant_guid, guid),
  -- Whoever takes note of an alarm names it alone.
  unique (guid),
  -- A state of a payment raises an alarm of a kind once, however often its work is tried.
  unique (merchant_guid, payment_uuid, kind, attempt, payment_state),
  foreign key (merchant_guid, payment_uuid) references payment (merchant_guid, payment_uuid),
  check ((acknowledged_at is null) = (acknowledged_by is null))
);
create index payment_alarm_by_raised_at on payment_alarm (raised_at, guid);
create index payment_alarm_open on payment_alarm (raised_at, guid) where acknowledged_at is null;
