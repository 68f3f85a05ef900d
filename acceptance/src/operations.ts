/**
 * The operations of the contract, transcribed by hand from its text. The suite asks for paths from
 * this list, never from the contract package, so that a slip there is seen as a 404 here.
 */

/** How an operation names the restaurant it works on. */
type RestaurantRule = 'header' | 'none';

/** The error body that an operation's own refusals have (C1). */
type ErrorShape = 'ErrorMessage' | 'ServiceError' | 'OAuthError';

/** One operation as the contract's text describes it. */
export interface ExpectedOperation {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Full path below the base address, with `{parameters}`. */
  readonly path: string;
  /** The scope it needs, or null when a live token is enough or none is asked. */
  readonly scope: string | null;
  readonly token: boolean;
  readonly restaurant: RestaurantRule;
  /** The resource of its 200 answer, in the notation of resources.ts; null: not one of those. */
  readonly answer: string | null;
  readonly errors: ErrorShape;
}

/** The 23 collections of the configuration interface: path and object (interfaces.md, K1). */
export const collections: readonly (readonly [path: string, object: string])[] = [
  ['alternatePaymentTypes', 'AlternatePaymentType'],
  ['breakTypes', 'BreakType'],
  ['cashDrawers', 'CashDrawer'],
  ['diningOptions', 'DiningOption'],
  ['discounts', 'Discount'],
  ['menuGroups', 'MenuGroup'],
  ['menuItems', 'MenuItem'],
  ['menuOptionGroups', 'MenuOptionGroup'],
  ['menus', 'Menu'],
  ['preModifiers', 'PreModifier'],
  ['preModifierGroups', 'PreModifierGroup'],
  ['noSaleReasons', 'NoSaleReason'],
  ['payoutReasons', 'PayoutReason'],
  ['priceGroups', 'PriceGroup'],
  ['printers', 'Printer'],
  ['restaurantServices', 'RestaurantService'],
  ['revenueCenters', 'RevenueCenter'],
  ['salesCategories', 'SalesCategory'],
  ['serviceAreas', 'ServiceArea'],
  ['serviceCharges', 'ServiceCharge'],
  ['tables', 'Table'],
  ['taxRates', 'TaxRate'],
  ['voidReasons', 'VoidReason'],
];

type Row = Omit<ExpectedOperation, 'id'>;

const get = (path: string, answer: string | null, rest: Partial<Row> = {}): Row => ({
  method: 'GET',
  path,
  scope: null,
  token: true,
  restaurant: 'header',
  answer,
  errors: 'ErrorMessage',
  ...rest,
});

const open = { token: false, restaurant: 'none' } as const;
const stock = '/stock/v1/inventory';
const payment = '/ccpartner/v1/merchants/{merchantUuid}/payments/{paymentUuid}';
const metadata = '/.well-known/oauth-authorization-server';

const fixed: Readonly<Record<string, Row>> = {
  'creditCards.authorize': get(payment, 'PaymentStatus', {
    method: 'PUT',
    scope: 'credit_cards.authorization:write',
    errors: 'ServiceError',
  }),
  'stock.list': get(stock, 'MenuItemInventory[]', { scope: 'stock:read' }),
  'stock.search': get(`${stock}/search`, 'MenuItemInventory[]', {
    method: 'POST',
    scope: 'stock:read',
  }),
  'stock.update': get(`${stock}/update`, 'MenuItemInventory[]', {
    method: 'PUT',
    scope: 'stock:write',
  }),
  'configuration.tipWithholding.get': get('/config/v2/tipWithholding', 'TipWithholding', {
    scope: 'config:read',
  }),
  'partners.restaurants.list': get('/partners/v1/restaurants', 'PartnerAccessExternalRep[]', {
    restaurant: 'none',
  }),
  'partners.connectedRestaurants.list': get(
    '/partners/v1/connectedRestaurants',
    'PaginatedResponse',
    { restaurant: 'none' },
  ),
  'restaurants.get': get('/restaurants/v1/restaurants/{restaurantGUID}', 'RestaurantInfo', {
    scope: 'restaurants:read',
  }),
  'restaurants.listGroup': get(
    '/restaurants/v1/groups/{managementGroupGUID}/restaurants',
    'Restaurant[]',
    { scope: 'restaurants:read' },
  ),
  'platform.cardEncryptionKeys.list': get('/platform/v1/cardEncryptionKeys', null, {
    restaurant: 'none',
    scope: 'credit_cards.authorization:write',
  }),
  'auth.login': get('/authentication/v1/authentication/login', 'LoginResponse', {
    ...open,
    method: 'POST',
  }),
  'auth.token': get('/oauth/token', null, { ...open, method: 'POST', errors: 'OAuthError' }),
  'auth.introspect': get('/oauth/introspect', null, {
    ...open,
    method: 'POST',
    errors: 'OAuthError',
  }),
  'auth.revoke': get('/oauth/revoke', null, { ...open, method: 'POST', errors: 'OAuthError' }),
  'auth.metadata': get(metadata, null, open),
  'auth.jwks': get('/.well-known/jwks.json', null, open),
  'health.live': get('/healthz', null, open),
  'health.ready': get('/readyz', null, open),
  'docs.error': get('/errors/{code}', null, open),
};

function collectionRows(): [string, Row][] {
  return collections.flatMap(([path, object]): [string, Row][] => [
    [
      `configuration.${path}.list`,
      get(`/config/v2/${path}`, `${object}[]`, { scope: 'config:read' }),
    ],
    [
      `configuration.${path}.get`,
      get(`/config/v2/${path}/{guid}`, object, { scope: 'config:read' }),
    ],
  ]);
}

/** Every operation, in a fixed order. */
export const expectedOperations: readonly ExpectedOperation[] = [
  ...Object.entries(fixed),
  ...collectionRows(),
].map(([id, row]) => ({ id, ...row }));

/** The operation of this id; throws for a typing error in a test. */
export function expectedOperation(id: string): ExpectedOperation {
  const found = expectedOperations.find((operation) => operation.id === id);
  if (!found) throw new Error(`no operation is called ${id}`);
  return found;
}
