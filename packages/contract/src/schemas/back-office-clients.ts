import type { Static } from 'typebox';
import { scopes } from '../scopes.ts';
import { backOfficePageSizeAtMost } from './back-office-terms.ts';
import { WebhookEvent } from './events.ts';
import {
  answer,
  choice,
  dateTime,
  epoch,
  flag,
  list,
  optional,
  orNull,
  request,
  text,
  uuid,
  whole,
  withDefault,
  words,
} from './field.ts';
import { pageOf } from './page.ts';
import { Type } from './type.ts';

const pageLimit = { maxItems: backOfficePageSizeAtMost };
const name = words('Its display name; 1 to 100 characters.', { minLength: 1, maxLength: 100 });
const description = orNull(
  words('What it is for, in your own words; at most 1,000 characters.', {
    minLength: 1,
    maxLength: 1000,
  }),
);
const scope = (what: string) => choice(what, scopes);

export const Partner = answer('A partner service, which restaurants connect to.', {
  guid: uuid('The partner.'),
  name: text('Its display name.'),
  description: orNull(text('What it does; null if not set.')),
  createdAt: dateTime('When it was created.'),
});
export type Partner = Static<typeof Partner>;

export const PartnerPage = answer(
  'One page of partners.',
  pageOf(Partner, 'The partners, by name.'),
);
export type PartnerPage = Static<typeof PartnerPage>;

export const NewPartner = request('The partner to create.', {
  name,
  description: Type.Optional(description),
});
export type NewPartner = Static<typeof NewPartner>;

export const PartnerEdit = request(
  'The fields of a partner to change. Fields that you leave out do not change.',
  {
    name: Type.Optional(name),
    description: Type.Optional(description),
  },
);
export type PartnerEdit = Static<typeof PartnerEdit>;

export const PartnerEventEntry = answer(
  'An event with its position among the events of a partner.',
  {
    position: Type.Integer({
      description: 'Starts at 1 and increases by one with each event of the partner.',
      format: 'int64',
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
    }),
    event: WebhookEvent,
  },
);
export type PartnerEventEntry = Static<typeof PartnerEventEntry>;

export const PartnerEventPage = answer('The events of a partner after a position.', {
  results: list(PartnerEventEntry, 'The events, in the order of their positions.', pageLimit),
  lastPosition: epoch('Send this as after to get the events that follow.'),
});
export type PartnerEventPage = Static<typeof PartnerEventPage>;

export const ApiClientSecret = answer('A secret of an API account, without the secret itself.', {
  guid: uuid('The secret.'),
  label: orNull(text('Its label; null if it has none.')),
  state: choice(
    'LIVE: can be used to log in. EXPIRED: past expiresAt. REVOKED: it or its account was revoked.',
    ['LIVE', 'EXPIRED', 'REVOKED'],
  ),
  createdAt: dateTime('When it was created.'),
  createdBy: orNull(text('Who created it; null for accounts of the demo.')),
  expiresAt: orNull(dateTime('When it expires; null for never.')),
  revokedAt: orNull(dateTime('When it was revoked.')),
  revokedBy: orNull(text('Who revoked it.')),
  lastUsedAt: orNull(dateTime('When it was last used to log in, to the minute; null for never.')),
});
export type ApiClientSecret = Static<typeof ApiClientSecret>;

const owner = (whose: string) =>
  answer(whose, { guid: uuid('Its identifier.'), name: text('Its display name.') });

export const ApiClient = answer('An API account, without its secrets.', {
  clientId: text('Identifies the account when it logs in.'),
  name: text('Its display name.'),
  description: orNull(text('What it is for; null if not set.')),
  type: choice(
    'PARTNER: the integration of a partner. CUSTOMER: a management group. BACK_OFFICE: the ' +
      'point-of-sale or order system of a group, or an operator of the whole platform.',
    ['PARTNER', 'CUSTOMER', 'BACK_OFFICE'],
  ),
  partner: orNull(owner('A partner.'), 'The partner of a PARTNER account.'),
  managementGroup: orNull(
    owner('A management group.'),
    'The group of a CUSTOMER account, or of a BACK_OFFICE account for one group.',
  ),
  scopes: list(scope('What the account may do.'), 'What the account may do, by name.'),
  holdsLegacyCardKey: flag('Whether it may leave keyId out of payments.'),
  createdAt: dateTime('When it was created.'),
  createdBy: orNull(text('Who created it; null for accounts of the demo.')),
  revokedAt: orNull(dateTime('When it was revoked; null if it was not.')),
  revokedBy: orNull(text('Who revoked it.')),
  lastUsedAt: orNull(dateTime('When it last sent a request, to the minute; null for never.')),
  secrets: list(ApiClientSecret, 'Its secrets, newest first.'),
});
export type ApiClient = Static<typeof ApiClient>;

