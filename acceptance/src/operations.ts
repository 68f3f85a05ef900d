import { sandboxRows } from './sandbox-operations.ts';
import { webhookRows } from './webhook-operations.ts';

/**
 * The operations of the contract, transcribed by hand from its text. The suite asks for paths from
 * this list, never from the contract package, so that a slip there is seen as a 404 here.
 */

/** How an operation names its restaurant; `path`: in the path alone; `order`: the header may lack. */
type RestaurantRule = 'header' | 'order' | 'path' | 'none';

/** The error body that an operation's own refusals have (API-1). */
type ErrorShape = 'ErrorMessage' | 'ServiceError' | 'OAuthError';

/** One operation as the contract's text describes it. */
export interface ExpectedOperation {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Full path below the base address, with `{parameters}`. */
  readonly path: string;
  /** The scope it needs, or null when a live token is enough or none is asked. */
  readonly scope: string | null;
  /** Another scope that is enough. */
  readonly orScope: string | null;
  readonly token: boolean;
  /** True: the session of a person has to be sent, and no token does. */
  readonly session: boolean;
  readonly restaurant: RestaurantRule;
  /** The resource of its answer, in the notation of resources.ts; null: none, but a text. */
  readonly answer: string | null;
  readonly errors: ErrorShape;
  /** False for reads that differ each time, so that there is no ETag to ask again with (API-11). */
  readonly revalidated: boolean;
  /** The status of an answer that is no refusal. */
  readonly success: number;
}

/** The 23 collections of the configuration interface: path and object (docs/reference/configuration.md, CFG-1). */
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
  orScope: null,
  token: true,
  session: false,
  restaurant: 'header',
  answer,
  errors: 'ErrorMessage',
  revalidated: true,
  success: 200,
  ...rest,
});

const open = { token: false, restaurant: 'none' } as const;
const stock = '/stock/v1/inventory';
const payment = '/ccpartner/v1/merchants/{merchantUuid}/payments/{paymentUuid}';
const ownPayment = '/platform/v1/merchants/{merchantUuid}/payments/{paymentUuid}';
const metadata = '/.well-known/oauth-authorization-server';

const check = '/orders/{orderGuid}/checks/{checkGuid}';
const order = (path: string, answer: string, scope: string, method: Row['method'] = 'POST') =>
  get(`/orders/v2${path}`, answer, { method, scope });
