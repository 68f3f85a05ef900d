import assert from 'node:assert/strict';
import { test } from 'node:test';
import { collections } from './collections.ts';
import { interfaces } from './interfaces.ts';
import { operationById, operations } from './operations.ts';
import { schemas } from './schemas.ts';
import { backOfficeScopes, partnerScopes, scopeGrants, scopes, scopesFor } from './scopes.ts';

const secured = operations.filter(({ security }) => security !== 'none');

const payment = '/backoffice/v1/merchants/{merchantUuid}/payments/{paymentUuid}';
const clientKeys = '/backoffice/v1/clients/{clientId}/cardKeys';
const person = '/backoffice/v1/people/{personGuid}';
const partner = '/backoffice/v1/partners/{partnerGuid}';
const client = '/backoffice/v1/clients/{clientId}';
const connections = '/backoffice/v1/restaurants/{restaurantGuid}/connections';
const groups = '/backoffice/v1/managementGroups';
const group = `${groups}/{managementGroupGuid}`;
const restaurants = '/backoffice/v1/restaurants';
const restaurant = `${restaurants}/{restaurantGuid}`;
const configuration = `${restaurant}/configuration`;
const stock = `${restaurant}/stock`;
const endpoints = '/backoffice/v1/webhooks/endpoints';
const endpoint = `${endpoints}/{endpointGuid}`;
const deliveries = '/backoffice/v1/webhooks/deliveries';

