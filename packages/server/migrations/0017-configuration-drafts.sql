-- Drafts of configuration beside what is published, and the history of publications, so that any
-- earlier one can be published again.

-- An object as it would be published. Its published form stays where it is.
create table configuration_draft (
  restaurant_guid uuid not null references restaurant (guid),
  collection text not null,
  guid uuid not null,
  -- Another one after each edit: what a preview was made from is told by it.
  revision uuid not null,
  multi_location_id text,
  external_id text,
  fields json not null,
  archived boolean not null,
  -- Of the published object that the draft was made from; null when there was none.
  base_digest text,
  created_by text not null,
  created_at timestamptz(3) not null,
  modified_by text not null,
  modified_at timestamptz(3) not null,
  primary key (restaurant_guid, collection, guid),
  check ((collection = 'menuItems') = (multi_location_id is not null))
);

-- One row for each number that the publish number of a restaurant was raised to.
create table publication (
  restaurant_guid uuid not null references restaurant (guid),
  number integer not null check (number > 0),
  cause text not null
    check (cause in ('PUBLISHED', 'APPLIED', 'ROLLED_BACK', 'IMPORTED', 'BEGUN')),
  published_by text not null,
  published_at timestamptz(3) not null,
  note text,
  rolled_back_to integer,
  -- The same for restaurants that were published together.
  group_publication_guid uuid,
  -- Objects that partners got, saw otherwise and lost.
  added integer not null check (added >= 0),
  changed integer not null check (changed >= 0),
  removed integer not null check (removed >= 0),
  primary key (restaurant_guid, number),
  check ((cause = 'ROLLED_BACK') = (rolled_back_to is not null)),
  check (rolled_back_to < number)
);

-- What a publication changed: objects as {multiLocationId, externalId, archived, fields}.
create table publication_change (
  restaurant_guid uuid not null,
  number integer not null,
  collection text not null,
  guid uuid not null,
  -- Null for an object that was not there.
  before json,
  after json not null,
  primary key (restaurant_guid, number, collection, guid),
  foreign key (restaurant_guid, number) references publication (restaurant_guid, number)
);

-- The history of restaurants that exist begins with what they show now.
insert into publication (restaurant_guid, number, cause, published_by, published_at,
  added, changed, removed)
select guid, publish_number, 'BEGUN', 'system:migrate', modified_at, 0, 0, 0
from restaurant;
