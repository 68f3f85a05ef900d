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
  orNull,
  request,
  text,
  uuid,
  whole,
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

/** A partner service. */
export const Partner = answer('A partner service, which restaurants connect to.', {
  guid: uuid('The partner.'),
  name: text('What people call it.'),
  description: orNull(text('What it does; null when nobody said.')),
  createdAt: dateTime('When it was added.'),
});
/** A partner service. */
export type Partner = Static<typeof Partner>;

/** One page of partners. */
export const PartnerPage = answer(
  'One page of partners.',
  pageOf(Partner, 'The partners, by name.'),
);
/** One page of partners. */
export type PartnerPage = Static<typeof PartnerPage>;

/** Adds a partner. */
export const NewPartner = request('The partner to add.', {
  name,
  description: Type.Optional(description),
});
/** Adds a partner. */
export type NewPartner = Static<typeof NewPartner>;

/** Edits a partner. */
export const PartnerEdit = request('What to change of a partner; what is left out stays.', {
  name: Type.Optional(name),
  description: Type.Optional(description),
});
/** Edits a partner. */
export type PartnerEdit = Static<typeof PartnerEdit>;

/** An event of a partner with its place among all events of that partner. */
export const PartnerEventEntry = answer('An event with its place among the events of a partner.', {
  position: Type.Integer({
    description: 'From 1, up by one with each event of the partner.',
    format: 'int64',
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
  }),
  event: PartnerEvent,
});
/** An event of a partner with its place among all events of that partner. */
export type PartnerEventEntry = Static<typeof PartnerEventEntry>;

/** What happened to the connections of a partner after a position. */
export const PartnerEventPage = answer('Events of a partner after a position.', {
  results: list(PartnerEventEntry, 'The events, in the order of their positions.', pageLimit),
  lastPosition: epoch('What to send as after for what comes next.'),
});
/** What happened to the connections of a partner after a position. */
export type PartnerEventPage = Static<typeof PartnerEventPage>;

/** What may be known of a secret: never the secret itself. */
export const ApiClientSecret = answer('What may be known of a secret of an API account.', {
  guid: uuid('Names the secret.'),
  label: orNull(text('What people call it; null when nobody said.')),
  state: choice(
    'LIVE: logs in. EXPIRED: its time is over. REVOKED: somebody ended it, or the account.',
    ['LIVE', 'EXPIRED', 'REVOKED'],
  ),
  createdAt: dateTime('When it was made.'),
  createdBy: orNull(text('Who made it; null for accounts of the demo.')),
  expiresAt: orNull(dateTime('When it ends by itself; null for never.')),
  revokedAt: orNull(dateTime('When somebody ended it.')),
  revokedBy: orNull(text('Who ended it.')),
  lastUsedAt: orNull(dateTime('When somebody logged in with it, to the minute; null for never.')),
});
/** What may be known of a secret: never the secret itself. */
export type ApiClientSecret = Static<typeof ApiClientSecret>;

const owner = (whose: string) =>
  answer(whose, { guid: uuid('Its identifier.'), name: text('What people call it.') });

/** An API account. */
export const ApiClient = answer('An API account, without its secrets.', {
  clientId: text('What the account logs in with, beside a secret.'),
  name: text('What people call it.'),
  description: orNull(text('What it is for; null when nobody said.')),
  type: choice(
    'PARTNER: the integration of a partner. CUSTOMER: a management group. BACK_OFFICE: the ' +
      'orders side of a group, or an operator of the whole platform.',
    ['PARTNER', 'CUSTOMER', 'BACK_OFFICE'],
  ),
  partner: orNull(owner('A partner.'), 'The partner of a PARTNER account.'),
  managementGroup: orNull(
    owner('A management group.'),
    'The group of a CUSTOMER account, or of a BACK_OFFICE account that is one group’s.',
  ),
  scopes: list(scope('What the account may do.'), 'What the account may do, by name.'),
  holdsLegacyCardKey: flag('Whether it may leave keyId out of payments.'),
  createdAt: dateTime('When it was made.'),
  createdBy: orNull(text('Who made it; null for accounts of the demo.')),
  revokedAt: orNull(dateTime('When it was ended; null while it lives.')),
  revokedBy: orNull(text('Who ended it.')),
  lastUsedAt: orNull(dateTime('When it sent a request, to the minute; null for never.')),
  secrets: list(ApiClientSecret, 'Its secrets, the newest first.'),
});
/** An API account. */
export type ApiClient = Static<typeof ApiClient>;