/** The operations of the back office with the body that each takes, copied by hand. */
const expectedBackOffice = [
  'payments.list GET /backoffice/v1/payments payments.lifecycle:read -',
  `payments.get GET ${payment} payments.lifecycle:read -`,
  `payments.events GET ${payment}/events payments.lifecycle:read -`,
  `payments.apply POST ${payment}/apply payments.lifecycle:write ApplyPayment`,
  `payments.fulfil POST ${payment}/fulfil payments.lifecycle:write -`,
  `payments.void POST ${payment}/void payments.lifecycle:write VoidPayment`,
  `payments.capture POST ${payment}/capture payments.lifecycle:write -`,
  'clock.get GET /backoffice/v1/clock clock:read -',
  'clock.freeze POST /backoffice/v1/clock/freeze clock:write -',
  'clock.run POST /backoffice/v1/clock/run clock:write -',
  'clock.set POST /backoffice/v1/clock/set clock:write SetClock',
  'clock.advance POST /backoffice/v1/clock/advance clock:write AdvanceClock',
  'clock.next POST /backoffice/v1/clock/next clock:write -',
  `cardKeys.list GET ${clientKeys} card_keys:read -`,
  `cardKeys.issue POST ${clientKeys} card_keys:write IssueCardKey`,
  `cardKeys.activate POST ${clientKeys}/{keyId}/activate card_keys:write -`,
  `cardKeys.retire POST ${clientKeys}/{keyId}/retire card_keys:write -`,
  `cardKeys.destroy POST ${clientKeys}/{keyId}/destroy card_keys:write -`,
  'alarms.list GET /backoffice/v1/alarms payments.lifecycle:read -',
  'alarms.acknowledge POST /backoffice/v1/alarms/{alarmGuid}/acknowledge ' +
    'payments.lifecycle:write AcknowledgeAlarm',
  'metrics GET /backoffice/v1/metrics metrics:read -',
  `managementGroups.list GET ${groups} restaurants.admin:read -`,
  `managementGroups.create POST ${groups} restaurants.admin:write CreateManagementGroup`,
  `managementGroups.get GET ${group} restaurants.admin:read -`,
  `managementGroups.update PATCH ${group} restaurants.admin:write EditManagementGroup`,
  `managementGroups.archive POST ${group}/archive restaurants.admin:write -`,
  `managementGroups.unarchive POST ${group}/unarchive restaurants.admin:write -`,
  `restaurants.list GET ${restaurants} restaurants.admin:read -`,
  `restaurants.create POST ${restaurants} restaurants.admin:write CreateRestaurant`,
  `restaurants.get GET ${restaurant} restaurants.admin:read -`,
  `restaurants.update PATCH ${restaurant} restaurants.admin:write EditRestaurant`,
  `restaurants.archive POST ${restaurant}/archive restaurants.admin:write -`,
  `restaurants.unarchive POST ${restaurant}/unarchive restaurants.admin:write -`,
  'whoami GET /backoffice/v1/whoami null -',
  `stock.list GET ${stock} stock.admin:read -`,
  `stock.set POST ${stock} stock.admin:write SetStock`,
  `stock.history GET ${stock}/history stock.admin:read -`,
  `stock.undo POST ${stock}/history/{changeGuid}/undo stock.admin:write -`,
  `stock.ranOut GET ${stock}/ranOut stock.admin:read -`,
  `configuration.objects.list GET ${configuration}/objects/{collection} configuration:read -`,
  `configuration.objects.create POST ${configuration}/objects/{collection} ` +
    'configuration:write ConfigurationObjectFields',
  `configuration.objects.get GET ${configuration}/objects/{collection}/{guid} configuration:read -`,
  `configuration.objects.update PATCH ${configuration}/objects/{collection}/{guid} ` +
    'configuration:write ConfigurationObjectFields',
  `configuration.objects.archive POST ${configuration}/objects/{collection}/{guid}/archive ` +
    'configuration:write -',
  `configuration.objects.unarchive POST ${configuration}/objects/{collection}/{guid}/unarchive ` +
    'configuration:write -',
  `configuration.objects.discard POST ${configuration}/objects/{collection}/{guid}/discard ` +
    'configuration:write -',
  `configuration.tipWithholding.get GET ${configuration}/tipWithholding configuration:read -`,
  `configuration.tipWithholding.set PUT ${configuration}/tipWithholding ` +
    'configuration:write SetTipWithholding',
  `configuration.draft.get GET ${configuration}/draft configuration:read -`,
  `configuration.draft.discard POST ${configuration}/draft/discard ` +
    'configuration:write DiscardDrafts',
  `configuration.draft.preview GET ${configuration}/draft/preview configuration:read -`,
  `configuration.publications.list GET ${configuration}/publications configuration:read -`,
  `configuration.publications.publish POST ${configuration}/publications ` +
    'configuration:publish PublishConfiguration',
  `configuration.publications.get GET ${configuration}/publications/{number} configuration:read -`,
  `configuration.publications.rollBack POST ${configuration}/publications/{number}/rollback ` +
    'configuration:publish RollBackConfiguration',
  `configuration.plan POST ${configuration}/plan configuration:read PlanConfiguration`,
  `configuration.apply POST ${configuration}/apply configuration:publish ApplyConfiguration`,
  `configuration.export GET ${configuration}/export configuration:read -`,
  `configuration.publishGroup POST ${group}/publications configuration:publish PublishGroup`,
  'sessions.begin POST /backoffice/v1/sessions null LogIn',
  'session.get GET /backoffice/v1/session null -',
  'session.end DELETE /backoffice/v1/session null -',
  'invitations.page GET /backoffice/v1/invitation null -',
  'invitations.inspect POST /backoffice/v1/invitations/inspect null InspectInvitation',
  'invitations.accept POST /backoffice/v1/invitations/accept null AcceptInvitation',
  'me.sessions.list GET /backoffice/v1/me/sessions null -',
  'me.sessions.end DELETE /backoffice/v1/me/sessions/{sessionGuid} null -',
  'me.password.change POST /backoffice/v1/me/password null ChangePassword',
  'me.totp.begin POST /backoffice/v1/me/totp null BeginTotp',
  'me.totp.confirm POST /backoffice/v1/me/totp/confirm null ConfirmTotp',
  'me.totp.remove POST /backoffice/v1/me/totp/remove null RemoveTotp',
  'people.list GET /backoffice/v1/people people:read -',
  'people.create POST /backoffice/v1/people people:write CreatePerson',
  `people.get GET ${person} people:read -`,
  `people.update PATCH ${person} people:write UpdatePerson`,
  `people.deactivate POST ${person}/deactivate people:write -`,
  `people.reactivate POST ${person}/reactivate people:write -`,
  `people.invite POST ${person}/invite people:write -`,
  `people.removeTotp POST ${person}/removeTotp people:write -`,
  `people.roles.give POST ${person}/roles people:write GiveRole`,
  `people.roles.take DELETE ${person}/roles/{roleGuid} people:write -`,
  'partners.list GET /backoffice/v1/partners clients:read -',
  'partners.create POST /backoffice/v1/partners clients:write NewPartner',
  `partners.get GET ${partner} clients:read -`,
  `partners.update PATCH ${partner} clients:write PartnerEdit`,
  `partners.connections GET ${partner}/connections connections:read -`,
  `partners.events GET ${partner}/events connections:read -`,
  'clients.list GET /backoffice/v1/clients clients:read -',
  'clients.create POST /backoffice/v1/clients clients:write NewApiClient',
  `clients.get GET ${client} clients:read -`,
  `clients.update PATCH ${client} clients:write ApiClientEdit`,
  `clients.usage GET ${client}/usage clients:read -`,
  `clients.addSecret POST ${client}/secrets clients:write NewApiClientSecret`,
  `clients.revokeSecret POST ${client}/secrets/{secretGuid}/revoke clients:write -`,
  `clients.revoke POST ${client}/revoke clients:write -`,
  `connections.list GET ${connections} connections:read -`,
  `connections.connect POST ${connections} connections:write NewConnection`,
  'connections.partners GET /backoffice/v1/restaurants/{restaurantGuid}/partners ' +
    'connections:read -',
  `connections.get GET ${connections}/{partnerGuid} connections:read -`,
  `connections.update PATCH ${connections}/{partnerGuid} connections:write ConnectionEdit`,
  `connections.disconnect POST ${connections}/{partnerGuid}/disconnect ` +
    'connections:write EndConnection',
  `connections.timeline GET ${connections}/{partnerGuid}/timeline connections:read -`,
  `webhooks.endpoints.list GET ${endpoints} webhooks:read -`,
  `webhooks.endpoints.create POST ${endpoints} webhooks:write NewWebhookEndpoint`,
  `webhooks.endpoints.get GET ${endpoint} webhooks:read -`,
  `webhooks.endpoints.update PATCH ${endpoint} webhooks:write WebhookEndpointEdit`,
  `webhooks.endpoints.pause POST ${endpoint}/pause webhooks:write EndWebhookSending`,
  `webhooks.endpoints.resume POST ${endpoint}/resume webhooks:write -`,
  `webhooks.endpoints.disable POST ${endpoint}/disable webhooks:write EndWebhookSending`,
  `webhooks.endpoints.archive POST ${endpoint}/archive webhooks:write -`,
  `webhooks.secrets.add POST ${endpoint}/secrets webhooks:write NewWebhookSecret`,
  `webhooks.secrets.revoke POST ${endpoint}/secrets/{secretGuid}/revoke webhooks:write -`,
  `webhooks.test POST ${endpoint}/test webhooks:write TestWebhook`,
  `webhooks.trigger POST ${partner}/testEvents webhooks:write TestWebhook`,
  `webhooks.replay POST ${endpoint}/replay webhooks:write ReplayWebhooks`,
  `webhooks.deliveries.list GET ${deliveries} webhooks:read -`,
  `webhooks.deliveries.get GET ${deliveries}/{deliveryGuid} webhooks:read -`,
  `webhooks.deliveries.drop POST ${deliveries}/{deliveryGuid}/drop webhooks:write ` +
    'DropWebhookDelivery',
  'requests.list GET /backoffice/v1/requests requests:read -',
  'requests.get GET /backoffice/v1/requests/{requestId} requests:read -',
  'requests.stream GET /backoffice/v1/requests/stream requests:read -',
  'audit.list GET /backoffice/v1/audit audit:read -',
  'audit.export GET /backoffice/v1/audit/export audit:read -',
  'audit.verify GET /backoffice/v1/audit/verify audit:read -',
];

