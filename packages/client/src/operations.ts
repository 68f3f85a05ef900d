// Generated from the contract: run "npm run client".
import type {
  AcceptInvitation,
  AcknowledgeAlarm,
  AdvanceClock,
  Alarm,
  AlarmPage,
  AlternatePaymentType,
  ApiClient,
  ApiClientEdit,
  ApiClientPage,
  ApiClientUsage,
  AppliedConfiguration,
  ApplyConfiguration,
  ApplyPayment,
  AuditEntryPage,
  AuditVerdict,
  AuthorizationServerMetadata,
  BackOfficePayment,
  BackOfficePaymentPage,
  BackOfficeRestaurant,
  BackOfficeSession,
  BeginTotp,
  BegunTotp,
  BreakType,
  CardEncryptionKey,
  CardKey,
  CashDrawer,
  ChangePassword,
  ClockMove,
  ClockStatus,
  ConfigurationDocument,
  ConfigurationDraft,
  ConfigurationObject,
  ConfigurationObjectFields,
  ConfigurationObjectPage,
  ConfigurationPlan,
  ConfigurationPreview,
  ConfirmTotp,
  ConnectablePartnerPage,
  ConnectedRestaurants,
  Connection,
  ConnectionChangePage,
  ConnectionEdit,
  ConnectionPage,
  CreateManagementGroup,
  CreatePerson,
  CreateRestaurant,
  DiningOption,
  DiscardDrafts,
  Discount,
  DropWebhookDelivery,
  EditManagementGroup,
  EditRestaurant,
  EndConnection,
  EndedSession,
  EndWebhookSending,
  EventPage,
  GiveRole,
  GroupPublication,
  HealthReport,
  InspectInvitation,
  IntrospectionResponse,
  InventorySearchRequest,
  Invitation,
  InvitedPerson,
  IssueCardKey,
  IssuedApiClientSecret,
  IssuedWebhookSecret,
  JsonWebKeySet,
  LoggedRequestDetails,
  LoggedRequestPage,
  LogIn,
  LoginRequest,
  LoginResponse,
  ManagementGroup,
  ManagementGroupPage,
  Menu,
  MenuGroup,
  MenuItem,
  MenuItemInventory,
  MenuItemInventoryUpdate,
  MenuOptionGroup,
  NewApiClient,
  NewApiClientSecret,
  NewConnection,
  NewPartner,
  NewWebhookEndpoint,
  NewWebhookSecret,
  NoSaleReason,
  Partner,
  PartnerAccessExternalRep,
  PartnerEdit,
  PartnerEventPage,
  PartnerPage,
  PaymentAuthorization,
  PaymentEvent,
  PaymentStatus,
  PayoutReason,
  Person,
  PersonPage,
  PersonSession,
  PlanConfiguration,
  PreModifier,
  PreModifierGroup,
  PriceGroup,
  Printer,
  Publication,
  PublicationDetails,
  PublicationPage,
  PublishConfiguration,
  PublishGroup,
  RanOutPage,
  RecoveryCodes,
  RemoveTotp,
  ReplayWebhooks,
  Restaurant,
  RestaurantInfo,
  RestaurantOverviewPage,
  RestaurantService,
  RevenueCenter,
  RevocationResponse,
  RollBackConfiguration,
  SalesCategory,
  SentTestEvent,
  ServiceArea,
  ServiceCharge,
  SetClock,
  SetStock,
  SetTipWithholding,
  StockChangePage,
  StockItem,
  StockItemPage,
  Table,
  TaxRate,
  TestWebhook,
  TipWithholding,
  TokenReference,
  TokenRequest,
  TokenResponse,
  UpdatePerson,
  VoidPayment,
  VoidReason,
  WebhookDelivery,
  WebhookDeliveryDetails,
  WebhookDeliveryPage,
  WebhookEndpoint,
  WebhookEndpointEdit,
  WebhookEndpointPage,
  WebhookReplay,
  WhoAmI,
} from '@servery/contract';