export const ApiClientPage = answer(
  'One page of API accounts.',
  pageOf(ApiClient, 'The accounts, newest first.'),
);
export type ApiClientPage = Static<typeof ApiClientPage>;

const label = orNull(
  words('A name for the secret; at most 100 characters.', { minLength: 1, maxLength: 100 }),
);
/** Handlers compare it with the present. */
const future = (description: string) => orNull(dateTime(description, { '~reads': 'instant' }));
const expiresAt = future('When the secret expires. Null or left out: never.');
const secret = Type.Object(
  { label: Type.Optional(label), expiresAt: Type.Optional(expiresAt) },
  { description: 'Label and expiry of its first secret. By default, it has neither.' },
);

export const NewApiClient = request('The API account to create.', {
  name,
  description: Type.Optional(description),
  type: choice('Its type.', ['PARTNER', 'CUSTOMER', 'BACK_OFFICE']),
  partnerGuid: Type.Optional(orNull(uuid('For PARTNER accounts, and only for them.'))),
  managementGroupGuid: Type.Optional(
    orNull(
      uuid(
        'For CUSTOMER accounts, and for BACK_OFFICE accounts of one group. A BACK_OFFICE account ' +
          'without it is for the whole platform.',
      ),
    ),
  ),
  scopes: list(scope('What the account may do.'), 'Scopes that match its type.', {
    maxItems: 100,
  }),
  holdsLegacyCardKey: withDefault(
    flag('Whether it may leave keyId out of payments; never for BACK_OFFICE.'),
    false,
  ),
  secret: optional(secret),
});
export type NewApiClient = Static<typeof NewApiClient>;

export const ApiClientEdit = request(
  'The fields of an account to change. Fields that you leave out do not change.',
  {
    name: Type.Optional(name),
    description: Type.Optional(description),
    scopes: Type.Optional(
      list(
        scope('What the account may do.'),
        'All scopes of the account from now on; they must match its type.',
        {
          maxItems: 100,
        },
      ),
    ),
    holdsLegacyCardKey: Type.Optional(flag('Whether it may leave keyId out of payments.')),
  },
);
export type ApiClientEdit = Static<typeof ApiClientEdit>;

export const NewApiClientSecret = request('Label and expiry of the new secret.', {
  label: Type.Optional(label),
  expiresAt: Type.Optional(expiresAt),
  othersExpireAt: Type.Optional(
    future(
      'When the other live secrets expire, unless they expire sooner. Until then, all ' +
        'secrets work. Must be in the future. Null or left out: they keep working.',
    ),
  ),
});
export type NewApiClientSecret = Static<typeof NewApiClientSecret>;

export const IssuedApiClientSecret = answer('A new secret, which is shown only once.', {
  client: ApiClient,
  secretGuid: uuid('The secret.'),
  clientSecret: text('The secret. It cannot be shown again.'),
});
export type IssuedApiClientSecret = Static<typeof IssuedApiClientSecret>;

const requests = epoch('Number of requests.');
const operationName = text('The operation, or `none` if no operation has the path.');
const status = whole('The status of the responses.');

export const OperationUse = answer('How often an operation was called.', {
  operation: operationName,
  requests,
  statuses: list(answer('How often one status was returned.', { status, requests }), 'By status.'),
});
export type OperationUse = Static<typeof OperationUse>;

export const RestaurantUse = answer('How often requests named a restaurant.', {
  restaurantGuid: uuid('The restaurant.'),
  restaurantName: text('Its name.'),
  requests,
});
export type RestaurantUse = Static<typeof RestaurantUse>;

export const ScopeUse = answer('When a scope of an account was last used.', {
  scope: scope('A scope that the account has.'),
  lastUsedAt: orNull(dateTime('The last request that needed it, to the minute; null for none.')),
  since: dateTime('When counting started. The account has held the scope since then.'),
});
export type ScopeUse = Static<typeof ScopeUse>;

export const ApiClientUsage = answer('How an API account is used.', {
  clientId: text('The account.'),
  from: text('The first day, in UTC.', { format: 'date' }),
  to: text('The last day.', { format: 'date' }),
  requests,
  operations: list(OperationUse, 'By operation, the most frequent first.'),
  days: list(
    answer('How often on one day.', { day: text('The day.', { format: 'date' }), requests }),
    'By day; days without requests are left out.',
  ),
  restaurants: list(
    RestaurantUse,
    'By restaurant, the most frequent first, at most 500. A request that was refused access to ' +
      'the restaurant is not counted here.',
    { maxItems: 500 },
  ),
  restaurantCount: whole(
    'How many restaurants were named by requests, including those not listed.',
  ),
  scopes: list(ScopeUse, 'Each scope that the account has now, sorted by name.'),
});
export type ApiClientUsage = Static<typeof ApiClientUsage>;
