-- Workers that one process has started count requests together, in its memory: the database counts
-- only where a process of another group lives. Null is a process of an older version.
alter table server_process add column group_id uuid;
