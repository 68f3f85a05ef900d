import { type BackOfficeScope, backOfficeScopes } from './scopes.ts';

/** What is about the platform as a whole: a role for a part of it does not allow it. */
const ofWholePlatform: readonly BackOfficeScope[] = ['metrics:read', 'clock:write'];

/** What is about a partner: a role at a group or a restaurant does not allow it. */
const ofPartners: readonly BackOfficeScope[] = ['webhooks:read', 'webhooks:write'];

/** Where a role can be given: on the whole platform, in a group, at a restaurant, for a partner. */
export const rolePlaces = ['platform', 'group', 'restaurant', 'partner'] as const;

/** Where a role can be given. */
export type RolePlace = (typeof rolePlaces)[number];

/** What people of the back office can be. */
export const roleNames = [
  'OPERATOR',
  'GROUP_ADMINISTRATOR',
  'RESTAURANT_ADMINISTRATOR',
  'READ_ONLY',
  'PARTNER_DEVELOPER',
] as const;

/** What a person of the back office can be. */
export type RoleName = (typeof roleNames)[number];

/** A role: where it can be given, and what it allows there. */
export interface Role {
  readonly places: readonly RolePlace[];
  readonly scopes: readonly BackOfficeScope[];
  /** In words for a person. */
  readonly allows: string;
}

const reading = backOfficeScopes.filter((scope) => scope.endsWith(':read'));
const ofRestaurant = [
  'payments.lifecycle:read',
  'payments.lifecycle:write',
  'clock:read',
  'restaurants.admin:read',
  'restaurants.admin:write',
  'configuration:read',
  'configuration:write',
  'configuration:publish',
  'stock.admin:read',
  'stock.admin:write',
  'connections:read',
  'connections:write',
  'requests:read',
  'audit:read',
] as const satisfies readonly BackOfficeScope[];

/** Every role. What a role does not list it does not allow, wherever it is given. */
export const roles: Readonly<Record<RoleName, Role>> = {
  OPERATOR: {
    places: ['platform'],
    scopes: backOfficeScopes,
    allows: 'Everything on the platform.',
  },
  GROUP_ADMINISTRATOR: {
    places: ['group'],
    scopes: [
      ...ofRestaurant,
      'card_keys:read',
      'card_keys:write',
      'people:read',
      'people:write',
      'clients:read',
      'clients:write',
    ],
    allows: "Everything about a management group's restaurants, accounts and people.",
  },
  RESTAURANT_ADMINISTRATOR: {
    places: ['restaurant'],
    scopes: ofRestaurant,
    allows: 'Everything about one restaurant.',
  },
  READ_ONLY: {
    places: ['platform', 'group', 'restaurant'],
    scopes: reading,
    allows: 'Reads, and changes nothing.',
  },
  PARTNER_DEVELOPER: {
    places: ['partner'],
    scopes: [
      'card_keys:read',
      'clock:read',
      'clients:read',
      'clients:write',
      'connections:read',
      'webhooks:read',
      'webhooks:write',
      'requests:read',
    ],
    allows: "Manages a partner's own accounts and webhooks.",
  },
};

/** What a role allows where it was given for a place of that kind. */
export function scopesOfRole(role: RoleName, place: RolePlace): readonly BackOfficeScope[] {
  const { scopes } = roles[role];
  if (place === 'platform') return scopes;
  const never = place === 'partner' ? ofWholePlatform : [...ofWholePlatform, ...ofPartners];
  return scopes.filter((scope) => !never.includes(scope));
}
