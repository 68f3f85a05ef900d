-- What kind of environment the database belongs to, said once by whoever opened it first: a
-- production database is never served as a sandbox by mistake, nor a sandbox as production.
create table environment (
  id integer primary key check (id = 1),
  kind text not null check (kind in ('sandbox', 'production')),
  created_at timestamptz(3) not null
);
