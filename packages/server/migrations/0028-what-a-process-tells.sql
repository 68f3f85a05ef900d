-- A token names the public address of the process that made it, and a process with another address
-- refuses it: processes that differ in it say so. Null until a process listens.
alter table server_process add column public_url text;
-- Filled for a moment where a write has failed for want of disk: what says that there is space again
-- has to take some. It is random, so that compressing it would be in vain.
alter table server_process add column trial bytea;
alter table server_process alter column trial set storage external;