/** The operations of the five interfaces, copied by hand from the spec. */
const expected = [
  'creditCards.authorize PUT /ccpartner/v1/merchants/{merchantUuid}/payments/{paymentUuid} ' +
    'credit_cards.authorization:write',
  'stock.list GET /stock/v1/inventory stock:read',
  'stock.search POST /stock/v1/inventory/search stock:read',
  'stock.update PUT /stock/v1/inventory/update stock:write',
  ...collections.flatMap(({ name }) => [
    `configuration.${name}.list GET /config/v2/${name} config:read`,
    `configuration.${name}.get GET /config/v2/${name}/{guid} config:read`,
  ]),
  'configuration.tipWithholding.get GET /config/v2/tipWithholding config:read',
  'partners.restaurants.list GET /partners/v1/restaurants -',
  'partners.connectedRestaurants.list GET /partners/v1/connectedRestaurants -',
  'restaurants.get GET /restaurants/v1/restaurants/{restaurantGUID} restaurants:read',
  'restaurants.listGroup GET /restaurants/v1/groups/{managementGroupGUID}/restaurants ' +
    'restaurants:read',
];

test('contract AUTH-8: the five interfaces have the operations of the spec, with their scopes', () => {
  const own = ['backOffice', 'platform', 'authentication'];
  const declared = operations
    .filter((each) => !own.includes(each.interface))
    .map(({ id, method, path, scope }) => `${id} ${method} ${path} ${scope ?? '-'}`);
  assert.deepEqual(declared, expected);
});