/** Works without the restaurant header too (ORD-3). */
const ofOrder = (path: string, scope: string, method: Row['method'] = 'POST') =>
  get(`/orders/v2${check}${path}`, 'Order', { method, scope, restaurant: 'order' });

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
  'menus.get': get('/menus/v2/menus', 'MenusDocument', { scope: 'menus:read' }),
  'menus.getMetadata': get('/menus/v2/metadata', 'MenusMetadata', { scope: 'menus:read' }),
  'orders.price': order('/prices', 'Order', 'orders.orders:write'),
  'orders.place': order('/orders', 'Order', 'orders.orders:write'),
  'orders.list': get('/orders/v2/orders', 'uuid[]', { scope: 'orders:read' }),
  'orders.get': get('/orders/v2/orders/{guid}', 'Order', { scope: 'orders:read' }),
  'orders.listBulk': get('/orders/v2/ordersBulk', 'Order[]', { scope: 'orders:read' }),
  'orders.applicableDiscounts': order(
    '/applicableDiscounts',
    'ApplicableDiscount[]',
    'orders.orders:write',
  ),
  'orders.selections.add': order(`${check}/selections`, 'Order', 'orders.items:write'),
  'orders.discounts.add': ofOrder('/appliedDiscounts', 'orders.discounts:write'),
  'orders.selectionDiscounts.add': ofOrder(
    '/selections/{selectionGuid}/appliedDiscounts',
    'orders.discounts:write',
  ),
  'orders.payments.add': ofOrder('/payments', 'orders.payments:write'),
  'orders.payments.update': ofOrder('/payments/{paymentGuid}', 'orders.payments:write', 'PATCH'),
  'orders.deliveryInfo.update': order(
    '/orders/{orderGuid}/deliveryInfo',
    'Order',
    'orders.delivery_info:write',
    'PATCH',
  ),
  'orders.void': {
    ...order('/orders/{orderGuid}/void', 'Order', 'orders.channel:void'),
    orScope: 'orders:void',
  },
  'orders.payments.list': get('/orders/v2/payments', 'uuid[]', { scope: 'orders:read' }),
  'orders.payments.get': get('/orders/v2/payments/{guid}', 'OrderPayment', {
    scope: 'orders:read',
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
  'platform.cardEncryptionKeys.list': get(
    '/platform/v1/cardEncryptionKeys',
    'CardEncryptionKey[]',
    {
      restaurant: 'none',
      scope: 'credit_cards.authorization:write',
    },
  ),
  'platform.payments.get': get(ownPayment, 'PartnerPayment', {
    scope: 'credit_cards.authorization:write',
  }),
  'platform.payments.void': get(`${ownPayment}/void`, 'PartnerPayment', {
    method: 'POST',
    scope: 'credit_cards.authorization:write',
  }),
  'platform.whoami': get('/platform/v1/whoami', 'WhoAmI', { restaurant: 'none' }),
  'platform.changes.list': get('/platform/v1/changes', 'PublishedChangePage', {
    scope: 'config:read',
  }),
  'platform.events.list': get('/platform/v1/events', 'EventPage', { restaurant: 'none' }),
  'platform.events.stream': get('/platform/v1/events/stream', null, {
    restaurant: 'none',
    revalidated: false,
  }),
  'auth.login': get('/authentication/v1/authentication/login', 'LoginResponse', {
    ...open,
    method: 'POST',
  }),
  'auth.token': get('/oauth/token', 'TokenResponse', {
    ...open,
    method: 'POST',
    errors: 'OAuthError',
  }),
  'auth.introspect': get('/oauth/introspect', 'IntrospectionResponse', {
    ...open,
    method: 'POST',
    errors: 'OAuthError',
  }),
  'auth.revoke': get('/oauth/revoke', 'RevocationResponse', {
    ...open,
    method: 'POST',
    errors: 'OAuthError',
  }),
  'auth.metadata': get(metadata, 'AuthorizationServerMetadata', open),
  'auth.jwks': get('/.well-known/jwks.json', 'JsonWebKeySet', open),
  'health.live': get('/healthz', 'HealthReport', open),
  'health.ready': get('/readyz', 'HealthReport', open),
  'docs.error': get('/errors/{code}', null, open),
  'docs.index': get('/', null, open),
  'docs.llms': get('/llms.txt', null, open),
  'docs.openapi': get('/openapi/{file}', null, open),
  'docs.reference': get('/reference', null, open),
  'docs.referencePage': get('/reference/{page}', null, open),
};

const backOffice = '/backoffice/v1';
const lifecycle = `${backOffice}/merchants/{merchantUuid}/payments/{paymentUuid}`;
const restaurantStock = `${backOffice}/restaurants/{restaurantGuid}/stock`;
const restaurantOrders = `${backOffice}/restaurants/{restaurantGuid}/orders`;
const oneOrder = `${restaurantOrders}/{orderGuid}`;
const clientKeys = `${backOffice}/clients/{clientId}/cardKeys`;

/** A read of the back office: no restaurant header. */
const look = (what: string, path: string, answer: string | null, rest: Partial<Row> = {}): Row =>
  get(path, answer, {
    scope: `${what}:read`,
    restaurant: /\/(merchants|restaurants)\/\{/.test(path) ? 'path' : 'none',
    ...rest,
  });

/** What changes something by the back office. */
const change = (what: string, path: string, answer: string, rest: Partial<Row> = {}): Row =>
  look(what, path, answer, { scope: `${what}:write`, method: 'POST', ...rest });

const orders = 'payments.lifecycle';
const organization = 'restaurants.admin';
const groups = `${backOffice}/managementGroups`;
const oneGroup = `${groups}/{managementGroupGuid}`;
const restaurants = `${backOffice}/restaurants`;
const oneRestaurant = `${restaurants}/{restaurantGuid}`;
const drafts = `${oneRestaurant}/configuration`;
const objects = `${drafts}/objects/{collection}`;
const oneObject = `${objects}/{guid}`;
const publications = `${drafts}/publications`;
const patch = { method: 'PATCH' } as const;

/** What needs no session yet, because it leads to one. */
const endpoint = (path: string, answer: string | null): Row =>
  get(`${backOffice}${path}`, answer, { ...open, method: answer === null ? 'GET' : 'POST' });

/** What a person who logged in asks about himself. */
const self = (method: Row['method'], path: string, answer: string, revalidated = true): Row =>
  get(`${backOffice}${path}`, answer, {
    ...{ method, restaurant: 'none', session: true },
    revalidated: revalidated && method === 'GET',
  });

const people = `${backOffice}/people`;
const onePerson = `${people}/{personGuid}`;

const peopleRows: Readonly<Record<string, Row>> = {
  'sessions.begin': endpoint('/sessions', 'BackOfficeSession'),
  'sessions.demoPeople': get(`${backOffice}/sessions/demo`, 'DemoSignIn[]', {
    ...open,
    revalidated: false,
  }),
  'sessions.beginDemo': endpoint('/sessions/demo', 'BackOfficeSession'),
  'sessions.demoToken': endpoint('/sessions/demo/tokens', 'DemoToken'),
  'session.get': self('GET', '/session', 'BackOfficeSession', false),
  'session.end': self('DELETE', '/session', 'EndedSession'),
  'invitations.inspect': endpoint('/invitations/inspect', 'Invitation'),
  'invitations.accept': endpoint('/invitations/accept', 'BackOfficeSession'),
  'me.sessions.list': self('GET', '/me/sessions', 'PersonSession[]'),
  'me.sessions.end': self('DELETE', '/me/sessions/{sessionGuid}', 'EndedSession'),
  'me.password.change': self('POST', '/me/password', 'Person'),
  'me.totp.begin': self('POST', '/me/totp', 'BegunTotp'),
  'me.totp.confirm': self('POST', '/me/totp/confirm', 'RecoveryCodes'),
  'me.totp.remove': self('POST', '/me/totp/remove', 'Person'),
  'me.views.list': self('GET', '/me/views', 'SavedView[]'),
  'me.views.save': self('POST', '/me/views', 'SavedView'),
  'me.views.delete': self('DELETE', '/me/views/{viewGuid}', 'DeletedView'),
  'people.list': look('people', people, 'PersonPage'),
  'people.create': change('people', people, 'InvitedPerson'),
  'people.get': look('people', onePerson, 'Person'),
  'people.update': change('people', onePerson, 'Person', patch),
  'people.deactivate': change('people', `${onePerson}/deactivate`, 'Person'),
  'people.reactivate': change('people', `${onePerson}/reactivate`, 'Person'),
  'people.invite': change('people', `${onePerson}/invite`, 'InvitedPerson'),
  'people.removeTotp': change('people', `${onePerson}/removeTotp`, 'Person'),
  'people.sessions.list': look('people', `${onePerson}/sessions`, 'PersonSession[]'),
  'people.sessions.end': change('people', `${onePerson}/sessions/{sessionGuid}`, 'EndedSession', {
    method: 'DELETE',
  }),
  'people.roles.give': change('people', `${onePerson}/roles`, 'Person'),
  'people.roles.take': change('people', `${onePerson}/roles/{roleGuid}`, 'Person', {
    method: 'DELETE',
  }),
};

const partners = `${backOffice}/partners`;
const onePartner = `${partners}/{partnerGuid}`;
const clients = `${backOffice}/clients`;
const oneClient = `${clients}/{clientId}`;
const connections = `${oneRestaurant}/connections`;
const oneConnection = `${connections}/{partnerGuid}`;

const accountRows: Readonly<Record<string, Row>> = {
  'partners.list': look('clients', partners, 'PartnerPage'),
  'partners.create': change('clients', partners, 'Partner'),
  'partners.get': look('clients', onePartner, 'Partner'),
  'partners.update': change('clients', onePartner, 'Partner', patch),
  'partners.connections': look('connections', `${onePartner}/connections`, 'ConnectionPage'),
  'partners.events': look('connections', `${onePartner}/events`, 'PartnerEventPage'),
  'clients.list': look('clients', clients, 'ApiClientPage', { revalidated: false }),
  'clients.create': change('clients', clients, 'IssuedApiClientSecret'),
  'clients.get': look('clients', oneClient, 'ApiClient', { revalidated: false }),
  'clients.update': change('clients', oneClient, 'ApiClient', patch),
  'clients.usage': look('clients', `${oneClient}/usage`, 'ApiClientUsage', {
    revalidated: false,
  }),
  'clients.addSecret': change('clients', `${oneClient}/secrets`, 'IssuedApiClientSecret'),
  'clients.revokeSecret': change(
    'clients',
    `${oneClient}/secrets/{secretGuid}/revoke`,
    'ApiClient',
  ),
  'clients.revoke': change('clients', `${oneClient}/revoke`, 'ApiClient'),
  'connections.list': look('connections', connections, 'ConnectionPage'),
  'connections.partners': look(
    'connections',
    `${oneRestaurant}/partners`,
    'ConnectablePartnerPage',
  ),
  'connections.connect': change('connections', connections, 'Connection'),
  'connections.get': look('connections', oneConnection, 'Connection'),
  'connections.update': change('connections', oneConnection, 'Connection', patch),
  'connections.disconnect': change('connections', `${oneConnection}/disconnect`, 'Connection'),
  'connections.timeline': look('connections', `${oneConnection}/timeline`, 'ConnectionChangePage'),
};

const backOfficeRows: Readonly<Record<string, Row>> = {
  ...accountRows,
  ...webhookRows({ look, change, partner: onePartner }),
  ...sandboxRows(look, change),
  'payments.list': look(orders, `${backOffice}/payments`, 'BackOfficePaymentPage'),
  'payments.get': look(orders, lifecycle, 'BackOfficePayment'),
  'payments.events': look(orders, `${lifecycle}/events`, 'PaymentEvent[]'),
  'payments.apply': change(orders, `${lifecycle}/apply`, 'BackOfficePayment'),
  'payments.fulfil': change(orders, `${lifecycle}/fulfil`, 'BackOfficePayment'),
  'payments.void': change(orders, `${lifecycle}/void`, 'BackOfficePayment'),
  'payments.capture': change(orders, `${lifecycle}/capture`, 'BackOfficePayment'),
  'payments.tip': change(orders, `${lifecycle}/tip`, 'BackOfficePayment'),
  'clock.get': look('clock', `${backOffice}/clock`, 'ClockStatus', { revalidated: false }),
  'clock.freeze': change('clock', `${backOffice}/clock/freeze`, 'ClockMove'),
  'clock.run': change('clock', `${backOffice}/clock/run`, 'ClockMove'),
  'clock.set': change('clock', `${backOffice}/clock/set`, 'ClockMove'),
  'clock.advance': change('clock', `${backOffice}/clock/advance`, 'ClockMove'),
  'clock.next': change('clock', `${backOffice}/clock/next`, 'ClockMove'),
  'faults.list': look('faults', `${backOffice}/faults`, 'FaultRules', { revalidated: false }),
  'faults.add': change('faults', `${backOffice}/faults`, 'FaultRule'),
  'faults.remove': change('faults', `${backOffice}/faults/{faultGuid}`, 'FaultRules', {
    method: 'DELETE',
  }),
  'faults.setProfile': change('faults', `${backOffice}/faults/profile`, 'FaultRules', {
    method: 'PUT',
  }),
  'cardKeys.list': look('card_keys', clientKeys, 'CardKey[]'),
  'cardKeys.issue': change('card_keys', clientKeys, 'CardKey'),
  'cardKeys.activate': change('card_keys', `${clientKeys}/{keyId}/activate`, 'CardKey'),
  'cardKeys.retire': change('card_keys', `${clientKeys}/{keyId}/retire`, 'CardKey'),
  'cardKeys.destroy': change('card_keys', `${clientKeys}/{keyId}/destroy`, 'CardKey'),
  'alarms.list': look(orders, `${backOffice}/alarms`, 'AlarmPage'),
  'alarms.acknowledge': change(orders, `${backOffice}/alarms/{alarmGuid}/acknowledge`, 'Alarm'),
  'stock.list': look('stock.admin', restaurantStock, 'StockItemPage'),
  'stock.set': change('stock.admin', restaurantStock, 'StockItem[]'),
  'stock.history': look('stock.admin', `${restaurantStock}/history`, 'StockChangePage'),
  'stock.undo': change('stock.admin', `${restaurantStock}/history/{changeGuid}/undo`, 'StockItem'),
  'stock.ranOut': look('stock.admin', `${restaurantStock}/ranOut`, 'RanOutPage'),
  'orders.list': look('orders.admin', restaurantOrders, 'BackOfficeOrderPage'),
  'orders.get': look('orders.admin', oneOrder, 'BackOfficeOrder'),
  'orders.events': look('orders.admin', `${oneOrder}/events`, 'OrderEvent[]'),
  'orders.approve': change('orders.admin', `${oneOrder}/approve`, 'BackOfficeOrder'),
  'orders.reject': change('orders.admin', `${oneOrder}/reject`, 'BackOfficeOrder'),
  'orders.fire': change('orders.admin', `${oneOrder}/fire`, 'BackOfficeOrder'),
  'orders.hold': change('orders.admin', `${oneOrder}/hold`, 'BackOfficeOrder'),
  'orders.ready': change('orders.admin', `${oneOrder}/ready`, 'BackOfficeOrder'),
  'orders.fulfil': change('orders.admin', `${oneOrder}/fulfil`, 'BackOfficeOrder'),
  'orders.payments.add': change(
    'orders.admin',
    `${oneOrder}/checks/{checkGuid}/payments`,
    'BackOfficeOrder',
  ),
  'orders.payments.void': change(
    'orders.admin',
    `${oneOrder}/payments/{paymentGuid}/void`,
    'BackOfficeOrder',
  ),
  'orders.selections.void': change(
    'orders.admin',
    `${oneOrder}/selections/{selectionGuid}/void`,
    'BackOfficeOrder',
  ),
  'orders.void': change('orders.admin', `${oneOrder}/void`, 'BackOfficeOrder'),
  'audit.list': look('audit', `${backOffice}/audit`, 'AuditEntryPage'),
  'audit.export': look('audit', `${backOffice}/audit/export`, null, { revalidated: false }),
  'audit.verify': look('audit', `${backOffice}/audit/verify`, 'AuditVerdict', {
    revalidated: false,
  }),
  'requests.list': look('requests', `${backOffice}/requests`, 'LoggedRequestPage', {
    revalidated: false,
  }),
  'requests.get': look('requests', `${backOffice}/requests/{requestId}`, 'LoggedRequestDetails'),
  'requests.replay': change(
    'requests',
    `${backOffice}/requests/{requestId}/replay`,
    'ReplayedRequest',
  ),
  'requests.stream': look('requests', `${backOffice}/requests/stream`, null, {
    revalidated: false,
  }),
  metrics: look('metrics', `${backOffice}/metrics`, null, { revalidated: false }),
  'health.get': look('metrics', `${backOffice}/health`, 'Health'),
  'managementGroups.list': look(organization, groups, 'ManagementGroupPage'),
  'managementGroups.create': change(organization, groups, 'ManagementGroup'),
  'managementGroups.get': look(organization, oneGroup, 'ManagementGroup'),
  'managementGroups.update': change(organization, oneGroup, 'ManagementGroup', patch),
  'managementGroups.archive': change(organization, `${oneGroup}/archive`, 'ManagementGroup'),
  'managementGroups.unarchive': change(organization, `${oneGroup}/unarchive`, 'ManagementGroup'),
  'restaurants.list': look(organization, restaurants, 'RestaurantOverviewPage'),
  'restaurants.create': change(organization, restaurants, 'BackOfficeRestaurant'),
  'restaurants.get': look(organization, oneRestaurant, 'BackOfficeRestaurant'),
  'restaurants.update': change(organization, oneRestaurant, 'BackOfficeRestaurant', patch),
  'restaurants.archive': change(organization, `${oneRestaurant}/archive`, 'BackOfficeRestaurant'),
  'restaurants.unarchive': change(
    organization,
    `${oneRestaurant}/unarchive`,
    'BackOfficeRestaurant',
  ),
  ...peopleRows,
  ...draftRows(),
  whoami: look('', `${backOffice}/whoami`, 'WhoAmI', { scope: null }),
};

/** Configuration as drafts, publications and documents. */
function draftRows(): Record<string, Row> {
  const read = (path: string, answer: string, rest: Partial<Row> = {}) =>
    look('configuration', path, answer, rest);
  const write = (path: string, answer = 'ConfigurationObject', rest: Partial<Row> = {}) =>
    change('configuration', path, answer, rest);
  const publish = (path: string, answer: string) =>
    write(path, answer, { scope: 'configuration:publish' });
  const rows: Record<string, Row> = {
    'objects.list': read(objects, 'ConfigurationObjectPage'),
    'objects.create': write(objects),
    'objects.get': read(oneObject, 'ConfigurationObject'),
    'objects.update': write(oneObject, 'ConfigurationObject', patch),
    'objects.archive': write(`${oneObject}/archive`),
    'objects.unarchive': write(`${oneObject}/unarchive`),
    'objects.discard': write(`${oneObject}/discard`),
    'tipWithholding.get': read(`${drafts}/tipWithholding`, 'ConfigurationObject'),
    'tipWithholding.set': write(`${drafts}/tipWithholding`, 'ConfigurationObject', {
      method: 'PUT',
    }),
    'draft.get': read(`${drafts}/draft`, 'ConfigurationDraft'),
    'draft.apply': write(`${drafts}/draft/apply`, 'ConfigurationDraft'),
    'draft.discard': write(`${drafts}/draft/discard`, 'ConfigurationDraft'),
    'draft.preview': read(`${drafts}/draft/preview`, 'ConfigurationPreview'),
    'draft.menus': read(`${drafts}/draft/menus`, 'MenusDocument'),
    'publications.list': read(publications, 'PublicationPage'),
    'publications.publish': publish(publications, 'Publication'),
    'publications.get': read(`${publications}/{number}`, 'PublicationDetails'),
    'publications.rollBack': publish(`${publications}/{number}/rollback`, 'Publication'),
    plan: read(`${drafts}/plan`, 'ConfigurationPlan', { method: 'POST' }),
    apply: publish(`${drafts}/apply`, 'AppliedConfiguration'),
    export: read(`${drafts}/export`, 'ConfigurationDocument'),
    publishGroup: publish(`${oneGroup}/publications`, 'GroupPublication'),
  };
  return Object.fromEntries(
    Object.entries(rows).map(([name, row]) => [`configuration.${name}`, row]),
  );
}

/** Whether an operation is one of the back office. */
export const isBackOffice = ({ id }: Pick<ExpectedOperation, 'id'>): boolean =>
  id.startsWith('backOffice.');

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
  ...Object.entries(backOfficeRows).map(([id, row]): [string, Row] => [`backOffice.${id}`, row]),
].map(([id, row]) => ({ id, ...row }));

/** The operation of this id; throws for a typing error in a test. */
export function expectedOperation(id: string): ExpectedOperation {
  const found = expectedOperations.find((operation) => operation.id === id);
  if (!found) throw new Error(`no operation is called ${id}`);
  return found;
}
