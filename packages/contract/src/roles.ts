import { type BackOfficeScope, backOfficeScopes } from './scopes.ts';

/** A role for a part of the platform does not allow these. */
const ofWholePlatform: readonly BackOfficeScope[] = [
  'metrics:read',
  'clock:write',
  'sandboxes:read',
  'sandboxes:write',
  'faults:read',
  'faults:write',
  'requests:write',
];

/** A role at a group or a restaurant does not allow these. */
const ofPartners: readonly BackOfficeScope[] = ['webhooks:read', 'webhooks:write'];

export const rolePlaces = ['platform', 'group', 'restaurant', 'partner'] as const;

export type RolePlace = (typeof rolePlaces)[number];

export const roleNames = [
  'OPERATOR',
  'GROUP_ADMINISTRATOR',
  'RESTAURANT_ADMINISTRATOR',
  'READ_ONLY',
  'PARTNER_DEVELOPER',
] as const;

export type RoleName = (typeof roleNames)[number];

export interface Role {
  readonly places: readonly RolePlace[];
  readonly scopes: readonly BackOfficeScope[];
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
  'orders.admin:read',
  'orders.admin:write',
  'connections:read',
  'connections:write',
  'requests:read',
  'audit:read',
] as const satisfies readonly BackOfficeScope[];

/** A role allows nothing that it does not list. */
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
    allows: "Everything about a management group's restaurants, accounts, and people.",
  },
  RESTAURANT_ADMINISTRATOR: {
    places: ['restaurant'],
    scopes: ofRestaurant,
    allows: 'Everything about one restaurant.',
  },
  READ_ONLY: {
    places: ['platform', 'group', 'restaurant'],
    scopes: reading,
    allows: 'Can read everything in the place it is given for, but change nothing.',
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

export function scopesOfRole(role: RoleName, place: RolePlace): readonly BackOfficeScope[] {
  const { scopes } = roles[role];
  if (place === 'platform') return scopes;
  const never = place === 'partner' ? ofWholePlatform : [...ofWholePlatform, ...ofPartners];
  return scopes.filter((scope) => !never.includes(scope));
}