test('contract PAY-12: the back office has its operations, scopes and bodies', () => {
  const declared = operations
    .filter((each) => each.interface === 'backOffice')
    .map(
      ({ id, method, path, scope, requestBody }) =>
        `${id} ${method} ${path} ${scope} ${requestBody?.schema ?? '-'}`,
    );
  const expectedIds = expectedBackOffice.map((line) => `backOffice.${line}`);
  assert.deepEqual(declared.sort(), expectedIds.sort());
});

test('contract: no scope opens both a partner interface and the back office', () => {
  for (const { id, interface: owner, scope } of secured) {
    if (scope === null) continue;
    const isBackOffice = owner === 'backOffice';
    assert.equal(scopesFor('BACK_OFFICE').includes(scope), isBackOffice, id);
    assert.equal(scopesFor('PARTNER').includes(scope), !isBackOffice, id);
  }
  const used = new Set(secured.map(({ scope }) => scope));
  for (const scope of [...partnerScopes, ...backOfficeScopes]) assert.ok(used.has(scope), scope);
  assert.equal(scopesFor('CUSTOMER'), scopesFor('PARTNER'));
});

test('contract: every operation has an id, and a method and path, of its own', () => {
  const places = operations.map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '*')}`);
  assert.equal(new Set(operations.map(({ id }) => id)).size, operations.length);
  assert.equal(new Set(places).size, operations.length);
  for (const each of operations) assert.equal(operationById(each.id), each);
  assert.throws(() => operationById('stock.guess' as never), /no operation/);
});

test('contract: every path of the five interfaces starts with their prefix', () => {
  for (const { id, path, interface: owner } of secured) {
    assert.ok(path.startsWith(`${interfaces[owner].prefix}/`), id);
  }
});

test('contract: every path parameter is described, and every scope known', () => {
  for (const { id, path, params, scope } of operations) {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    assert.deepEqual(Object.keys(params), named, id);
    assert.ok(scope === null || scopes.includes(scope), id);
  }
  assert.deepEqual(Object.keys(scopeGrants), [...scopes]);
});

test('contract: every body is a known resource', () => {
  const texts: Record<string, string> = {
    'docs.error': 'text/html',
    'docs.index': 'text/html',
    'docs.openapi': 'application/json',
    'backOffice.metrics': 'text/plain',
    'backOffice.invitations.page': 'text/html',
    'backOffice.audit.export': 'application/x-ndjson',
    'backOffice.requests.stream': 'text/event-stream',
    'platform.events.stream': 'text/event-stream',
  };
  for (const { id, requestBody, response, mediaType } of operations) {
    if (requestBody) assert.ok(requestBody.schema in schemas, id);
    if (response) assert.ok(response.schema in schemas, id);
    assert.equal(mediaType, response ? 'application/json' : texts[id], id);
  }
});

test('contract API-5: an operation can answer every refusal that its kind brings', () => {
  for (const { id, statuses, security, restaurant, requestBody, query } of operations) {
    const refusals = [
      ...(security === 'none' ? [] : [401, 403]),
      ...(Object.keys(query).length > 0 ? [400] : []),
      // In the header a restaurant can be missing or no GUID; in the path it is only not there.
      ...(restaurant === 'none' ? [] : [/InPath$/.test(restaurant) ? 404 : 400]),
      ...(requestBody ? [400, 413] : []),
      ...(requestBody && id !== 'auth.login' ? [415] : []),
      ...(id.startsWith('health.') ? [] : [429, 500, 503]),
    ];
    for (const status of refusals) assert.ok(statuses.includes(status), `${id} ${status}`);
    assert.deepEqual(statuses, [...new Set(statuses)].sort(), id);
  }
});

test('contract: the statuses of each interface are those that its rules give', () => {
  const statusesOf = (id: Parameters<typeof operationById>[0]) => operationById(id).statuses;
  const common = [500, 503];
  assert.deepEqual(statusesOf('creditCards.authorize'), [
    ...[200, 400, 401, 403, 404, 409, 413, 415, 422, 429],
    ...common,
  ]);
  assert.deepEqual(statusesOf('configuration.menus.list'), [
    ...[200, 304, 400, 401, 403, 409, 429],
    ...common,
  ]);
  assert.deepEqual(statusesOf('configuration.menus.get'), [
    ...[200, 304, 400, 401, 403, 404, 429],
    ...common,
  ]);
  assert.deepEqual(statusesOf('configuration.tipWithholding.get'), [
    ...[200, 304, 400, 401, 403, 429],
    ...common,
  ]);
  assert.deepEqual(statusesOf('auth.login'), [200, 400, 401, 413, 429, ...common]);
  assert.deepEqual(statusesOf('health.ready'), [200, 304, 503]);
});

/** Reads whose answer is another one each time: there is nothing to revalidate. */
const moving = [
  'backOffice.clock.get',
  'backOffice.metrics',
  'backOffice.session.get',
  'backOffice.clients.list',
  'backOffice.clients.get',
  'backOffice.clients.usage',
  'backOffice.requests.list',
  'backOffice.requests.stream',
  'backOffice.audit.export',
  'backOffice.audit.verify',
  'platform.events.stream',
];

test('contract API-3 API-7 API-11: an operation promises the headers of its kind', () => {
  for (const { id, method, statuses, responseHeaders } of operations) {
    assert.ok(responseHeaders.includes('requestId'), id);
    const isMoving = moving.includes(id);
    assert.equal(responseHeaders.includes('ETag'), method === 'GET' && !isMoving, id);
    assert.equal(statuses.includes(304), method === 'GET' && !isMoving, id);
    const isCounted = statuses.includes(429) && id !== 'auth.login';
    assert.equal(responseHeaders.includes('rateLimitRemaining'), isCounted, id);
    const isPaged = /^configuration\..*\.list$/.test(id);
    assert.equal(responseHeaders.includes('nextPageToken'), isPaged, id);
    assert.equal(responseHeaders.includes('Link'), id === 'partners.connectedRestaurants.list', id);
  }
});

test('contract API-6 RST-2: operations find their restaurant as the spec says', () => {
  const rules = new Map(operations.map(({ id, restaurant }) => [id, restaurant]));
  assert.equal(rules.get('creditCards.authorize'), 'merchant');
  assert.equal(rules.get('restaurants.get'), 'headerArchivedAllowed');
  assert.equal(rules.get('restaurants.listGroup'), 'header');
  assert.equal(rules.get('partners.restaurants.list'), 'none');
  assert.equal(rules.get('stock.update'), 'header');
  for (const { id, path, restaurant } of operations.filter((each) => /^backOffice/.test(each.id))) {
    const [, named] = /\{(merchantUuid|restaurantGuid)\}/.exec(path) ?? [];
    const rule = named === 'merchantUuid' ? 'merchantInPath' : 'restaurantInPath';
    assert.equal(restaurant, named ? rule : 'none', id);
  }
});
