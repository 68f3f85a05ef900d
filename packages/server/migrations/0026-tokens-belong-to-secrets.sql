-- A token belongs to the secret that it was issued by (AUTH-10), so the present tokens are kept by
-- secret. Tokens from before this do not name their secret and are refused: clients log in again.
delete from access_grant;
alter table access_grant
  add column secret_guid uuid not null,
  drop constraint access_grant_pkey,
  drop constraint access_grant_client_id_fkey,
  add primary key (client_id, secret_guid, narrowed_to),
  add foreign key (client_id, secret_guid) references client_secret (client_id, guid);
