-- People who work in the back office: who they are, what they may do and where, their sessions.

create table person (
  guid uuid primary key,
  -- In lower case: nobody is two people by writing it otherwise.
  email text not null unique check (email = lower(email) and length(email) between 3 and 254),
  name text not null check (length(name) between 1 and 100),
  -- An argon2id hash in PHC form; null until an invitation was accepted.
  password_hash text,
  password_changed_at timestamptz(3),
  -- The secret of an authenticator app (RFC 6238), sealed with the master key.
  sealed_totp_secret bytea,
  -- Set once a code was given: from then on one is asked for.
  totp_confirmed_at timestamptz(3),
  -- The newest time step that a code was accepted for: a code counts once.
  totp_last_step bigint,
  created_at timestamptz(3) not null,
  -- Whoever is deactivated cannot log in, and has no session.
  deactivated_at timestamptz(3),
  check ((password_hash is null) = (password_changed_at is null)),
  check (sealed_totp_secret is not null or (totp_confirmed_at is null and totp_last_step is null))
);

-- What a person may do, and where. The place is named by at most one GUID; none is the platform.
create table person_role (
  person_guid uuid not null references person (guid),
  guid uuid not null,
  role text not null check (role in ('OPERATOR', 'GROUP_ADMINISTRATOR', 'RESTAURANT_ADMINISTRATOR',
    'READ_ONLY', 'PARTNER_DEVELOPER')),
  management_group_guid uuid references management_group (guid),
  restaurant_guid uuid references restaurant (guid),
  partner_guid uuid references partner (guid),
  given_at timestamptz(3) not null,
  given_by text not null,
  primary key (person_guid, guid),
  unique nulls not distinct
    (person_guid, role, management_group_guid, restaurant_guid, partner_guid),
  check (num_nonnulls(management_group_guid, restaurant_guid, partner_guid) <= 1),
  check (role not in ('OPERATOR')
    or num_nonnulls(management_group_guid, restaurant_guid, partner_guid) = 0),
  check (role <> 'GROUP_ADMINISTRATOR' or management_group_guid is not null),
  check (role <> 'RESTAURANT_ADMINISTRATOR' or restaurant_guid is not null),
  check ((role = 'PARTNER_DEVELOPER') = (partner_guid is not null))
);

-- A session is known by the digest of its token; the token itself is only in the browser.
create table person_session (
  digest bytea primary key check (length(digest) = 32),
  guid uuid not null unique,
  person_guid uuid not null references person (guid),
  created_at timestamptz(3) not null,
  seen_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  -- For the person, who may not know a session: where it began, and what the browser called itself.
  address text not null,
  user_agent text
);
create index person_session_by_person on person_session (person_guid);

-- A link that lets its holder choose a password once: an invitation, or a new start.
create table person_invitation (
  digest bytea primary key check (length(digest) = 32),
  person_guid uuid not null references person (guid),
  created_at timestamptz(3) not null,
  created_by text not null,
  expires_at timestamptz(3) not null,
  -- For the first operator, of whom nobody knows the address: it is chosen with the password.
  chooses_email boolean not null default false,
  used_at timestamptz(3)
);
create index person_invitation_by_person on person_invitation (person_guid);

-- Codes for whoever lost the telephone; each opens once.
create table person_recovery_code (
  person_guid uuid not null references person (guid),
  digest bytea not null check (length(digest) = 32),
  used_at timestamptz(3),
  primary key (person_guid, digest)
);

-- Attempts to log in, by account and by account and address, since the first of them. It is unlogged
-- because a crash may forget it: they count for a quarter of an hour.
create unlogged table log_in_attempt (
  key text primary key,
  attempts integer not null check (attempts > 0),
  began_at timestamptz(3) not null
);
create index log_in_attempt_by_began_at on log_in_attempt (began_at);

-- Back office accounts may look after people too.
alter table api_client
  drop constraint api_client_back_office_scopes_check,
  add constraint api_client_back_office_scopes_check check (
    type <> 'BACK_OFFICE' or scopes <@ array[
      'payments.lifecycle:read', 'payments.lifecycle:write', 'clock:read', 'clock:write',
      'card_keys:read', 'card_keys:write', 'metrics:read', 'people:read', 'people:write',
      'restaurants.admin:read', 'restaurants.admin:write', 'configuration:read',
      'configuration:write', 'configuration:publish', 'stock.admin:read', 'stock.admin:write',
      'clients:read', 'clients:write', 'connections:read', 'connections:write', 'requests:read',
      'audit:read'
    ]
  );

-- People take note of alarms too: who did is named as histories name him.
alter table payment_alarm drop constraint payment_alarm_acknowledged_by_fkey;
