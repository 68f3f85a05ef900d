-- Which ledger of the processor simulator the environment's holds are in, said once by whoever
-- started first with one: holds that one ledger has are unknown to every other.
create table processor_ledger (
  id integer primary key check (id = 1),
  ledger_id uuid not null,
  claimed_at timestamptz(3) not null
);
