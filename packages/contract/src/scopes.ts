/** What an API client may be allowed to do (T8); exactly the scopes that the interfaces declare. */
export const scopes = [
  'credit_cards.authorization:write',
  'stock:read',
  'stock:write',
  'config:read',
  'restaurants:read',
] as const;

/** What an API client may be allowed to do (T8). */
export type Scope = (typeof scopes)[number];

/** What each scope grants, in words for a person. */
export const scopeGrants: Readonly<Record<Scope, string>> = {
  'credit_cards.authorization:write': 'Authorize card payments.',
  'stock:read': 'Read stock.',
  'stock:write': 'Set the stock of menu items and of the items behind modifiers.',
  'config:read': 'Read the configuration of restaurants.',
  'restaurants:read': 'Read restaurant information.',
};
