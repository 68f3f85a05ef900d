-- The void of a hold that the processor does not know, after a capture that it had not known either:
-- the capture may still take effect, so a person decides.
insert into payment_transition (from_state, cause, to_state) values
  ('VOID_PENDING', 'holdNotFound', 'REVIEW');