/** Method and path of every operation by its id. */
export const operations = {
  'auth.introspect': ['POST', '/oauth/introspect'],
  'auth.jwks': ['GET', '/.well-known/jwks.json'],
  'auth.login': ['POST', '/authentication/v1/authentication/login'],
  'auth.metadata': ['GET', '/.well-known/oauth-authorization-server'],
  'auth.revoke': ['POST', '/oauth/revoke'],
  'auth.token': ['POST', '/oauth/token'],
  'backOffice.alarms.acknowledge': ['POST', '/backoffice/v1/alarms/{alarmGuid}/acknowledge'],
  'backOffice.alarms.list': ['GET', '/backoffice/v1/alarms'],
  'backOffice.audit.export': ['GET', '/backoffice/v1/audit/export'],
  'backOffice.audit.list': ['GET', '/backoffice/v1/audit'],
  'backOffice.audit.verify': ['GET', '/backoffice/v1/audit/verify'],
  'backOffice.cardKeys.activate': [
    'POST',
    '/backoffice/v1/clients/{clientId}/cardKeys/{keyId}/activate',
  ],
  'backOffice.cardKeys.destroy': [
    'POST',
    '/backoffice/v1/clients/{clientId}/cardKeys/{keyId}/destroy',
  ],
  'backOffice.cardKeys.issue': ['POST', '/backoffice/v1/clients/{clientId}/cardKeys'],
  'backOffice.cardKeys.list': ['GET', '/backoffice/v1/clients/{clientId}/cardKeys'],
  'backOffice.cardKeys.retire': [
    'POST',
    '/backoffice/v1/clients/{clientId}/cardKeys/{keyId}/retire',
  ],
  'backOffice.clients.addSecret': ['POST', '/backoffice/v1/clients/{clientId}/secrets'],
  'backOffice.clients.create': ['POST', '/backoffice/v1/clients'],
  'backOffice.clients.get': ['GET', '/backoffice/v1/clients/{clientId}'],
  'backOffice.clients.list': ['GET', '/backoffice/v1/clients'],
  'backOffice.clients.revoke': ['POST', '/backoffice/v1/clients/{clientId}/revoke'],
  'backOffice.clients.revokeSecret': [
    'POST',
    '/backoffice/v1/clients/{clientId}/secrets/{secretGuid}/revoke',
  ],
  'backOffice.clients.update': ['PATCH', '/backoffice/v1/clients/{clientId}'],
  'backOffice.clients.usage': ['GET', '/backoffice/v1/clients/{clientId}/usage'],
  'backOffice.clock.advance': ['POST', '/backoffice/v1/clock/advance'],
  'backOffice.clock.freeze': ['POST', '/backoffice/v1/clock/freeze'],
  'backOffice.clock.get': ['GET', '/backoffice/v1/clock'],
  'backOffice.clock.next': ['POST', '/backoffice/v1/clock/next'],
  'backOffice.clock.run': ['POST', '/backoffice/v1/clock/run'],
  'backOffice.clock.set': ['POST', '/backoffice/v1/clock/set'],
  'backOffice.configuration.apply': [
    'POST',
    '/backoffice/v1/restaurants/{restaurantGuid}/configuration/apply',
  ],
  'backOffice.configuration.draft.discard': [
    'POST',
    '/backoffice/v1/restaurants/{restaurantGuid}/configuration/draft/discard',
  ],
  'backOffice.configuration.draft.get': [
    'GET',
    '/backoffice/v1/restaurants/{restaurantGuid}/configuration/draft',
  ],
  'backOffice.configuration.draft.preview': [
    'GET',
    '/backoffice/v1/restaurants/{restaurantGuid}/configuration/draft/preview',
  ],
  'backOffice.configuration.export': [
    'GET',
    '/backoffice/v1/restaurants/{restaurantGuid}/configuration/export',
  ],
  'backOffice.configuration.objects.archive': [
    'POST',
    '/backoffice/v1/restaurants/{restaurantGuid}/configuration/objects/{collection}/{guid}/archive',
  ],
  'backOffice.configuration.objects.create': [
    'POST',
    '/backoffice/v1/restaurants/{restaurantGuid}/configuration/objects/{collection}',
  ],
  'backOffice.configuration.objects.discard': [
    'POST',
    '/backoffice/v1/restaurants/{restaurantGuid}/configuration/objects/{collection}/{guid}/discard',
  ],
  'backOffice.configuration.objects.get': [
    'GET',
    '/backoffice/v1/restaurants/{restaurantGuid}/configuration/objects/{collection}/{guid}',
  ],
  'backOffice.configuration.objects.list': [
    'GET',
    '/backoffice/v1/restaurants/{restaurantGuid}/configuration/objects/{collection}',
  ],
  'backOffice.configuration.objects.unarchive': [
    'POST',
    '/backoffice/v1/restaurants/{restaurantGuid}/configuration/objects/{collection}/{guid}/unarchive',
  ],
  'backOffice.configuration.objects.update': [
    'PATCH',
    '/backoffice/v1/restaurants/{restaurantGuid}/configuration/objects/{collection}/{guid}',
  ],
  'backOffice.configuration.plan': [
    'POST',
    '/backoffice/v1/restaurants/{restaurantGuid}/configuration/plan',
  ],
  'backOffice.configuration.publications.get': [
    'GET',
    '/backoffice/v1/restaurants/{restaurantGuid}/configuration/publications/{number}',
  ],
  'backOffice.configuration.publications.list': [
    'GET',
    '/backoffice/v1/restaurants/{restaurantGuid}/configuration/publications',
  ],
  'backOffice.configuration.publications.publish': [
    'POST',
    '/backoffice/v1/restaurants/{restaurantGuid}/configuration/publications',
  ],
  'backOffice.configuration.publications.rollBack': [
    'POST',
    '/backoffice/v1/restaurants/{restaurantGuid}/configuration/publications/{number}/rollback',
  ],
  'backOffice.configuration.publishGroup': [
    'POST',
    '/backoffice/v1/managementGroups/{managementGroupGuid}/publications',
  ],
  'backOffice.configuration.tipWithholding.get': [
    'GET',
    '/backoffice/v1/restaurants/{restaurantGuid}/configuration/tipWithholding',
  ],
  'backOffice.configuration.tipWithholding.set': [
    'PUT',
    '/backoffice/v1/restaurants/{restaurantGuid}/configuration/tipWithholding',
  ],
  'backOffice.connections.connect': [
    'POST',
    '/backoffice/v1/restaurants/{restaurantGuid}/connections',
  ],
  'backOffice.connections.disconnect': [
    'POST',
    '/backoffice/v1/restaurants/{restaurantGuid}/connections/{partnerGuid}/disconnect',
  ],
  'backOffice.connections.get': [
    'GET',
    '/backoffice/v1/restaurants/{restaurantGuid}/connections/{partnerGuid}',
  ],
  'backOffice.connections.list': ['GET', '/backoffice/v1/restaurants/{restaurantGuid}/connections'],
  'backOffice.connections.partners': [
    'GET',
    '/backoffice/v1/restaurants/{restaurantGuid}/partners',
  ],
  'backOffice.connections.timeline': [
    'GET',
    '/backoffice/v1/restaurants/{restaurantGuid}/connections/{partnerGuid}/timeline',
  ],
  'backOffice.connections.update': [
    'PATCH',
    '/backoffice/v1/restaurants/{restaurantGuid}/connections/{partnerGuid}',
  ],
  'backOffice.invitations.accept': ['POST', '/backoffice/v1/invitations/accept'],
  'backOffice.invitations.inspect': ['POST', '/backoffice/v1/invitations/inspect'],
  'backOffice.invitations.page': ['GET', '/backoffice/v1/invitation'],
  'backOffice.managementGroups.archive': [
    'POST',
    '/backoffice/v1/managementGroups/{managementGroupGuid}/archive',
  ],
  'backOffice.managementGroups.create': ['POST', '/backoffice/v1/managementGroups'],
  'backOffice.managementGroups.get': [
    'GET',
    '/backoffice/v1/managementGroups/{managementGroupGuid}',
  ],
  'backOffice.managementGroups.list': ['GET', '/backoffice/v1/managementGroups'],
  'backOffice.managementGroups.unarchive': [
    'POST',
    '/backoffice/v1/managementGroups/{managementGroupGuid}/unarchive',
  ],
  'backOffice.managementGroups.update': [
    'PATCH',
    '/backoffice/v1/managementGroups/{managementGroupGuid}',
  ],
  'backOffice.me.password.change': ['POST', '/backoffice/v1/me/password'],
  'backOffice.me.sessions.end': ['DELETE', '/backoffice/v1/me/sessions/{sessionGuid}'],
  'backOffice.me.sessions.list': ['GET', '/backoffice/v1/me/sessions'],
  'backOffice.me.totp.begin': ['POST', '/backoffice/v1/me/totp'],
  'backOffice.me.totp.confirm': ['POST', '/backoffice/v1/me/totp/confirm'],
  'backOffice.me.totp.remove': ['POST', '/backoffice/v1/me/totp/remove'],
  'backOffice.metrics': ['GET', '/backoffice/v1/metrics'],
  'backOffice.partners.connections': ['GET', '/backoffice/v1/partners/{partnerGuid}/connections'],
  'backOffice.partners.create': ['POST', '/backoffice/v1/partners'],
  'backOffice.partners.events': ['GET', '/backoffice/v1/partners/{partnerGuid}/events'],
  'backOffice.partners.get': ['GET', '/backoffice/v1/partners/{partnerGuid}'],
  'backOffice.partners.list': ['GET', '/backoffice/v1/partners'],
  'backOffice.partners.update': ['PATCH', '/backoffice/v1/partners/{partnerGuid}'],
  'backOffice.payments.apply': [
    'POST',
    '/backoffice/v1/merchants/{merchantUuid}/payments/{paymentUuid}/apply',
  ],
  'backOffice.payments.capture': [
    'POST',
    '/backoffice/v1/merchants/{merchantUuid}/payments/{paymentUuid}/capture',
  ],
  'backOffice.payments.events': [
    'GET',
    '/backoffice/v1/merchants/{merchantUuid}/payments/{paymentUuid}/events',
  ],
  'backOffice.payments.fulfil': [
    'POST',
    '/backoffice/v1/merchants/{merchantUuid}/payments/{paymentUuid}/fulfil',
  ],
  'backOffice.payments.get': [
    'GET',
    '/backoffice/v1/merchants/{merchantUuid}/payments/{paymentUuid}',
  ],
  'backOffice.payments.list': ['GET', '/backoffice/v1/payments'],
  'backOffice.payments.void': [
    'POST',
    '/backoffice/v1/merchants/{merchantUuid}/payments/{paymentUuid}/void',
  ],
  'backOffice.people.create': ['POST', '/backoffice/v1/people'],
  'backOffice.people.deactivate': ['POST', '/backoffice/v1/people/{personGuid}/deactivate'],
  'backOffice.people.get': ['GET', '/backoffice/v1/people/{personGuid}'],
  'backOffice.people.invite': ['POST', '/backoffice/v1/people/{personGuid}/invite'],
  'backOffice.people.list': ['GET', '/backoffice/v1/people'],
  'backOffice.people.reactivate': ['POST', '/backoffice/v1/people/{personGuid}/reactivate'],
  'backOffice.people.removeTotp': ['POST', '/backoffice/v1/people/{personGuid}/removeTotp'],
  'backOffice.people.roles.give': ['POST', '/backoffice/v1/people/{personGuid}/roles'],
  'backOffice.people.roles.take': ['DELETE', '/backoffice/v1/people/{personGuid}/roles/{roleGuid}'],
  'backOffice.people.update': ['PATCH', '/backoffice/v1/people/{personGuid}'],
  'backOffice.requests.get': ['GET', '/backoffice/v1/requests/{requestId}'],
  'backOffice.requests.list': ['GET', '/backoffice/v1/requests'],
  'backOffice.requests.stream': ['GET', '/backoffice/v1/requests/stream'],
  'backOffice.restaurants.archive': ['POST', '/backoffice/v1/restaurants/{restaurantGuid}/archive'],
  'backOffice.restaurants.create': ['POST', '/backoffice/v1/restaurants'],
  'backOffice.restaurants.get': ['GET', '/backoffice/v1/restaurants/{restaurantGuid}'],
  'backOffice.restaurants.list': ['GET', '/backoffice/v1/restaurants'],
  'backOffice.restaurants.unarchive': [
    'POST',
    '/backoffice/v1/restaurants/{restaurantGuid}/unarchive',
  ],
  'backOffice.restaurants.update': ['PATCH', '/backoffice/v1/restaurants/{restaurantGuid}'],
  'backOffice.session.end': ['DELETE', '/backoffice/v1/session'],
  'backOffice.session.get': ['GET', '/backoffice/v1/session'],
  'backOffice.sessions.begin': ['POST', '/backoffice/v1/sessions'],
  'backOffice.stock.history': ['GET', '/backoffice/v1/restaurants/{restaurantGuid}/stock/history'],
  'backOffice.stock.list': ['GET', '/backoffice/v1/restaurants/{restaurantGuid}/stock'],
  'backOffice.stock.ranOut': ['GET', '/backoffice/v1/restaurants/{restaurantGuid}/stock/ranOut'],
  'backOffice.stock.set': ['POST', '/backoffice/v1/restaurants/{restaurantGuid}/stock'],
  'backOffice.stock.undo': [
    'POST',
    '/backoffice/v1/restaurants/{restaurantGuid}/stock/history/{changeGuid}/undo',
  ],
  'backOffice.webhooks.deliveries.drop': [
    'POST',
    '/backoffice/v1/webhooks/deliveries/{deliveryGuid}/drop',
  ],
  'backOffice.webhooks.deliveries.get': [
    'GET',
    '/backoffice/v1/webhooks/deliveries/{deliveryGuid}',
  ],
  'backOffice.webhooks.deliveries.list': ['GET', '/backoffice/v1/webhooks/deliveries'],
  'backOffice.webhooks.endpoints.archive': [
    'POST',
    '/backoffice/v1/webhooks/endpoints/{endpointGuid}/archive',
  ],
  'backOffice.webhooks.endpoints.create': ['POST', '/backoffice/v1/webhooks/endpoints'],
  'backOffice.webhooks.endpoints.disable': [
    'POST',
    '/backoffice/v1/webhooks/endpoints/{endpointGuid}/disable',
  ],
  'backOffice.webhooks.endpoints.get': ['GET', '/backoffice/v1/webhooks/endpoints/{endpointGuid}'],
  'backOffice.webhooks.endpoints.list': ['GET', '/backoffice/v1/webhooks/endpoints'],
  'backOffice.webhooks.endpoints.pause': [
    'POST',
    '/backoffice/v1/webhooks/endpoints/{endpointGuid}/pause',
  ],
  'backOffice.webhooks.endpoints.resume': [
    'POST',
    '/backoffice/v1/webhooks/endpoints/{endpointGuid}/resume',
  ],
  'backOffice.webhooks.endpoints.update': [
    'PATCH',
    '/backoffice/v1/webhooks/endpoints/{endpointGuid}',
  ],
  'backOffice.webhooks.replay': ['POST', '/backoffice/v1/webhooks/endpoints/{endpointGuid}/replay'],
  'backOffice.webhooks.secrets.add': [
    'POST',
    '/backoffice/v1/webhooks/endpoints/{endpointGuid}/secrets',
  ],
  'backOffice.webhooks.secrets.revoke': [
    'POST',
    '/backoffice/v1/webhooks/endpoints/{endpointGuid}/secrets/{secretGuid}/revoke',
  ],
  'backOffice.webhooks.test': ['POST', '/backoffice/v1/webhooks/endpoints/{endpointGuid}/test'],
  'backOffice.webhooks.trigger': ['POST', '/backoffice/v1/partners/{partnerGuid}/testEvents'],
  'backOffice.whoami': ['GET', '/backoffice/v1/whoami'],
  'configuration.alternatePaymentTypes.get': ['GET', '/config/v2/alternatePaymentTypes/{guid}'],
  'configuration.alternatePaymentTypes.list': ['GET', '/config/v2/alternatePaymentTypes'],
  'configuration.breakTypes.get': ['GET', '/config/v2/breakTypes/{guid}'],
  'configuration.breakTypes.list': ['GET', '/config/v2/breakTypes'],
  'configuration.cashDrawers.get': ['GET', '/config/v2/cashDrawers/{guid}'],
  'configuration.cashDrawers.list': ['GET', '/config/v2/cashDrawers'],
  'configuration.diningOptions.get': ['GET', '/config/v2/diningOptions/{guid}'],
  'configuration.diningOptions.list': ['GET', '/config/v2/diningOptions'],
  'configuration.discounts.get': ['GET', '/config/v2/discounts/{guid}'],
  'configuration.discounts.list': ['GET', '/config/v2/discounts'],
  'configuration.menuGroups.get': ['GET', '/config/v2/menuGroups/{guid}'],
  'configuration.menuGroups.list': ['GET', '/config/v2/menuGroups'],
  'configuration.menuItems.get': ['GET', '/config/v2/menuItems/{guid}'],
  'configuration.menuItems.list': ['GET', '/config/v2/menuItems'],
  'configuration.menuOptionGroups.get': ['GET', '/config/v2/menuOptionGroups/{guid}'],
  'configuration.menuOptionGroups.list': ['GET', '/config/v2/menuOptionGroups'],
  'configuration.menus.get': ['GET', '/config/v2/menus/{guid}'],
  'configuration.menus.list': ['GET', '/config/v2/menus'],
  'configuration.noSaleReasons.get': ['GET', '/config/v2/noSaleReasons/{guid}'],
  'configuration.noSaleReasons.list': ['GET', '/config/v2/noSaleReasons'],
  'configuration.payoutReasons.get': ['GET', '/config/v2/payoutReasons/{guid}'],
  'configuration.payoutReasons.list': ['GET', '/config/v2/payoutReasons'],
  'configuration.preModifierGroups.get': ['GET', '/config/v2/preModifierGroups/{guid}'],
  'configuration.preModifierGroups.list': ['GET', '/config/v2/preModifierGroups'],
  'configuration.preModifiers.get': ['GET', '/config/v2/preModifiers/{guid}'],
  'configuration.preModifiers.list': ['GET', '/config/v2/preModifiers'],
  'configuration.priceGroups.get': ['GET', '/config/v2/priceGroups/{guid}'],
  'configuration.priceGroups.list': ['GET', '/config/v2/priceGroups'],
  'configuration.printers.get': ['GET', '/config/v2/printers/{guid}'],
  'configuration.printers.list': ['GET', '/config/v2/printers'],
  'configuration.restaurantServices.get': ['GET', '/config/v2/restaurantServices/{guid}'],
  'configuration.restaurantServices.list': ['GET', '/config/v2/restaurantServices'],
  'configuration.revenueCenters.get': ['GET', '/config/v2/revenueCenters/{guid}'],
  'configuration.revenueCenters.list': ['GET', '/config/v2/revenueCenters'],
  'configuration.salesCategories.get': ['GET', '/config/v2/salesCategories/{guid}'],
  'configuration.salesCategories.list': ['GET', '/config/v2/salesCategories'],
  'configuration.serviceAreas.get': ['GET', '/config/v2/serviceAreas/{guid}'],
  'configuration.serviceAreas.list': ['GET', '/config/v2/serviceAreas'],
  'configuration.serviceCharges.get': ['GET', '/config/v2/serviceCharges/{guid}'],
  'configuration.serviceCharges.list': ['GET', '/config/v2/serviceCharges'],
  'configuration.tables.get': ['GET', '/config/v2/tables/{guid}'],
  'configuration.tables.list': ['GET', '/config/v2/tables'],
  'configuration.taxRates.get': ['GET', '/config/v2/taxRates/{guid}'],
  'configuration.taxRates.list': ['GET', '/config/v2/taxRates'],
  'configuration.tipWithholding.get': ['GET', '/config/v2/tipWithholding'],
  'configuration.voidReasons.get': ['GET', '/config/v2/voidReasons/{guid}'],
  'configuration.voidReasons.list': ['GET', '/config/v2/voidReasons'],
  'creditCards.authorize': ['PUT', '/ccpartner/v1/merchants/{merchantUuid}/payments/{paymentUuid}'],
  'docs.error': ['GET', '/errors/{code}'],
  'docs.index': ['GET', '/'],
  'docs.openapi': ['GET', '/openapi/{file}'],
  'health.live': ['GET', '/healthz'],
  'health.ready': ['GET', '/readyz'],
  'partners.connectedRestaurants.list': ['GET', '/partners/v1/connectedRestaurants'],
  'partners.restaurants.list': ['GET', '/partners/v1/restaurants'],
  'platform.cardEncryptionKeys.list': ['GET', '/platform/v1/cardEncryptionKeys'],
  'platform.events.list': ['GET', '/platform/v1/events'],
  'platform.events.stream': ['GET', '/platform/v1/events/stream'],
  'platform.whoami': ['GET', '/platform/v1/whoami'],
  'restaurants.get': ['GET', '/restaurants/v1/restaurants/{restaurantGUID}'],
  'restaurants.listGroup': ['GET', '/restaurants/v1/groups/{managementGroupGUID}/restaurants'],
  'stock.list': ['GET', '/stock/v1/inventory'],
  'stock.search': ['POST', '/stock/v1/inventory/search'],
  'stock.update': ['PUT', '/stock/v1/inventory/update'],
} as const;

