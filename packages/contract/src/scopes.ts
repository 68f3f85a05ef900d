/** What a partner client may be allowed to do (T8); exactly what the partner interfaces declare. */
export const partnerScopes = [
  'credit_cards.authorization:write',
  'stock:read',
  'stock:write',
  'config:read',
  'restaurants:read',
] as const;

/** What a back office client may be allowed to do: exactly what the back office declares. */
export const backOfficeScopes = [
  'payments.lifecycle:read',
  'payments.lifecycle:write',
  'clock:read',
  'clock:write',
  'card_keys:read',
  'card_keys:write',
  'metrics:read',
  'people:read',
  'people:write',
] as const;

/** Every scope. A client holds scopes of one kind only. */
export const scopes = [...partnerScopes, ...backOfficeScopes] as const;

/** What a partner client may be allowed to do (T8). */
export type PartnerScope = (typeof partnerScopes)[number];

/** What a back office client may be allowed to do. */
export type BackOfficeScope = (typeof backOfficeScopes)[number];

/** What an API client may be allowed to do. */
export type Scope = PartnerScope | BackOfficeScope;

/**
 * The kinds of API account: a partner's integration, a management group, and the back office, which
 * is the orders side and the operators.
 */
export type ClientType = 'PARTNER' | 'CUSTOMER' | 'BACK_OFFICE';

/** Every scope that an account of that kind may hold. */
export function scopesFor(type: ClientType): readonly Scope[] {
  return type === 'BACK_OFFICE' ? backOfficeScopes : partnerScopes;
}

/** What each scope grants, in words for a person. */
export const scopeGrants: Readonly<Record<Scope, string>> = {
  'credit_cards.authorization:write': 'Authorize card payments.',
  'stock:read': 'Read stock.',
  'stock:write': 'Set the stock of menu items and of the items behind modifiers.',
  'config:read': 'Read the configuration of restaurants.',
  'restaurants:read': 'Read restaurant information.',
  'payments.lifecycle:read': 'Read payments, their events and the alarms about them.',
  'payments.lifecycle:write': 'Apply, fulfil, void and capture payments, and acknowledge alarms.',
  'clock:read': "Read the environment's clock.",
  'clock:write': "Move a sandbox's clock, which is the one of all groups in it.",
  'card_keys:read': 'Read the public card keys of clients.',
  'card_keys:write': 'Issue, activate, retire and destroy card keys of clients.',
  'metrics:read': 'Read the metrics of the platform.',
  'people:read': 'Read the people of the back office, their roles and sessions.',
  'people:write': 'Invite people, give and take roles, deactivate people.',
};