/** One page of API accounts. */
export const ApiClientPage = answer(
  'One page of API accounts.',
  pageOf(ApiClient, 'The accounts, the newest first.'),
);
/** One page of API accounts. */
export type ApiClientPage = Static<typeof ApiClientPage>;

const label = orNull(
  text('What people call the secret; at most 100 characters.', { minLength: 1, maxLength: 100 }),
);
const expiresAt = orNull(
  dateTime('When the secret ends by itself, in the future; null or left out for never.'),
);
const secret = Type.Object(
  { label: Type.Optional(label), expiresAt: Type.Optional(expiresAt) },
  { description: 'What to say of its first secret; nothing when it is left out.' },
);

/** Makes an API account. */
export const NewApiClient = request('The API account to make.', {
  name,
  description: Type.Optional(description),
  type: choice('Its kind.', ['PARTNER', 'CUSTOMER', 'BACK_OFFICE']),
  partnerGuid: Type.Optional(orNull(uuid('For PARTNER accounts, and only for them.'))),
  managementGroupGuid: Type.Optional(
    orNull(
      uuid(
        'For CUSTOMER accounts; for BACK_OFFICE accounts of one group, else the whole platform.',
      ),
    ),
  ),
  scopes: list(scope('What the account may do.'), 'Scopes of its kind; none of the other.', {
    maxItems: 100,
  }),
  holdsLegacyCardKey: Type.Optional(
    flag('Whether it may leave keyId out of payments; never BACK_OFFICE.', { default: false }),
  ),
  secret: Type.Optional(secret),
});
/** Makes an API account. */
export type NewApiClient = Static<typeof NewApiClient>;

/** Edits an API account. */
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
/** Edits an API account. */
export type ApiClientEdit = Static<typeof ApiClientEdit>;

/** Adds a secret to an API account. */
export const NewApiClientSecret = request('What to say of the new secret.', {
  label: Type.Optional(label),
  expiresAt: Type.Optional(expiresAt),
  othersExpireAt: Type.Optional(
    orNull(
      dateTime(
        'When the secrets that live now end, unless they end before: the overlap of a rotation. ' +
          'In the future; null or left out: they go on.',
      ),
    ),
  ),
});
/** Adds a secret to an API account. */
export type NewApiClientSecret = Static<typeof NewApiClientSecret>;

/** A secret that was made just now, which is shown this once. */
export const IssuedApiClientSecret = answer('A new secret, which is shown this once.', {
  client: ApiClient,
  secretGuid: uuid('Names the secret.'),
  clientSecret: text('The secret itself. Nothing can show it again.'),
});
/** A secret that was made just now, which is shown this once. */
export type IssuedApiClientSecret = Static<typeof IssuedApiClientSecret>;

const requests = epoch('Requests.');
const operationName = text('The operation; none where no operation has the path.');
const status = whole('The status of the answers.');

/** How often an operation was asked for, and how it was answered. */
export const OperationUse = answer('How often an operation was asked for.', {
  operation: operationName,
  requests,
  statuses: list(answer('How often by one status.', { status, requests }), 'By status.'),
});
/** How often an operation was asked for, and how it was answered. */
export type OperationUse = Static<typeof OperationUse>;

/** How often a restaurant was asked about. */
export const RestaurantUse = answer('How often a restaurant was asked about.', {
  restaurantGuid: uuid('The restaurant.'),
  restaurantName: text('Its name.'),
  requests,
});
/** How often a restaurant was asked about. */
export type RestaurantUse = Static<typeof RestaurantUse>;

/** Whether a scope is of use. */
export const ScopeUse = answer('When a scope of an account was last of use.', {
  scope: scope('A scope that the account has.'),
  lastUsedAt: orNull(dateTime('The last request that needed it, to the minute; null for none.')),
  since: dateTime(
    'Since when that is known: the scope was given, or counting began, at that time.',
  ),
});
/** Whether a scope is of use. */
export type ScopeUse = Static<typeof ScopeUse>;

/** How an API account is used. */
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
  restaurantCount: whole('How many restaurants were asked about, shown or not.'),
  scopes: list(ScopeUse, 'Each scope that the account has now, by name.'),
});
/** How an API account is used. */
export type ApiClientUsage = Static<typeof ApiClientUsage>;
