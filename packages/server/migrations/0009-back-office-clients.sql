-- Accounts of the orders side and of operators. They hold scopes of their own kind and no others,
-- and partner accounts hold none of theirs, so that no mistake of the application can mix them.
alter table api_client
  drop constraint api_client_type_check,
  drop constraint api_client_check1,
  drop constraint api_client_scopes_check,
  add constraint api_client_type_check check (type in ('PARTNER', 'CUSTOMER', 'BACK_OFFICE')),
  -- A BACK_OFFICE account belongs to a management group, or reaches the whole platform.
  add constraint api_client_group_check check (
    type = 'BACK_OFFICE' or (type = 'CUSTOMER') = (management_group_guid is not null)
  ),
  add constraint api_client_partner_scopes_check check (
    type = 'BACK_OFFICE' or scopes <@ array[
      'credit_cards.authorization:write', 'stock:read', 'stock:write', 'config:read',
      'restaurants:read'
    ]
  ),
  add constraint api_client_back_office_scopes_check check (
    type <> 'BACK_OFFICE' or scopes <@ array[
      'payments.lifecycle:read', 'payments.lifecycle:write', 'clock:read', 'clock:write',
      'card_keys:read', 'card_keys:write', 'metrics:read'
    ]
  ),
  -- They make no payments, so they never leave a keyId out.
  add constraint api_client_back_office_card_key_check check (
    type <> 'BACK_OFFICE' or not holds_legacy_card_key
  );
