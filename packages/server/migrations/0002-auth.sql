-- API accounts, their secrets, the keys that sign access tokens, and what is known of the tokens.
-- Access tokens themselves are not stored: the facts of a grant, signed again, give the same token.

-- One API account. Its scopes and its revocation are read on every request, so a change of them
-- is in force at once.
create table api_client (
  client_id text primary key check (client_id ~ '^[A-Za-z0-9._~-]{1,128}$'),
  name text not null,
  type text not null check (type in ('PARTNER', 'CUSTOMER')),
  -- Set for PARTNER accounts, and only for them.
  partner_guid uuid references partner (guid),
  -- Set for CUSTOMER accounts, and only for them.
  management_group_guid uuid references management_group (guid),
  scopes text[] not null,
  -- True for holders of a card key from before key identifiers.
  holds_legacy_card_key boolean not null,
  created_at timestamptz not null,
  revoked_at timestamptz,
  check ((type = 'PARTNER') = (partner_guid is not null)),
  check ((type = 'CUSTOMER') = (management_group_guid is not null)),
  check (scopes <@ array[
    'credit_cards.authorization:write', 'stock:read', 'stock:write', 'config:read',
    'restaurants:read'
  ])
);
create index api_client_by_partner on api_client (partner_guid);
create index api_client_by_management_group on api_client (management_group_guid);

-- The secrets of an account; several may be live, so that one can be replaced without a gap.
create table client_secret (
  client_id text not null references api_client (client_id),
  guid uuid not null,
  -- A digest keyed from the master key: the secret cannot be read or tried from a dump.
  digest bytea not null check (length(digest) = 32),
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  primary key (client_id, guid)
);

-- The chain of signing keys. The application gives the generations 1, 2, 3, …: the primary key
-- lets one process add the next, however many try at once.
create table signing_key (
  generation integer primary key check (generation > 0),
  -- The RFC 7638 thumbprint of the public key.
  kid text not null unique,
  public_jwk json not null,
  -- The PKCS #8 private key, sealed with the master key.
  sealed_private_key bytea not null,
  created_at timestamptz not null,
  -- Published from creation, signing from here on until the next generation does.
  active_from timestamptz not null,
  -- No token that it signed expires later: so long it is published and its tokens are accepted.
  signed_until timestamptz not null
);

-- The present token of an account: one for all its scopes, and one for each narrower set asked for.
create table access_grant (
  client_id text not null references api_client (client_id),
  -- The scopes asked for, sorted and separated by spaces; empty for all that the account has.
  narrowed_to text not null,
  jti uuid not null,
  kid text not null references signing_key (kid),
  -- The claims but iat, exp and jti, byte for byte: when a login would write others, the grant is
  -- out of date and a new one takes its place.
  facts text not null,
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (client_id, narrowed_to),
  check (expires_at > issued_at)
);

-- Tokens that were revoked before they expired.
create table revoked_token (
  client_id text not null references api_client (client_id),
  jti uuid not null,
  expires_at timestamptz not null,
  revoked_at timestamptz not null,
  primary key (client_id, jti)
);
