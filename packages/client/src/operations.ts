// Generated from the contract: run "npm run client".
import type * as contract from '@servery/contract';

/** Method and path of every operation by its id, and whether it takes a body. */
export const operations = {
  'auth.introspect': ['POST', '/oauth/introspect', 'body'],
  'auth.jwks': ['GET', '/.well-known/jwks.json'],
  'auth.login': ['POST', '/authentication/v1/authentication/login', 'body'],
  'auth.metadata': ['GET', '/.well-known/oauth-authorization-server'],
  'auth.revoke': ['POST', '/oauth/revoke', 'body'],
  'auth.token': ['POST', '/oauth/token', 'body'],
  'backOffice.alarms.acknowledge': [
    'POST',
    '/backoffice/v1/alarms/{alarmGuid}/acknowledge',
    'body',
  ],
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
  'backOffice.cardKeys.issue': ['POST', '/backoffice/v1/clients/{clientId}/cardKeys', 'body'],
  'backOffice.cardKeys.list': ['GET', '/backoffice/v1/clients/{clientId}/cardKeys'],
  'backOffice.cardKeys.retire': [
    'POST',
    '/backoffice/v1/clients/{clientId}/cardKeys/{keyId}/retire',
  ],
  'backOffice.clients.addSecret': ['POST', '/backoffice/v1/clients/{clientId}/secrets', 'body'],
  'backOffice.clients.create': ['POST', '/backoffice/v1/clients', 'body'],
  'backOffice.clients.get': ['GET', '/backoffice/v1/clients/{clientId}'],
  'backOffice.clients.list': ['GET', '/backoffice/v1/clients'],
  'backOffice.clients.revoke': ['POST', '/backoffice/v1/clients/{clientId}/revoke'],
  'backOffice.clients.revokeSecret': [
    'POST',
    '/backoffice/v1/clients/{clientId}/secrets/{secretGuid}/revoke',
  ],
  'backOffice.clients.update': ['PATCH', '/backoffice/v1/clients/{clientId}', 'body'],
  'backOffice.clients.usage': ['GET', '/backoffice/v1/clients/{clientId}/usage'],
  'backOffice.clock.advance': ['POST', '/backoffice/v1/clock/advance', 'body'],
  'backOffice.clock.freeze': ['POST', '/backoffice/v1/clock/freeze'],
  'backOffice.clock.get': ['GET', '/backoffice/v1/clock'],
  'backOffice.clock.next': ['POST', '/backoffice/v1/clock/next'],
  'backOffice.clock.run': ['POST', '/backoffice/v1/clock/run'],
  'backOffice.clock.set': ['POST', '/backoffice/v1/clock/set', 'body'],
  'backOffice.configuration.apply': [
    'POST',
    '/backoffice/v1/restaurants/{restaurantGuid}/configuration/apply',
    'body',
  ],
  'backOffice.configuration.draft.discard': [
    'POST',
    '/backoffice/v1/restaurants/{restaurantGuid}/configuration/draft/discard',
    'body',
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
    'body',
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
    'body',
  ],
  'backOffice.configuration.plan': [
    'POST',
    '/backoffice/v1/restaurants/{restaurantGuid}/configuration/plan',
    'body',
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
    'body',
  ],
  'backOffice.configuration.publications.rollBack': [
    'POST',
    '/backoffice/v1/restaurants/{restaurantGuid}/configuration/publications/{number}/rollback',
    'body',
  ],
  'backOffice.configuration.publishGroup': [
    'POST',
    '/backoffice/v1/managementGroups/{managementGroupGuid}/publications',
    'body',
  ],
  'backOffice.configuration.tipWithholding.get': [
    'GET',
    '/backoffice/v1/restaurants/{restaurantGuid}/configuration/tipWithholding',
  ],
  'backOffice.configuration.tipWithholding.set': [
    'PUT',
    '/backoffice/v1/restaurants/{restaurantGuid}/configuration/tipWithholding',
    'body',
  ],
  'backOffice.connections.connect': [
    'POST',
    '/backoffice/v1/restaurants/{restaurantGuid}/connections',
    'body',
  ],
  'backOffice.connections.disconnect': [
    'POST',
    '/backoffice/v1/restaurants/{restaurantGuid}/connections/{partnerGuid}/disconnect',
    'body',
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
    'body',
  ],
  'backOffice.invitations.accept': ['POST', '/backoffice/v1/invitations/accept', 'body'],
  'backOffice.invitations.inspect': ['POST', '/backoffice/v1/invitations/inspect', 'body'],
  'backOffice.invitations.page': ['GET', '/backoffice/v1/invitation'],
  'backOffice.managementGroups.archive': [
    'POST',
    '/backoffice/v1/managementGroups/{managementGroupGuid}/archive',
  ],
  'backOffice.managementGroups.create': ['POST', '/backoffice/v1/managementGroups', 'body'],
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
    'body',
  ],
  'backOffice.me.password.change': ['POST', '/backoffice/v1/me/password', 'body'],
  'backOffice.me.sessions.end': ['DELETE', '/backoffice/v1/me/sessions/{sessionGuid}'],
  'backOffice.me.sessions.list': ['GET', '/backoffice/v1/me/sessions'],
  'backOffice.me.totp.begin': ['POST', '/backoffice/v1/me/totp', 'body'],
  'backOffice.me.totp.confirm': ['POST', '/backoffice/v1/me/totp/confirm', 'body'],
  'backOffice.me.totp.remove': ['POST', '/backoffice/v1/me/totp/remove', 'body'],
  'backOffice.metrics': ['GET', '/backoffice/v1/metrics'],
  'backOffice.partners.connections': ['GET', '/backoffice/v1/partners/{partnerGuid}/connections'],
  'backOffice.partners.create': ['POST', '/backoffice/v1/partners', 'body'],
  'backOffice.partners.events': ['GET', '/backoffice/v1/partners/{partnerGuid}/events'],
  'backOffice.partners.get': ['GET', '/backoffice/v1/partners/{partnerGuid}'],
  'backOffice.partners.list': ['GET', '/backoffice/v1/partners'],
  'backOffice.partners.update': ['PATCH', '/backoffice/v1/partners/{partnerGuid}', 'body'],
  'backOffice.payments.apply': [
    'POST',
    '/backoffice/v1/merchants/{merchantUuid}/payments/{paymentUuid}/apply',
    'body',
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
    'body',
  ],
  'backOffice.people.create': ['POST', '/backoffice/v1/people', 'body'],
  'backOffice.people.deactivate': ['POST', '/backoffice/v1/people/{personGuid}/deactivate'],
  'backOffice.people.get': ['GET', '/backoffice/v1/people/{personGuid}'],
  'backOffice.people.invite': ['POST', '/backoffice/v1/people/{personGuid}/invite'],
  'backOffice.people.list': ['GET', '/backoffice/v1/people'],
  'backOffice.people.reactivate': ['POST', '/backoffice/v1/people/{personGuid}/reactivate'],
  'backOffice.people.removeTotp': ['POST', '/backoffice/v1/people/{personGuid}/removeTotp'],
  'backOffice.people.roles.give': ['POST', '/backoffice/v1/people/{personGuid}/roles', 'body'],
  'backOffice.people.roles.take': ['DELETE', '/backoffice/v1/people/{personGuid}/roles/{roleGuid}'],
  'backOffice.people.update': ['PATCH', '/backoffice/v1/people/{personGuid}', 'body'],
  'backOffice.requests.get': ['GET', '/backoffice/v1/requests/{requestId}'],
  'backOffice.requests.list': ['GET', '/backoffice/v1/requests'],
  'backOffice.requests.stream': ['GET', '/backoffice/v1/requests/stream'],
  'backOffice.restaurants.archive': ['POST', '/backoffice/v1/restaurants/{restaurantGuid}/archive'],
  'backOffice.restaurants.create': ['POST', '/backoffice/v1/restaurants', 'body'],
  'backOffice.restaurants.get': ['GET', '/backoffice/v1/restaurants/{restaurantGuid}'],
  'backOffice.restaurants.list': ['GET', '/backoffice/v1/restaurants'],
  'backOffice.restaurants.unarchive': [
    'POST',
    '/backoffice/v1/restaurants/{restaurantGuid}/unarchive',
  ],
  'backOffice.restaurants.update': ['PATCH', '/backoffice/v1/restaurants/{restaurantGuid}', 'body'],
  'backOffice.session.end': ['DELETE', '/backoffice/v1/session'],
  'backOffice.session.get': ['GET', '/backoffice/v1/session'],
  'backOffice.sessions.begin': ['POST', '/backoffice/v1/sessions', 'body'],
  'backOffice.stock.history': ['GET', '/backoffice/v1/restaurants/{restaurantGuid}/stock/history'],
  'backOffice.stock.list': ['GET', '/backoffice/v1/restaurants/{restaurantGuid}/stock'],
  'backOffice.stock.ranOut': ['GET', '/backoffice/v1/restaurants/{restaurantGuid}/stock/ranOut'],
  'backOffice.stock.set': ['POST', '/backoffice/v1/restaurants/{restaurantGuid}/stock', 'body'],
  'backOffice.stock.undo': [
    'POST',
    '/backoffice/v1/restaurants/{restaurantGuid}/stock/history/{changeGuid}/undo',
  ],
  'backOffice.webhooks.deliveries.drop': [
    'POST',
    '/backoffice/v1/webhooks/deliveries/{deliveryGuid}/drop',
    'body',
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
  'backOffice.webhooks.endpoints.create': ['POST', '/backoffice/v1/webhooks/endpoints', 'body'],
  'backOffice.webhooks.endpoints.disable': [
    'POST',
    '/backoffice/v1/webhooks/endpoints/{endpointGuid}/disable',
    'body',
  ],
  'backOffice.webhooks.endpoints.get': ['GET', '/backoffice/v1/webhooks/endpoints/{endpointGuid}'],
  'backOffice.webhooks.endpoints.list': ['GET', '/backoffice/v1/webhooks/endpoints'],
  'backOffice.webhooks.endpoints.pause': [
    'POST',
    '/backoffice/v1/webhooks/endpoints/{endpointGuid}/pause',
    'body',
  ],
  'backOffice.webhooks.endpoints.resume': [
    'POST',
    '/backoffice/v1/webhooks/endpoints/{endpointGuid}/resume',
  ],
  'backOffice.webhooks.endpoints.update': [
    'PATCH',
    '/backoffice/v1/webhooks/endpoints/{endpointGuid}',
    'body',
  ],
  'backOffice.webhooks.replay': [
    'POST',
    '/backoffice/v1/webhooks/endpoints/{endpointGuid}/replay',
    'body',
  ],
  'backOffice.webhooks.secrets.add': [
    'POST',
    '/backoffice/v1/webhooks/endpoints/{endpointGuid}/secrets',
    'body',
  ],
  'backOffice.webhooks.secrets.revoke': [
    'POST',
    '/backoffice/v1/webhooks/endpoints/{endpointGuid}/secrets/{secretGuid}/revoke',
  ],
  'backOffice.webhooks.test': [
    'POST',
    '/backoffice/v1/webhooks/endpoints/{endpointGuid}/test',
    'body',
  ],
  'backOffice.webhooks.trigger': [
    'POST',
    '/backoffice/v1/partners/{partnerGuid}/testEvents',
    'body',
  ],
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
  'creditCards.authorize': [
    'PUT',
    '/ccpartner/v1/merchants/{merchantUuid}/payments/{paymentUuid}',
    'body',
  ],
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
  'stock.search': ['POST', '/stock/v1/inventory/search', 'body'],
  'stock.update': ['PUT', '/stock/v1/inventory/update', 'body'],
} as const;

