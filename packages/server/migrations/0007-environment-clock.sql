-- The clock of the environment, which every process on the database follows. A sandbox's can be
-- frozen and moved; production never reads it.
create table environment_clock (
  id integer primary key check (id = 1),
  mode text not null check (mode in ('RUNNING', 'FROZEN')),
  -- How far a running clock is ahead of real time.
  offset_ms bigint not null,
  -- Where the clock stands: when it is frozen, and while somebody moves it.
  frozen_at timestamptz(3),
  -- Raised by every change but the renewal of a lease.
  version integer not null check (version >= 0),
  -- Who moves the clock, and until when that is believed, in real time.
  mover uuid,
  mover_expires_at timestamptz(3),
  check ((mover is null) = (mover_expires_at is null)),
  check ((frozen_at is null) = (mode = 'RUNNING' and mover is null))
);

insert into environment_clock (id, mode, offset_ms, version) values (1, 'RUNNING', 0, 0);
