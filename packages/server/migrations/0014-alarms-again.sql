-- A payment that stays as it is after somebody took note of its alarm is told of again, a day later.
-- So only an open alarm is the one of its kind for an attempt and a state.
alter table payment_alarm
  drop constraint payment_alarm_merchant_guid_payment_uuid_kind_attempt_payme_key;
create unique index payment_alarm_open_of_payment on payment_alarm
  (merchant_guid, payment_uuid, kind, attempt, payment_state) where acknowledged_at is null;
-- Whether somebody took note of one in the last day.
create index payment_alarm_noted_of_payment on payment_alarm
  (merchant_guid, payment_uuid, kind, attempt, payment_state, acknowledged_at);

-- How long payments have been in a state that only the processor ends, for those who watch.
create index payment_unsettled on payment (state, modified_at)
  where state in ('PENDING', 'UNKNOWN', 'REVERSAL_PENDING', 'CAPTURE_PENDING', 'VOID_PENDING');
