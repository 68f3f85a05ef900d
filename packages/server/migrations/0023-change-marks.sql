-- What a process remembers of the database is good until somebody changes it. Whoever does raises
-- the counters of what he changes as the last thing before his COMMIT; every process reads all
-- counters a few times a second. A counter stands for many things, by a digest of their names, so
-- that there are never more rows than these.
create table change_mark (
  bucket smallint primary key check (bucket between 0 and 4095),
  revision bigint not null
) with (
  -- The same rows are written again and again, and read all together.
  fillfactor = 50,
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 2000
);
insert into change_mark (bucket, revision) select bucket, 0 from generate_series(0, 4095) as bucket;

-- A program from before counters changes things without raising them: beside one of these nothing
-- is remembered.
alter table server_process add column raises_marks boolean not null default false;