/** The id of an operation. */
export type CallableId = keyof typeof operations;

/** What each operation answers. */
export interface Answers {
  'auth.introspect': IntrospectionResponse;
  'auth.jwks': JsonWebKeySet;
  'auth.login': LoginResponse;
  'auth.metadata': AuthorizationServerMetadata;
  'auth.revoke': RevocationResponse;
  'auth.token': TokenResponse;
  'backOffice.alarms.acknowledge': Alarm;
  'backOffice.alarms.list': AlarmPage;
  'backOffice.audit.export': unknown;
  'backOffice.audit.list': AuditEntryPage;
  'backOffice.audit.verify': AuditVerdict;
  'backOffice.cardKeys.activate': CardKey;
  'backOffice.cardKeys.destroy': CardKey;
  'backOffice.cardKeys.issue': CardKey;
  'backOffice.cardKeys.list': CardKey[];
  'backOffice.cardKeys.retire': CardKey;
  'backOffice.clients.addSecret': IssuedApiClientSecret;
  'backOffice.clients.create': IssuedApiClientSecret;
  'backOffice.clients.get': ApiClient;
  'backOffice.clients.list': ApiClientPage;
  'backOffice.clients.revoke': ApiClient;
  'backOffice.clients.revokeSecret': ApiClient;
  'backOffice.clients.update': ApiClient;
  'backOffice.clients.usage': ApiClientUsage;
  'backOffice.clock.advance': ClockMove;
  'backOffice.clock.freeze': ClockMove;
  'backOffice.clock.get': ClockStatus;
  'backOffice.clock.next': ClockMove;
  'backOffice.clock.run': ClockMove;
  'backOffice.clock.set': ClockMove;
  'backOffice.configuration.apply': AppliedConfiguration;
  'backOffice.configuration.draft.discard': ConfigurationDraft;
  'backOffice.configuration.draft.get': ConfigurationDraft;
  'backOffice.configuration.draft.preview': ConfigurationPreview;
  'backOffice.configuration.export': ConfigurationDocument;
  'backOffice.configuration.objects.archive': ConfigurationObject;
  'backOffice.configuration.objects.create': ConfigurationObject;
  'backOffice.configuration.objects.discard': ConfigurationObject;
  'backOffice.configuration.objects.get': ConfigurationObject;
  'backOffice.configuration.objects.list': ConfigurationObjectPage;
  'backOffice.configuration.objects.unarchive': ConfigurationObject;
  'backOffice.configuration.objects.update': ConfigurationObject;
  'backOffice.configuration.plan': ConfigurationPlan;
  'backOffice.configuration.publications.get': PublicationDetails;
  'backOffice.configuration.publications.list': PublicationPage;
  'backOffice.configuration.publications.publish': Publication;
  'backOffice.configuration.publications.rollBack': Publication;
  'backOffice.configuration.publishGroup': GroupPublication;
  'backOffice.configuration.tipWithholding.get': ConfigurationObject;
  'backOffice.configuration.tipWithholding.set': ConfigurationObject;
  'backOffice.connections.connect': Connection;
  'backOffice.connections.disconnect': Connection;
  'backOffice.connections.get': Connection;
  'backOffice.connections.list': ConnectionPage;
  'backOffice.connections.partners': ConnectablePartnerPage;
  'backOffice.connections.timeline': ConnectionChangePage;
  'backOffice.connections.update': Connection;
  'backOffice.invitations.accept': BackOfficeSession;
  'backOffice.invitations.inspect': Invitation;
  'backOffice.invitations.page': unknown;
  'backOffice.managementGroups.archive': ManagementGroup;
  'backOffice.managementGroups.create': ManagementGroup;
  'backOffice.managementGroups.get': ManagementGroup;
  'backOffice.managementGroups.list': ManagementGroupPage;
  'backOffice.managementGroups.unarchive': ManagementGroup;
  'backOffice.managementGroups.update': ManagementGroup;
  'backOffice.me.password.change': Person;
  'backOffice.me.sessions.end': EndedSession;
  'backOffice.me.sessions.list': PersonSession[];
  'backOffice.me.totp.begin': BegunTotp;
  'backOffice.me.totp.confirm': RecoveryCodes;
  'backOffice.me.totp.remove': Person;
  'backOffice.metrics': unknown;
  'backOffice.partners.connections': ConnectionPage;
  'backOffice.partners.create': Partner;
  'backOffice.partners.events': PartnerEventPage;
  'backOffice.partners.get': Partner;
  'backOffice.partners.list': PartnerPage;
  'backOffice.partners.update': Partner;
  'backOffice.payments.apply': BackOfficePayment;
  'backOffice.payments.capture': BackOfficePayment;
  'backOffice.payments.events': PaymentEvent[];
  'backOffice.payments.fulfil': BackOfficePayment;
  'backOffice.payments.get': BackOfficePayment;
  'backOffice.payments.list': BackOfficePaymentPage;
  'backOffice.payments.void': BackOfficePayment;
  'backOffice.people.create': InvitedPerson;
  'backOffice.people.deactivate': Person;
  'backOffice.people.get': Person;
  'backOffice.people.invite': InvitedPerson;
  'backOffice.people.list': PersonPage;
  'backOffice.people.reactivate': Person;
  'backOffice.people.removeTotp': Person;
  'backOffice.people.roles.give': Person;
  'backOffice.people.roles.take': Person;
  'backOffice.people.update': Person;
  'backOffice.requests.get': LoggedRequestDetails;
  'backOffice.requests.list': LoggedRequestPage;
  'backOffice.requests.stream': unknown;
  'backOffice.restaurants.archive': BackOfficeRestaurant;
  'backOffice.restaurants.create': BackOfficeRestaurant;
  'backOffice.restaurants.get': BackOfficeRestaurant;
  'backOffice.restaurants.list': RestaurantOverviewPage;
  'backOffice.restaurants.unarchive': BackOfficeRestaurant;
  'backOffice.restaurants.update': BackOfficeRestaurant;
  'backOffice.session.end': EndedSession;
  'backOffice.session.get': BackOfficeSession;
  'backOffice.sessions.begin': BackOfficeSession;
  'backOffice.stock.history': StockChangePage;
  'backOffice.stock.list': StockItemPage;
  'backOffice.stock.ranOut': RanOutPage;
  'backOffice.stock.set': StockItem[];
  'backOffice.stock.undo': StockItem;
  'backOffice.webhooks.deliveries.drop': WebhookDelivery;
  'backOffice.webhooks.deliveries.get': WebhookDeliveryDetails;
  'backOffice.webhooks.deliveries.list': WebhookDeliveryPage;
  'backOffice.webhooks.endpoints.archive': WebhookEndpoint;
  'backOffice.webhooks.endpoints.create': IssuedWebhookSecret;
  'backOffice.webhooks.endpoints.disable': WebhookEndpoint;
  'backOffice.webhooks.endpoints.get': WebhookEndpoint;
  'backOffice.webhooks.endpoints.list': WebhookEndpointPage;
  'backOffice.webhooks.endpoints.pause': WebhookEndpoint;
  'backOffice.webhooks.endpoints.resume': WebhookEndpoint;
  'backOffice.webhooks.endpoints.update': WebhookEndpoint;
  'backOffice.webhooks.replay': WebhookReplay;
  'backOffice.webhooks.secrets.add': IssuedWebhookSecret;
  'backOffice.webhooks.secrets.revoke': WebhookEndpoint;
  'backOffice.webhooks.test': WebhookDelivery;
  'backOffice.webhooks.trigger': SentTestEvent;
  'backOffice.whoami': WhoAmI;
  'configuration.alternatePaymentTypes.get': AlternatePaymentType;
  'configuration.alternatePaymentTypes.list': AlternatePaymentType[];
  'configuration.breakTypes.get': BreakType;
  'configuration.breakTypes.list': BreakType[];
  'configuration.cashDrawers.get': CashDrawer;
  'configuration.cashDrawers.list': CashDrawer[];
  'configuration.diningOptions.get': DiningOption;
  'configuration.diningOptions.list': DiningOption[];
  'configuration.discounts.get': Discount;
  'configuration.discounts.list': Discount[];
  'configuration.menuGroups.get': MenuGroup;
  'configuration.menuGroups.list': MenuGroup[];
  'configuration.menuItems.get': MenuItem;
  'configuration.menuItems.list': MenuItem[];
  'configuration.menuOptionGroups.get': MenuOptionGroup;
  'configuration.menuOptionGroups.list': MenuOptionGroup[];
  'configuration.menus.get': Menu;
  'configuration.menus.list': Menu[];
  'configuration.noSaleReasons.get': NoSaleReason;
  'configuration.noSaleReasons.list': NoSaleReason[];
  'configuration.payoutReasons.get': PayoutReason;
  'configuration.payoutReasons.list': PayoutReason[];
  'configuration.preModifierGroups.get': PreModifierGroup;
  'configuration.preModifierGroups.list': PreModifierGroup[];
  'configuration.preModifiers.get': PreModifier;
  'configuration.preModifiers.list': PreModifier[];
  'configuration.priceGroups.get': PriceGroup;
  'configuration.priceGroups.list': PriceGroup[];
  'configuration.printers.get': Printer;
  'configuration.printers.list': Printer[];
  'configuration.restaurantServices.get': RestaurantService;
  'configuration.restaurantServices.list': RestaurantService[];
  'configuration.revenueCenters.get': RevenueCenter;
  'configuration.revenueCenters.list': RevenueCenter[];
  'configuration.salesCategories.get': SalesCategory;
  'configuration.salesCategories.list': SalesCategory[];
  'configuration.serviceAreas.get': ServiceArea;
  'configuration.serviceAreas.list': ServiceArea[];
  'configuration.serviceCharges.get': ServiceCharge;
  'configuration.serviceCharges.list': ServiceCharge[];
  'configuration.tables.get': Table;
  'configuration.tables.list': Table[];
  'configuration.taxRates.get': TaxRate;
  'configuration.taxRates.list': TaxRate[];
  'configuration.tipWithholding.get': TipWithholding;
  'configuration.voidReasons.get': VoidReason;
  'configuration.voidReasons.list': VoidReason[];
  'creditCards.authorize': PaymentStatus;
  'docs.error': unknown;
  'docs.index': unknown;
  'docs.openapi': unknown;
  'health.live': HealthReport;
  'health.ready': HealthReport;
  'partners.connectedRestaurants.list': ConnectedRestaurants;
  'partners.restaurants.list': PartnerAccessExternalRep[];
  'platform.cardEncryptionKeys.list': CardEncryptionKey[];
  'platform.events.list': EventPage;
  'platform.events.stream': unknown;
  'platform.whoami': WhoAmI;
  'restaurants.get': RestaurantInfo;
  'restaurants.listGroup': Restaurant[];
  'stock.list': MenuItemInventory[];
  'stock.search': MenuItemInventory[];
  'stock.update': MenuItemInventory[];
}