/** The id of an operation. */
export type CallableId = keyof typeof operations;

/** What each operation answers. */
export interface Answers {
  'auth.introspect': contract.IntrospectionResponse;
  'auth.jwks': contract.JsonWebKeySet;
  'auth.login': contract.LoginResponse;
  'auth.metadata': contract.AuthorizationServerMetadata;
  'auth.revoke': contract.RevocationResponse;
  'auth.token': contract.TokenResponse;
  'backOffice.alarms.acknowledge': contract.Alarm;
  'backOffice.alarms.list': contract.AlarmPage;
  'backOffice.audit.export': unknown;
  'backOffice.audit.list': contract.AuditEntryPage;
  'backOffice.audit.verify': contract.AuditVerdict;
  'backOffice.cardKeys.activate': contract.CardKey;
  'backOffice.cardKeys.destroy': contract.CardKey;
  'backOffice.cardKeys.issue': contract.CardKey;
  'backOffice.cardKeys.list': contract.CardKey[];
  'backOffice.cardKeys.retire': contract.CardKey;
  'backOffice.clients.addSecret': contract.IssuedApiClientSecret;
  'backOffice.clients.create': contract.IssuedApiClientSecret;
  'backOffice.clients.get': contract.ApiClient;
  'backOffice.clients.list': contract.ApiClientPage;
  'backOffice.clients.revoke': contract.ApiClient;
  'backOffice.clients.revokeSecret': contract.ApiClient;
  'backOffice.clients.update': contract.ApiClient;
  'backOffice.clients.usage': contract.ApiClientUsage;
  'backOffice.clock.advance': contract.ClockMove;
  'backOffice.clock.freeze': contract.ClockMove;
  'backOffice.clock.get': contract.ClockStatus;
  'backOffice.clock.next': contract.ClockMove;
  'backOffice.clock.run': contract.ClockMove;
  'backOffice.clock.set': contract.ClockMove;
  'backOffice.configuration.apply': contract.AppliedConfiguration;
  'backOffice.configuration.draft.discard': contract.ConfigurationDraft;
  'backOffice.configuration.draft.get': contract.ConfigurationDraft;
  'backOffice.configuration.draft.preview': contract.ConfigurationPreview;
  'backOffice.configuration.export': contract.ConfigurationDocument;
  'backOffice.configuration.objects.archive': contract.ConfigurationObject;
  'backOffice.configuration.objects.create': contract.ConfigurationObject;
  'backOffice.configuration.objects.discard': contract.ConfigurationObject;
  'backOffice.configuration.objects.get': contract.ConfigurationObject;
  'backOffice.configuration.objects.list': contract.ConfigurationObjectPage;
  'backOffice.configuration.objects.unarchive': contract.ConfigurationObject;
  'backOffice.configuration.objects.update': contract.ConfigurationObject;
  'backOffice.configuration.plan': contract.ConfigurationPlan;
  'backOffice.configuration.publications.get': contract.PublicationDetails;
  'backOffice.configuration.publications.list': contract.PublicationPage;
  'backOffice.configuration.publications.publish': contract.Publication;
  'backOffice.configuration.publications.rollBack': contract.Publication;
  'backOffice.configuration.publishGroup': contract.GroupPublication;
  'backOffice.configuration.tipWithholding.get': contract.ConfigurationObject;
  'backOffice.configuration.tipWithholding.set': contract.ConfigurationObject;
  'backOffice.connections.connect': contract.Connection;
  'backOffice.connections.disconnect': contract.Connection;
  'backOffice.connections.get': contract.Connection;
  'backOffice.connections.list': contract.ConnectionPage;
  'backOffice.connections.partners': contract.ConnectablePartnerPage;
  'backOffice.connections.timeline': contract.ConnectionChangePage;
  'backOffice.connections.update': contract.Connection;
  'backOffice.invitations.accept': contract.BackOfficeSession;
  'backOffice.invitations.inspect': contract.Invitation;
  'backOffice.invitations.page': unknown;
  'backOffice.managementGroups.archive': contract.ManagementGroup;
  'backOffice.managementGroups.create': contract.ManagementGroup;
  'backOffice.managementGroups.get': contract.ManagementGroup;
  'backOffice.managementGroups.list': contract.ManagementGroupPage;
  'backOffice.managementGroups.unarchive': contract.ManagementGroup;
  'backOffice.managementGroups.update': contract.ManagementGroup;
  'backOffice.me.password.change': contract.Person;
  'backOffice.me.sessions.end': contract.EndedSession;
  'backOffice.me.sessions.list': contract.PersonSession[];
  'backOffice.me.totp.begin': contract.BegunTotp;
  'backOffice.me.totp.confirm': contract.RecoveryCodes;
  'backOffice.me.totp.remove': contract.Person;
  'backOffice.metrics': unknown;
  'backOffice.partners.connections': contract.ConnectionPage;
  'backOffice.partners.create': contract.Partner;
  'backOffice.partners.events': contract.PartnerEventPage;
  'backOffice.partners.get': contract.Partner;
  'backOffice.partners.list': contract.PartnerPage;
  'backOffice.partners.update': contract.Partner;
  'backOffice.payments.apply': contract.BackOfficePayment;
  'backOffice.payments.capture': contract.BackOfficePayment;
  'backOffice.payments.events': contract.PaymentEvent[];
  'backOffice.payments.fulfil': contract.BackOfficePayment;
  'backOffice.payments.get': contract.BackOfficePayment;
  'backOffice.payments.list': contract.BackOfficePaymentPage;
  'backOffice.payments.void': contract.BackOfficePayment;
  'backOffice.people.create': contract.InvitedPerson;
  'backOffice.people.deactivate': contract.Person;
  'backOffice.people.get': contract.Person;
  'backOffice.people.invite': contract.InvitedPerson;
  'backOffice.people.list': contract.PersonPage;
  'backOffice.people.reactivate': contract.Person;
  'backOffice.people.removeTotp': contract.Person;
  'backOffice.people.roles.give': contract.Person;
  'backOffice.people.roles.take': contract.Person;
  'backOffice.people.update': contract.Person;
  'backOffice.requests.get': contract.LoggedRequestDetails;
  'backOffice.requests.list': contract.LoggedRequestPage;
  'backOffice.requests.stream': unknown;
  'backOffice.restaurants.archive': contract.BackOfficeRestaurant;
  'backOffice.restaurants.create': contract.BackOfficeRestaurant;
  'backOffice.restaurants.get': contract.BackOfficeRestaurant;
  'backOffice.restaurants.list': contract.RestaurantOverviewPage;
  'backOffice.restaurants.unarchive': contract.BackOfficeRestaurant;
  'backOffice.restaurants.update': contract.BackOfficeRestaurant;
  'backOffice.session.end': contract.EndedSession;
  'backOffice.session.get': contract.BackOfficeSession;
  'backOffice.sessions.begin': contract.BackOfficeSession;
  'backOffice.stock.history': contract.StockChangePage;
  'backOffice.stock.list': contract.StockItemPage;
  'backOffice.stock.ranOut': contract.RanOutPage;
  'backOffice.stock.set': contract.StockItem[];
  'backOffice.stock.undo': contract.StockItem;
  'backOffice.webhooks.deliveries.drop': contract.WebhookDelivery;
  'backOffice.webhooks.deliveries.get': contract.WebhookDeliveryDetails;
  'backOffice.webhooks.deliveries.list': contract.WebhookDeliveryPage;
  'backOffice.webhooks.endpoints.archive': contract.WebhookEndpoint;
  'backOffice.webhooks.endpoints.create': contract.IssuedWebhookSecret;
  'backOffice.webhooks.endpoints.disable': contract.WebhookEndpoint;
  'backOffice.webhooks.endpoints.get': contract.WebhookEndpoint;
  'backOffice.webhooks.endpoints.list': contract.WebhookEndpointPage;
  'backOffice.webhooks.endpoints.pause': contract.WebhookEndpoint;
  'backOffice.webhooks.endpoints.resume': contract.WebhookEndpoint;
  'backOffice.webhooks.endpoints.update': contract.WebhookEndpoint;
  'backOffice.webhooks.replay': contract.WebhookReplay;
  'backOffice.webhooks.secrets.add': contract.IssuedWebhookSecret;
  'backOffice.webhooks.secrets.revoke': contract.WebhookEndpoint;
  'backOffice.webhooks.test': contract.WebhookDelivery;
  'backOffice.webhooks.trigger': contract.SentTestEvent;
  'backOffice.whoami': contract.WhoAmI;
  'configuration.alternatePaymentTypes.get': contract.AlternatePaymentType;
  'configuration.alternatePaymentTypes.list': contract.AlternatePaymentType[];
  'configuration.breakTypes.get': contract.BreakType;
  'configuration.breakTypes.list': contract.BreakType[];
  'configuration.cashDrawers.get': contract.CashDrawer;
  'configuration.cashDrawers.list': contract.CashDrawer[];
  'configuration.diningOptions.get': contract.DiningOption;
  'configuration.diningOptions.list': contract.DiningOption[];
  'configuration.discounts.get': contract.Discount;
  'configuration.discounts.list': contract.Discount[];
  'configuration.menuGroups.get': contract.MenuGroup;
  'configuration.menuGroups.list': contract.MenuGroup[];
  'configuration.menuItems.get': contract.MenuItem;
  'configuration.menuItems.list': contract.MenuItem[];
  'configuration.menuOptionGroups.get': contract.MenuOptionGroup;
  'configuration.menuOptionGroups.list': contract.MenuOptionGroup[];
  'configuration.menus.get': contract.Menu;
  'configuration.menus.list': contract.Menu[];
  'configuration.noSaleReasons.get': contract.NoSaleReason;
  'configuration.noSaleReasons.list': contract.NoSaleReason[];
  'configuration.payoutReasons.get': contract.PayoutReason;
  'configuration.payoutReasons.list': contract.PayoutReason[];
  'configuration.preModifierGroups.get': contract.PreModifierGroup;
  'configuration.preModifierGroups.list': contract.PreModifierGroup[];
  'configuration.preModifiers.get': contract.PreModifier;
  'configuration.preModifiers.list': contract.PreModifier[];
  'configuration.priceGroups.get': contract.PriceGroup;
  'configuration.priceGroups.list': contract.PriceGroup[];
  'configuration.printers.get': contract.Printer;
  'configuration.printers.list': contract.Printer[];
  'configuration.restaurantServices.get': contract.RestaurantService;
  'configuration.restaurantServices.list': contract.RestaurantService[];
  'configuration.revenueCenters.get': contract.RevenueCenter;
  'configuration.revenueCenters.list': contract.RevenueCenter[];
  'configuration.salesCategories.get': contract.SalesCategory;
  'configuration.salesCategories.list': contract.SalesCategory[];
  'configuration.serviceAreas.get': contract.ServiceArea;
  'configuration.serviceAreas.list': contract.ServiceArea[];
  'configuration.serviceCharges.get': contract.ServiceCharge;
  'configuration.serviceCharges.list': contract.ServiceCharge[];
  'configuration.tables.get': contract.Table;
  'configuration.tables.list': contract.Table[];
  'configuration.taxRates.get': contract.TaxRate;
  'configuration.taxRates.list': contract.TaxRate[];
  'configuration.tipWithholding.get': contract.TipWithholding;
  'configuration.voidReasons.get': contract.VoidReason;
  'configuration.voidReasons.list': contract.VoidReason[];
  'creditCards.authorize': contract.PaymentStatus;
  'docs.error': unknown;
  'docs.index': unknown;
  'docs.openapi': unknown;
  'health.live': contract.HealthReport;
  'health.ready': contract.HealthReport;
  'partners.connectedRestaurants.list': contract.ConnectedRestaurants;
  'partners.restaurants.list': contract.PartnerAccessExternalRep[];
  'platform.cardEncryptionKeys.list': contract.CardEncryptionKey[];
  'platform.events.list': contract.EventPage;
  'platform.events.stream': unknown;
  'platform.whoami': contract.WhoAmI;
  'restaurants.get': contract.RestaurantInfo;
  'restaurants.listGroup': contract.Restaurant[];
  'stock.list': contract.MenuItemInventory[];
  'stock.search': contract.MenuItemInventory[];
  'stock.update': contract.MenuItemInventory[];
}

