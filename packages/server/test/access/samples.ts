import type { OperationId } from '@servery/contract';
import type { AccessPlace } from './callers.ts';

/** A restaurant with something of everything that operations name. */
export interface Side {
  /** `own`, `sibling` for another restaurant of the same group, or `other`. */
  readonly name: string;
  readonly group: AccessPlace;
  readonly restaurant: AccessPlace;
  /** Every restaurant of the group. */
  readonly restaurantsOfGroup: readonly string[];
  readonly partner: AccessPlace;
  /** People whose only role is read-only: of the group, of the restaurant. */
  readonly personOfGroup: string;
  readonly personOfRestaurant: string;
  /** Accounts that nobody calls with: of the group, of the partner. */
  readonly clientOfGroup: string;
  readonly clientOfPartner: string;
  /** A card key of the account of the partner, and a secret of the one of the group. */
  readonly keyId: string;
  readonly secretGuid: string;
  /** An endpoint of the account of the partner, a secret of it, and what waits for it. */
  readonly endpointGuid: string;
  readonly webhookSecretGuid: string;
  readonly deliveryGuid: string;
  readonly paymentUuid: string;
  readonly alarmGuid: string;
}

/** How an operation is called, and what it is then about. */
export interface Sample {
  /** The path parameters beside `restaurantGuid` and `merchantUuid`. */
  readonly params?: (side: Side) => Readonly<Record<string, string>>;
  /** What is sent; when absent an empty object, refused only after the caller is let in. */
  readonly body?: (side: Side) => unknown;
  /** Where what is named belongs, when that is not the restaurant in the path. */
  readonly at?: (side: Side) => AccessPlace;
  /** For groups: whether reaching one of its restaurants is enough to be let in. */
  readonly isPartEnough?: boolean;
  /** For what is more than one restaurant: the places of which a role or account is enough. */
  readonly needs?: readonly AccessPlace['kind'][];
  /** The words of a 404 that only somebody who was let in gets: the sample names nothing real. */
  readonly missing?: RegExp;
}

const NOTHING = '7d0c8f5a-6c1e-4f0b-9a53-2f4f6c1b9e77';

const ofPlatform: Sample = { needs: ['platform'] };
const ofGroup: Sample = { needs: ['platform', 'group'] };
const plain: Sample = {};

const payment: Sample = { params: ({ paymentUuid }) => ({ paymentUuid }) };

/** An account of the group, whose keys and secrets its administrators look after. */
const client: Sample = {
  params: ({ clientOfGroup: clientId }) => ({ clientId }),
  at: ({ group }) => group,
};
const cardKey: Sample = {
  params: ({ clientOfPartner: clientId, keyId }) => ({ clientId, keyId }),
  at: ({ partner }) => partner,
};

const endpoint: Sample = {
  params: ({ endpointGuid }) => ({ endpointGuid }),
  at: ({ partner }) => partner,
};
const delivery: Sample = {
  params: ({ deliveryGuid }) => ({ deliveryGuid }),
  at: ({ partner }) => partner,
};
const because = () => ({ reason: 'The matrix wants it.' });
const tested = () => ({ eventType: 'partner_added' });

const person: Sample = {
  params: ({ personOfRestaurant: personGuid }) => ({ personGuid }),
  at: ({ restaurant }) => restaurant,
};

const group: Sample = {
  params: ({ group: { guid } }) => ({ managementGroupGuid: guid ?? '' }),
  at: (side) => side.group,
};

const anOrder = { params: () => ({ orderGuid: NOTHING }), missing: /no such order/i };

const configurationObject: Sample = {
  params: () => ({ collection: 'menuItems', guid: NOTHING }),
  missing: /menuItems|no such/i,
};

const sandbox: Sample = {
  ...ofPlatform,
  params: () => ({ name: 'no-such' }),
  missing: /no sandbox/i,
};
const publication: Sample = { params: () => ({ number: '9' }), missing: /publication/ };

/**
 * How each operation of the back office is called. Operations that name nothing but a restaurant,
 * or nothing at all, need no row unless they change something.
 */