/** The body that an operation takes. */
export interface Bodies {
  'auth.introspect': TokenReference;
  'auth.login': LoginRequest;
  'auth.revoke': TokenReference;
  'auth.token': TokenRequest;
  'backOffice.alarms.acknowledge': AcknowledgeAlarm;
  'backOffice.cardKeys.issue': IssueCardKey;
  'backOffice.clients.addSecret': NewApiClientSecret;
  'backOffice.clients.create': NewApiClient;
  'backOffice.clients.update': ApiClientEdit;
  'backOffice.clock.advance': AdvanceClock;
  'backOffice.clock.set': SetClock;
  'backOffice.configuration.apply': ApplyConfiguration;
  'backOffice.configuration.draft.discard': DiscardDrafts;
  'backOffice.configuration.objects.create': ConfigurationObjectFields;
  'backOffice.configuration.objects.update': ConfigurationObjectFields;
  'backOffice.configuration.plan': PlanConfiguration;
  'backOffice.configuration.publications.publish': PublishConfiguration;
  'backOffice.configuration.publications.rollBack': RollBackConfiguration;
  'backOffice.configuration.publishGroup': PublishGroup;
  'backOffice.configuration.tipWithholding.set': SetTipWithholding;
  'backOffice.connections.connect': NewConnection;
  'backOffice.connections.disconnect': EndConnection;
  'backOffice.connections.update': ConnectionEdit;
  'backOffice.invitations.accept': AcceptInvitation;
  'backOffice.invitations.inspect': InspectInvitation;
  'backOffice.managementGroups.create': CreateManagementGroup;
  'backOffice.managementGroups.update': EditManagementGroup;
  'backOffice.me.password.change': ChangePassword;
  'backOffice.me.totp.begin': BeginTotp;
  'backOffice.me.totp.confirm': ConfirmTotp;
  'backOffice.me.totp.remove': RemoveTotp;
  'backOffice.partners.create': NewPartner;
  'backOffice.partners.update': PartnerEdit;
  'backOffice.payments.apply': ApplyPayment;
  'backOffice.payments.void': VoidPayment;
  'backOffice.people.create': CreatePerson;
  'backOffice.people.roles.give': GiveRole;
  'backOffice.people.update': UpdatePerson;
  'backOffice.restaurants.create': CreateRestaurant;
  'backOffice.restaurants.update': EditRestaurant;
  'backOffice.sessions.begin': LogIn;
  'backOffice.stock.set': SetStock;
  'backOffice.webhooks.deliveries.drop': DropWebhookDelivery;
  'backOffice.webhooks.endpoints.create': NewWebhookEndpoint;
  'backOffice.webhooks.endpoints.disable': EndWebhookSending;
  'backOffice.webhooks.endpoints.pause': EndWebhookSending;
  'backOffice.webhooks.endpoints.update': WebhookEndpointEdit;
  'backOffice.webhooks.replay': ReplayWebhooks;
  'backOffice.webhooks.secrets.add': NewWebhookSecret;
  'backOffice.webhooks.test': TestWebhook;
  'backOffice.webhooks.trigger': TestWebhook;
  'creditCards.authorize': PaymentAuthorization;
  'stock.search': InventorySearchRequest;
  'stock.update': MenuItemInventoryUpdate[];
}
