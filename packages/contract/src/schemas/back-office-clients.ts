import type { Static } from 'typebox';
import { scopes } from '../scopes.ts';
import { backOfficePageSizeAtMost } from './back-office-terms.ts';
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
import { PartnerEvent } from './partners.ts';
import { Type } from './type.ts';

const pageLimit = { maxItems: backOfficePageSizeAtMost };
const name = words('What people call it; 1 to 100 characters.', { minLength: 1, maxLength: 100 });
const description = orNull(
  words('What it is for, in your own words; at most 1,000 characters.', {
    minLength: 1,
    maxLength: 1000,
  }),
);
const scope = (what: string) => choice(what, scopes);

export const Partner = answer('A partner service, which restaurants connect to.', {
  guid: uuid('The partner.'),
  name: text('What people call it.'),
  description: orNull(text('What it does; null when nobody said.')),
  createdAt: dateTime('When it was added.'),
});
export type Partner = Static<typeof Partner>;

export const PartnerPage = answer(
  'One page of partners.',
  pageOf(Partner, 'The partners, by name.'),
);
export type PartnerPage = Static<typeof PartnerPage>;

export const NewPartner = request('The partner to add.', {
  name,
  description: Type.Optional(description),
});
export type NewPartner = Static<typeof NewPartner>;

export const PartnerEdit = request('What to change of a partner; what is left out stays.', {
  name: Type.Optional(name),
  description: Type.Optional(description),
});
export type PartnerEdit = Static<typeof PartnerEdit>;

export const PartnerEventEntry = answer('An event with its place among the events of a partner.', {
  position: Type.Integer({
    description: 'From 1, up by one with each event of the partner.',
    format: 'int64',
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
  }),
  event: PartnerEvent,
});
export type PartnerEventEntry = Static<typeof PartnerEventEntry>;

export const PartnerEventPage = answer('Events of a partner after a position.', {
  results: list(PartnerEventEntry, 'The events, in the order of their positions.', pageLimit),
  lastPosition: epoch('What to send as after for what comes next.'),
});
export type PartnerEventPage = Static<typeof PartnerEventPage>;

export const ApiClientSecret = answer('A secret of an API account, without the secret itself.', {
  guid: uuid('The secret.'),
  label: orNull(text('Its label; null if it has none.')),
  state: choice(
    'LIVE: can log in. EXPIRED: past expiresAt. REVOKED: it or its account was revoked.',
    ['LIVE', 'EXPIRED', 'REVOKED'],
  ),
  createdAt: dateTime('When it was created.'),
  createdBy: orNull(text('Who created it; null for accounts of the demo.')),
  expiresAt: orNull(dateTime('When it expires; null for never.')),
  revokedAt: orNull(dateTime('When it was revoked.')),
  revokedBy: orNull(text('Who revoked it.')),
  lastUsedAt: orNull(dateTime('When it last logged in, to the minute; null for never.')),
});
export type ApiClientSecret = Static<typeof ApiClientSecret>;

const owner = (whose: string) =>
  answer(whose, { guid: uuid('Its identifier.'), name: text('What people call it.') });

export const ApiClient = answer('An API account, without its secrets.', {
  clientId: text('What the account logs in with, beside a secret.'),
  name: text('What people call it.'),
  description: orNull(text('What it is for; null if nobody said.')),
  type: choice(
    'PARTNER: the integration of a partner. CUSTOMER: a management group. BACK_OFFICE: the ' +
      'orders system of a group, or an operator of the whole platform.',
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
  secrets: list(ApiClientSecret, 'Its secrets, the newest first.'),
});
export type ApiClient = Static<typeof ApiClient>;

export const ApiClientPage = answer(
  'One page of API accounts.',
  pageOf(ApiClient, 'The accounts, the newest first.'),
);
export type ApiClientPage = Static<typeof ApiClientPage>;

const label = orNull(
  words('What people call the secret; at most 100 characters.', { minLength: 1, maxLength: 100 }),
);
/** Handlers compare it with the present. */
const future = (description: string) => orNull(dateTime(description, { '~reads': 'instant' }));
const expiresAt = future('When the secret expires; null or left out for never.');
const secret = Type.Object(
  { label: Type.Optional(label), expiresAt: Type.Optional(expiresAt) },
  { description: 'Label and expiry of its first secret; it has neither when left out.' },
);

export const NewApiClient = request('The API account to create.', {
  name,
  description: Type.Optional(description),
  type: choice('Its kind.', ['PARTNER', 'CUSTOMER', 'BACK_OFFICE']),
  partnerGuid: Type.Optional(orNull(uuid('For PARTNER accounts, and only for them.'))),
  managementGroupGuid: Type.Optional(
    orNull(
      uuid(
        'For CUSTOMER accounts, and for BACK_OFFICE accounts of one group. A BACK_OFFICE account ' +
          'without it is for the whole platform.',
      ),
    ),
  ),
  scopes: list(scope('What the account may do.'), 'Scopes of its kind; none of the other.', {
    maxItems: 100,
  }),
  holdsLegacyCardKey: withDefault(
    flag('Whether it may leave keyId out of payments; never for BACK_OFFICE.'),
    false,
  ),
  secret: optional(secret),
});
export type NewApiClient = Static<typeof NewApiClient>;

export const ApiClientEdit = request('What to change of an account; what is left out stays.', {
  name: Type.Optional(name),
  description: Type.Optional(description),
  scopes: Type.Optional(
    list(scope('What the account may do.'), 'All scopes that it is to have, of its kind.', {
      maxItems: 100,
    }),
  ),
  holdsLegacyCardKey: Type.Optional(flag('Whether it may leave keyId out of payments.')),
});
export type ApiClientEdit = Static<typeof ApiClientEdit>;

export const NewApiClientSecret = request('Label and expiry of the new secret.', {
  label: Type.Optional(label),
  expiresAt: Type.Optional(expiresAt),
  othersExpireAt: Type.Optional(
    future(
      'When the other live secrets expire, unless they expire sooner: the overlap of a rotation. ' +
        'Must be in the future. They keep working when it is null or left out.',
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

const requests = epoch('Requests.');
const operationName = text('The operation; none if no operation has the path.');
const status = whole('The status of the answers.');

export const OperationUse = answer('How often an operation was called.', {
  operation: operationName,
  requests,
  statuses: list(answer('How often by one status.', { status, requests }), 'By status.'),
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
  since: dateTime(
    'Since when this is recorded: from then on the scope was held, and its use counted.',
  ),
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
    'By day, those without any left out.',
  ),
  restaurants: list(
    RestaurantUse,
    'By restaurant, the most frequent first, at most 500. A request that was refused access to ' +
      'the restaurant is not counted here.',
    { maxItems: 500 },
  ),
  restaurantCount: whole('How many restaurants requests named, shown or not.'),
  scopes: list(ScopeUse, 'Each scope that the account has now, by name.'),
});
export type ApiClientUsage = Static<typeof ApiClientUsage>;