/** The body that an operation takes. */
export interface Bodies {
  'auth.introspect': contract.TokenReference;
  'auth.login': contract.LoginRequest;
  'auth.revoke': contract.TokenReference;
  'auth.token': contract.TokenRequest;
  'backOffice.alarms.acknowledge': contract.AcknowledgeAlarm;
  'backOffice.cardKeys.issue': contract.IssueCardKey;
  'backOffice.clients.addSecret': contract.NewApiClientSecret;
  'backOffice.clients.create': contract.NewApiClient;
  'backOffice.clients.update': contract.ApiClientEdit;
  'backOffice.clock.advance': contract.AdvanceClock;
  'backOffice.clock.set': contract.SetClock;
  'backOffice.configuration.apply': contract.ApplyConfiguration;
  'backOffice.configuration.draft.discard': contract.DiscardDrafts;
  'backOffice.configuration.objects.create': contract.ConfigurationObjectFields;
  'backOffice.configuration.objects.update': contract.ConfigurationObjectFields;
  'backOffice.configuration.plan': contract.PlanConfiguration;
  'backOffice.configuration.publications.publish': contract.PublishConfiguration;
  'backOffice.configuration.publications.rollBack': contract.RollBackConfiguration;
  'backOffice.configuration.publishGroup': contract.PublishGroup;
  'backOffice.configuration.tipWithholding.set': contract.SetTipWithholding;
  'backOffice.connections.connect': contract.NewConnection;
  'backOffice.connections.disconnect': contract.EndConnection;
  'backOffice.connections.update': contract.ConnectionEdit;
  'backOffice.invitations.accept': contract.AcceptInvitation;
  'backOffice.invitations.inspect': contract.InspectInvitation;
  'backOffice.managementGroups.create': contract.CreateManagementGroup;
  'backOffice.managementGroups.update': contract.EditManagementGroup;
  'backOffice.me.password.change': contract.ChangePassword;
  'backOffice.me.totp.begin': contract.BeginTotp;
  'backOffice.me.totp.confirm': contract.ConfirmTotp;
  'backOffice.me.totp.remove': contract.RemoveTotp;
  'backOffice.partners.create': contract.NewPartner;
  'backOffice.partners.update': contract.PartnerEdit;
  'backOffice.payments.apply': contract.ApplyPayment;
  'backOffice.payments.void': contract.VoidPayment;
  'backOffice.people.create': contract.CreatePerson;
  'backOffice.people.roles.give': contract.GiveRole;
  'backOffice.people.update': contract.UpdatePerson;
  'backOffice.restaurants.create': contract.CreateRestaurant;
  'backOffice.restaurants.update': contract.EditRestaurant;
  'backOffice.sessions.begin': contract.LogIn;
  'backOffice.stock.set': contract.SetStock;
  'backOffice.webhooks.deliveries.drop': contract.DropWebhookDelivery;
  'backOffice.webhooks.endpoints.create': contract.NewWebhookEndpoint;
  'backOffice.webhooks.endpoints.disable': contract.EndWebhookSending;
  'backOffice.webhooks.endpoints.pause': contract.EndWebhookSending;
  'backOffice.webhooks.endpoints.update': contract.WebhookEndpointEdit;
  'backOffice.webhooks.replay': contract.ReplayWebhooks;
  'backOffice.webhooks.secrets.add': contract.NewWebhookSecret;
  'backOffice.webhooks.test': contract.TestWebhook;
  'backOffice.webhooks.trigger': contract.TestWebhook;
  'creditCards.authorize': contract.PaymentAuthorization;
  'stock.search': contract.InventorySearchRequest;
  'stock.update': contract.MenuItemInventoryUpdate[];
}
