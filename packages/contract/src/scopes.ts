/** Exactly what the partner interfaces declare (AUTH-8). */
export const partnerScopes = [
  'credit_cards.authorization:write',
  'stock:read',
  'stock:write',
  'config:read',
  'restaurants:read',
  'orders:read',
  'orders.channel:read',
  'orders.orders:write',
  'orders.items:write',
  'orders.discounts:write',
  'orders.payments:write',
  'orders.delivery_info:write',
  'orders.channel:void',
  'orders:void',
  'guest.pi:read',
  'delivery_info.address:read',
  'menus:read',
] as const;

export const backOfficeScopes = [
  'payments.lifecycle:read',
  'payments.lifecycle:write',
  'clock:read',
  'clock:write',
  'card_keys:read',
  'card_keys:write',
  'metrics:read',
  'people:read',
  'people:write',
  'restaurants.admin:read',
  'restaurants.admin:write',
  'configuration:read',
  'configuration:write',
  'configuration:publish',
  'stock.admin:read',
  'stock.admin:write',
  'orders.admin:read',
  'orders.admin:write',
  'clients:read',
  'clients:write',
  'connections:read',
  'connections:write',
  'webhooks:read',
  'webhooks:write',
  'requests:read',
  'audit:read',
  'sandboxes:read',
  'sandboxes:write',
  'faults:read',
  'faults:write',
  'requests:write',
] as const;

/** A client holds scopes of one kind only. */
export const scopes = [...partnerScopes, ...backOfficeScopes] as const;

export type PartnerScope = (typeof partnerScopes)[number];

export type BackOfficeScope = (typeof backOfficeScopes)[number];

export type Scope = PartnerScope | BackOfficeScope;

export type ClientType = 'PARTNER' | 'CUSTOMER' | 'BACK_OFFICE';

export function scopesFor(type: ClientType): readonly Scope[] {
  return type === 'BACK_OFFICE' ? backOfficeScopes : partnerScopes;
}

export const scopeGrants: Readonly<Record<Scope, string>> = {
  'credit_cards.authorization:write':
    'Authorize card payments, read them, and void them until they are applied to a check.',
  'stock:read': 'Read stock.',
  'stock:write': 'Set the stock of menu items and of the items behind modifiers.',
  'config:read': 'Read the configuration of restaurants.',
  'restaurants:read': 'Read restaurant information.',
  'orders:read': 'Read orders and their payments.',
  'orders.channel:read':
    'Limits orders:read to orders that your partner or management group placed.',
  'orders.orders:write': 'Price and place orders.',
  'orders.items:write': 'Add items to orders.',
  'orders.discounts:write': 'Add discounts to orders.',
  'orders.payments:write': 'Add card payments to orders, and change tips.',
  'orders.delivery_info:write': 'Update the progress of deliveries.',
  'orders.channel:void': 'Void orders that your partner or management group placed.',
  'orders:void': 'The same as orders.channel:void.',
  'guest.pi:read': 'See the guests of orders: names, phone numbers, email addresses, vehicles.',
  'delivery_info.address:read': 'See delivery addresses.',
  'menus:read': 'Read the published menus of restaurants.',
  'payments.lifecycle:read': 'Read payments, their events, and the alarms about them.',
  'payments.lifecycle:write':
    'Apply, fulfill, void, and capture payments, change their tips, and acknowledge alarms.',
  'clock:read': "Read the environment's clock.",
  'clock:write': "Move a sandbox's clock, which all its groups share.",
  'card_keys:read': 'Read the public card keys of clients.',
  'card_keys:write': 'Issue, activate, retire, and destroy card keys of clients.',
  'metrics:read': 'Read the metrics of the platform.',
  'people:read': 'Read the people of the back office, their roles, and their sessions.',
  'people:write': 'Invite people, give and remove roles, and deactivate people.',
  'restaurants.admin:read': 'Read management groups and restaurants with all their settings.',
  'restaurants.admin:write': 'Create, edit, and archive management groups and restaurants.',
  'configuration:read': 'Read drafts, previews, and the history of publications.',
  'configuration:write': 'Edit drafts of the configuration.',
  'configuration:publish': 'Publish drafts, and roll back to an earlier publication.',
  'stock.admin:read': 'Read stock and its history.',
  'stock.admin:write': 'Set stock and undo changes.',
  'orders.admin:read': 'Read the orders of restaurants with their guests.',
  'orders.admin:write': 'Approve, prepare, fulfill, and void orders, and take payments for them.',
  'clients:read': 'Read partners, API accounts, and how they are used.',
  'clients:write':
    'Create and edit partners, and create, edit, and revoke API accounts and their secrets.',
  'connections:read': 'Read the connections between restaurants and partners, and their timelines.',
  'connections:write': 'Connect restaurants to partners, and disconnect them.',
  'webhooks:read': 'Read webhook endpoints, deliveries, and attempts.',
  'webhooks:write': 'Create, edit, pause, and archive webhook endpoints, and replay events.',
  'requests:read': 'Read the request log.',
  'audit:read': 'Read, export, and verify the audit log.',
  'sandboxes:read': 'List and compare the sandboxes alongside the main environment.',
  'sandboxes:write': 'Create, extend, restore, and drop sandboxes.',
  'faults:read': 'Read the injected faults of a sandbox.',
  'faults:write': 'Inject faults into a sandbox, which all its groups share.',
  'requests:write': 'Replay logged requests in a sandbox, as the caller that sent them.',
};