export const samples: Readonly<Partial<Record<OperationId, Sample>>> = {
  'backOffice.payments.get': payment,
  'backOffice.payments.events': payment,
  'backOffice.payments.apply': payment,
  'backOffice.payments.fulfil': payment,
  'backOffice.payments.void': payment,
  'backOffice.payments.capture': payment,
  'backOffice.payments.tip': payment,

  'backOffice.clock.freeze': plain,
  'backOffice.clock.run': plain,
  'backOffice.clock.set': plain,
  'backOffice.clock.advance': plain,
  'backOffice.clock.next': plain,

  'backOffice.faults.list': ofPlatform,
  'backOffice.faults.add': ofPlatform,
  'backOffice.faults.remove': {
    ...ofPlatform,
    params: () => ({ faultGuid: NOTHING }),
    missing: /no such rule/,
  },
  'backOffice.faults.setProfile': ofPlatform,

  'backOffice.cardKeys.list': cardKey,
  'backOffice.cardKeys.issue': { ...cardKey, body: () => ({ algorithm: 'RSA-OAEP-SHA256' }) },
  'backOffice.cardKeys.activate': cardKey,
  'backOffice.cardKeys.retire': cardKey,
  'backOffice.cardKeys.destroy': cardKey,

  'backOffice.alarms.acknowledge': {
    params: ({ alarmGuid }) => ({ alarmGuid }),
    body: () => ({ note: 'The matrix took note.' }),
    at: ({ restaurant }) => restaurant,
  },

  'backOffice.metrics': ofPlatform,
  'backOffice.health.get': ofPlatform,
  'backOffice.audit.export': ofPlatform,
  'backOffice.audit.verify': ofPlatform,
  'backOffice.sandboxes.list': ofPlatform,
  'backOffice.sandboxes.create': ofPlatform,
  'backOffice.sandboxes.get': sandbox,
  'backOffice.sandboxes.update': { ...sandbox, body: () => ({ ttl: 'PT1H' }) },
  'backOffice.sandboxes.drop': sandbox,
  'backOffice.sandboxes.snapshots.list': sandbox,
  'backOffice.sandboxes.snapshots.create': { ...sandbox, body: () => ({ name: 'matrix' }) },
  'backOffice.sandboxes.snapshots.drop': {
    ...sandbox,
    params: () => ({ name: 'no-such', snapshot: 'matrix' }),
  },
  'backOffice.sandboxes.restore': { ...sandbox, body: () => ({ snapshot: 'matrix' }) },
  'backOffice.sandboxes.diff': sandbox,

  'backOffice.sessions.begin': plain,
  'backOffice.sessions.beginDemo': plain,
  'backOffice.sessions.demoToken': plain,
  'backOffice.session.end': plain,
  'backOffice.invitations.inspect': plain,
  'backOffice.invitations.accept': plain,
  'backOffice.me.sessions.end': {
    params: () => ({ sessionGuid: NOTHING }),
    missing: /no such session/,
  },
  'backOffice.me.password.change': plain,
  'backOffice.me.totp.begin': plain,
  'backOffice.me.totp.confirm': plain,
  'backOffice.me.totp.remove': plain,
  'backOffice.me.views.save': plain,
  'backOffice.me.views.delete': {
    params: () => ({ viewGuid: NOTHING }),
    missing: /no such view/,
  },

  'backOffice.people.create': plain,
  'backOffice.people.get': person,
  'backOffice.people.update': { ...person, body: () => ({ name: 'Ada Lovelace' }) },
  'backOffice.people.deactivate': person,
  'backOffice.people.reactivate': person,
  'backOffice.people.invite': {
    params: ({ personOfGroup: personGuid }) => ({ personGuid }),
    at: ({ group: place }) => place,
  },
  'backOffice.people.removeTotp': person,
  'backOffice.people.sessions.list': person,
  'backOffice.people.sessions.end': {
    params: ({ personOfRestaurant: personGuid }) => ({ personGuid, sessionGuid: NOTHING }),
    at: ({ restaurant }) => restaurant,
    missing: /no such session/,
  },
  'backOffice.people.roles.give': {
    ...person,
    body: ({ restaurant: { guid: restaurantGuid } }) => ({ role: 'READ_ONLY', restaurantGuid }),
  },
  'backOffice.people.roles.take': {
    params: ({ personOfRestaurant: personGuid }) => ({ personGuid, roleGuid: NOTHING }),
    at: ({ restaurant }) => restaurant,
    missing: /no such role/,
  },

  'backOffice.managementGroups.create': { ...ofPlatform, body: () => ({ name: 'Matrix' }) },
  'backOffice.managementGroups.get': group,
  'backOffice.managementGroups.update': group,
  'backOffice.managementGroups.archive': { ...group, ...ofPlatform },
  'backOffice.managementGroups.unarchive': { ...group, ...ofPlatform },
  'backOffice.restaurants.create': ofGroup,
  'backOffice.restaurants.update': plain,
  'backOffice.restaurants.archive': ofGroup,
  'backOffice.restaurants.unarchive': ofGroup,

  'backOffice.configuration.objects.list': { params: () => ({ collection: 'menuItems' }) },
  'backOffice.configuration.objects.create': { params: () => ({ collection: 'menuItems' }) },
  'backOffice.configuration.objects.get': configurationObject,
  'backOffice.configuration.objects.update': configurationObject,
  'backOffice.configuration.objects.archive': configurationObject,
  'backOffice.configuration.objects.unarchive': configurationObject,
  'backOffice.configuration.objects.discard': configurationObject,
  'backOffice.configuration.tipWithholding.get': { missing: /tip/i },
  'backOffice.configuration.tipWithholding.set': plain,
  'backOffice.configuration.draft.apply': plain,
  'backOffice.configuration.draft.discard': plain,
  'backOffice.configuration.draft.menus': { missing: /no menu/ },
  'backOffice.configuration.publications.publish': plain,
  'backOffice.configuration.publications.get': publication,
  'backOffice.configuration.publications.rollBack': publication,
  'backOffice.configuration.publishGroup': {
    ...group,
    body: () => ({ restaurants: [{ restaurantGuid: NOTHING }] }),
    isPartEnough: true,
  },
  'backOffice.configuration.plan': plain,
  'backOffice.configuration.apply': plain,

  'backOffice.orders.get': anOrder,
  'backOffice.orders.events': anOrder,
  'backOffice.orders.approve': anOrder,
  'backOffice.orders.reject': { ...anOrder, body: () => ({ reason: 'The matrix rejects it.' }) },
  'backOffice.orders.fire': { ...anOrder, body: () => ({}) },
  'backOffice.orders.hold': { ...anOrder, body: () => ({}) },
  'backOffice.orders.ready': { ...anOrder, body: () => ({}) },
  'backOffice.orders.fulfil': anOrder,
  'backOffice.orders.payments.add': {
    ...anOrder,
    params: () => ({ orderGuid: NOTHING, checkGuid: NOTHING }),
    body: () => ({ type: 'CASH', amount: 1 }),
  },
  'backOffice.orders.payments.void': {
    ...anOrder,
    params: () => ({ orderGuid: NOTHING, paymentGuid: NOTHING }),
    body: () => ({ reason: 'The matrix voids it.' }),
  },
  'backOffice.orders.selections.void': {
    ...anOrder,
    params: () => ({ orderGuid: NOTHING, selectionGuid: NOTHING }),
    body: () => ({}),
  },
  'backOffice.orders.void': { ...anOrder, body: () => ({ reason: 'The matrix voids it.' }) },

  'backOffice.stock.set': plain,
  'backOffice.stock.undo': { params: () => ({ changeGuid: NOTHING }), missing: /no such change/i },

  'backOffice.partners.create': { ...ofPlatform, body: () => ({ name: 'Matrix' }) },
  'backOffice.partners.get': {
    params: ({ partner: { guid } }) => ({ partnerGuid: guid ?? '' }),
    at: ({ partner }) => partner,
  },
  'backOffice.partners.update': {
    needs: ['platform', 'partner'],
    params: ({ partner: { guid } }) => ({ partnerGuid: guid ?? '' }),
    at: ({ partner }) => partner,
  },
  'backOffice.partners.connections': {
    params: ({ partner: { guid } }) => ({ partnerGuid: guid ?? '' }),
    at: ({ partner }) => partner,
  },
  'backOffice.partners.events': {
    params: ({ partner: { guid } }) => ({ partnerGuid: guid ?? '' }),
    at: ({ partner }) => partner,
  },
  'backOffice.clients.create': plain,
  'backOffice.clients.get': client,
  'backOffice.clients.usage': client,
  'backOffice.clients.update': client,
  'backOffice.clients.addSecret': client,
  'backOffice.clients.revokeSecret': {
    params: ({ clientOfGroup: clientId, secretGuid }) => ({ clientId, secretGuid }),
    at: (side) => side.group,
  },
  'backOffice.clients.revoke': client,

  'backOffice.connections.connect': plain,
  'backOffice.connections.get': {
    params: () => ({ partnerGuid: NOTHING }),
    missing: /never connected|no such/i,
  },
  'backOffice.connections.update': {
    params: () => ({ partnerGuid: NOTHING }),
    missing: /never connected|no such/i,
  },
  'backOffice.connections.disconnect': {
    params: () => ({ partnerGuid: NOTHING }),
    body: () => ({ reason: 'The matrix ends it.' }),
    missing: /never connected|no such/i,
  },
  'backOffice.connections.timeline': {
    params: () => ({ partnerGuid: NOTHING }),
    missing: /never connected|no such/i,
  },

  'backOffice.webhooks.endpoints.create': plain,
  'backOffice.webhooks.endpoints.get': endpoint,
  'backOffice.webhooks.endpoints.update': endpoint,
  'backOffice.webhooks.endpoints.pause': { ...endpoint, body: because },
  'backOffice.webhooks.endpoints.resume': endpoint,
  'backOffice.webhooks.endpoints.disable': { ...endpoint, body: because },
  'backOffice.webhooks.endpoints.archive': endpoint,
  'backOffice.webhooks.secrets.add': endpoint,
  'backOffice.webhooks.secrets.revoke': {
    params: ({ endpointGuid, webhookSecretGuid: secretGuid }) => ({ endpointGuid, secretGuid }),
    at: ({ partner }) => partner,
  },
  'backOffice.webhooks.test': { ...endpoint, body: tested },
  'backOffice.webhooks.replay': { ...endpoint, body: () => ({ which: 'FAILED' }) },
  'backOffice.webhooks.trigger': {
    params: ({ partner: { guid } }) => ({ partnerGuid: guid ?? '' }),
    body: tested,
    at: ({ partner }) => partner,
  },
  'backOffice.webhooks.deliveries.get': delivery,
  'backOffice.webhooks.deliveries.drop': { ...delivery, body: because },

  'backOffice.requests.get': {
    params: () => ({ requestId: NOTHING }),
    missing: /no such request/i,
  },
  'backOffice.requests.replay': {
    ...ofPlatform,
    params: () => ({ requestId: NOTHING }),
    body: () => ({}),
    missing: /no such request/i,
  },
};
