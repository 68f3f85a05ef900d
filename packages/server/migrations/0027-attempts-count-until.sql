-- Wrong codes of a second factor count for a day, other attempts for a quarter of an hour: each
-- count says itself until when it holds.
alter table log_in_attempt rename column began_at to counts_until;
update log_in_attempt set counts_until = counts_until + interval '15 minutes';
alter index log_in_attempt_by_began_at rename to log_in_attempt_by_counts_until;
