/** What a test changes between two imports of the same group. */
export interface GroupVariant {
  /** Restaurants that the partner is connected to, by name. */
  readonly connected: readonly string[];
  /** Scopes of the partner's account. */
  readonly scopes: readonly string[];
  /** Whether the group still has an account of its own. */
  readonly hasGroupAccount: boolean;
  /** Name of the first menu: what a publication changes. */
  readonly menuName: string;
}

/** Scopes that every account of these documents starts with. */
export const ALL_SCOPES = [
  'config:read',
  'credit_cards.authorization:write',
  'delivery_info.address:read',
  'guest.pi:read',
  'menus:read',
  'orders.channel:read',
  'orders.channel:void',
  'orders.delivery_info:write',
  'orders.discounts:write',
  'orders.items:write',
  'orders.orders:write',
  'orders.payments:write',
  'orders:read',
  'orders:void',
  'restaurants:read',
  'stock:read',
  'stock:write',
] as const;

/** When the objects of the document were last changed, in steps of a millisecond. */
export const MODIFIED = {
  first: '2026-01-01T00:00:00.000Z',
  second: '2026-01-01T00:00:00.001Z',
} as const;

/** The restaurants of both groups, by key. */
export const RESTAURANTS = {
  alpha: 'a1f0c3d2-5b64-4c8e-9d70-1e2f3a4b5c61',
  beta: 'a1f0c3d2-5b64-4c8e-9d70-1e2f3a4b5c62',
  closed: 'a1f0c3d2-5b64-4c8e-9d70-1e2f3a4b5c63',
  delta: 'a1f0c3d2-5b64-4c8e-9d70-1e2f3a4b5c64',
} as const;

/** The two groups. */
export const GROUPS = {
  ring: 'b2e1d4c3-6c75-4d9f-8e81-2f3a4b5c6d71',
  other: 'b2e1d4c3-6c75-4d9f-8e81-2f3a4b5c6d72',
} as const;

/** More than one page of items. */
export const ITEM_COUNT = 305;

function items() {
  const plain = Array.from({ length: ITEM_COUNT }, (_, index) => ({
    key: `item ${index}`,
    name: `Plate ${index}`,
    modifiedDate: MODIFIED.first,
  }));
  return [
    ...plain,
    { key: 'late', name: 'Late plate', modifiedDate: MODIFIED.second },
    { key: 'gone', name: 'Archived plate', archived: true, multiLocationId: 'gone-everywhere' },
    { key: 'shared', name: 'Shared plate', multiLocationId: 'shared-everywhere' },
  ];
}

function configuration(variant: GroupVariant) {
  return {
    menus: [{ key: 'menu', name: variant.menuName, groups: ['mains'] }],
    menuGroups: [
      { key: 'mains', name: 'Mains', menu: 'menu', items: ['item 0', 'gone', 'shared'] },
    ],
    menuItems: items(),
    printers: [
      { key: 'bar', name: 'Bar printer' },
      { key: 'old', name: 'Old printer', archived: true },
    ],
    cashDrawers: [
      { key: 'bar drawer', printer: 'bar' },
      { key: 'old drawer', printer: 'old' },
    ],
  };
}

const general = (name: string) => ({
  name,
  timeZone: 'Europe/Madrid',
  currencyCode: 'EUR',
});

/** A small management group whose every value is known to the tests. */
export function groupDocument(variant: GroupVariant): unknown {
  const account = { key: 'account', name: 'Ring account', userAccessType: 'PARTNER' };
  const customer = { key: 'group', name: 'Group account', userAccessType: 'CUSTOMER' };
  const groupAccount = { ...customer, scopes: ALL_SCOPES };
  return {
    format: 'servery.group/1',
    managementGroup: { guid: GROUPS.ring, name: 'Ring Group' },
    partners: [{ key: 'ring', name: 'Ring Partner' }],
    clients: [
      { ...account, partner: 'ring', scopes: variant.scopes },
      ...(variant.hasGroupAccount ? [groupAccount] : []),
    ],
    restaurants: [
      {
        guid: RESTAURANTS.alpha,
        key: 'alpha',
        info: {
          general: general('Alpha'),
          prepTimes: {
            deliveryPrepTime: 35,
            deliveryTimeAfterOpen: 0,
            deliveryTimeBeforeClose: 0,
            takeoutPrepTime: 15,
            takeoutTimeAfterOpen: 7,
            takeoutTimeBeforeClose: 0,
          },
        },
        configuration: configuration(variant),
        stock: [{ item: 'late', status: 'QUANTITY', quantity: 2.5 }],
      },
      { guid: RESTAURANTS.beta, key: 'beta', info: { general: general('Beta') } },
      {
        guid: RESTAURANTS.closed,
        key: 'closed',
        info: { general: { ...general('Closed'), archived: true } },
      },
    ],
    connections: variant.connected.map((restaurant) => ({
      partner: 'ring',
      restaurant,
      externalGroupRef: 'ring-group',
      externalRestaurantRef: `ring-${restaurant}`,
      createdBy: { firstName: 'Ana', lastName: 'Gil', email: 'ana.gil@ring.example', phone: null },
      createdDate: '2026-02-01T08:00:00.000Z',
      modifiedDate: '2026-02-02T09:30:00.250Z',
    })),
  };
}

/** A second group with one restaurant, connected to the same partner. */
export function otherGroupDocument(): unknown {
  return {
    format: 'servery.group/1',
    managementGroup: { guid: GROUPS.other, name: 'Other Ring Group' },
    partners: [{ key: 'ring', name: 'Ring Partner' }],
    restaurants: [{ guid: RESTAURANTS.delta, key: 'delta', info: { general: general('Delta') } }],
    connections: [{ partner: 'ring', restaurant: 'delta' }],
  };
}
