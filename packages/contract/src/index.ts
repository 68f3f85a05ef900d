export * from './brand.ts';
export * from './collection-references.ts';
export * from './collections.ts';
export * from './error-bodies.ts';
export * from './errors.ts';
export * from './examples.ts';
export * from './fault-text.ts';
export * from './interfaces.ts';
export * from './json-schema.ts';
export * from './office-fields.ts';
export { webhookBodySchemas } from './openapi/webhooks.ts';
export * from './openapi.ts';
export type {
  AnyOperation,
  Body,
  RequestBody,
  ResponseHeader,
  RestaurantRule,
} from './operations/operation.ts';
export {
  bodyBytesAtMost,
  credentialBytesAtMost,
  namesRestaurantInHeader,
  namesRestaurantInPath,
  restaurantParameters,
} from './operations/operation.ts';
export { type Parameter, parametersOf } from './operations/parameters.ts';
export * from './operations/types.ts';
export * from './operations.ts';
export * from './roles.ts';
export * from './schemas/authentication.ts';
export * from './schemas/back-office.ts';
export * from './schemas/back-office-audit.ts';
export * from './schemas/back-office-clients.ts';
export * from './schemas/back-office-connections.ts';
export * from './schemas/back-office-drafts.ts';
export * from './schemas/back-office-faults.ts';
export * from './schemas/back-office-health.ts';
export * from './schemas/back-office-orders.ts';
export * from './schemas/back-office-organization.ts';
export * from './schemas/back-office-people.ts';
export * from './schemas/back-office-requests.ts';
export * from './schemas/back-office-sandboxes.ts';
export * from './schemas/back-office-stock-admin.ts';
export * from './schemas/back-office-terms.ts';
export * from './schemas/back-office-webhooks.ts';
export * from './schemas/configuration-menus.ts';
export * from './schemas/configuration-money.ts';
export * from './schemas/configuration-restaurant.ts';
export * from './schemas/credit-cards.ts';
export * from './schemas/discount-rule.ts';
export * from './schemas/error.ts';
export * from './schemas/event-types.ts';
export * from './schemas/events.ts';
export { limits, REFERENCE_TEXT, type Reading, type ServerKeywords } from './schemas/field.ts';
export * from './schemas/item-tag.ts';
export * from './schemas/menu-fields.ts';
export * from './schemas/menus.ts';
export * from './schemas/menus-parts.ts';
export * from './schemas/menus-prices.ts';
export * from './schemas/orders.ts';
export * from './schemas/orders-guests.ts';
export { OrderConfigReference, OrderReference, orderLimits } from './schemas/orders-parts.ts';
export * from './schemas/orders-payments.ts';
export * from './schemas/orders-requests.ts';
export * from './schemas/partners.ts';
export * from './schemas/platform.ts';
export * from './schemas/platform-changes.ts';
export * from './schemas/platform-events.ts';
export * from './schemas/platform-payments.ts';
export * from './schemas/pricing.ts';
export * from './schemas/reference.ts';
export * from './schemas/request-explanation.ts';
export * from './schemas/restaurants.ts';
export * from './schemas/schedule.ts';
export * from './schemas/stock.ts';
export * from './schemas/whoami.ts';
export * from './schemas.ts';
export * from './scopes.ts';
export * from './secret-fields.ts';
export * from './session-names.ts';
export * from './validators.ts';
