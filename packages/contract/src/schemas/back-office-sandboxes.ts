import type { Static } from 'typebox';
import { roleNames } from '../roles.ts';
import { FieldChange } from './back-office-drafts.ts';
import { sandboxDifferencesAtMost, sandboxNamePattern } from './back-office-terms.ts';
import { CardEncryptionKey } from './credit-cards.ts';
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
} from './field.ts';
import { pageOf } from './page.ts';

const mustBeName = 'be 1 to 40 lowercase letters, digits, and hyphens, and start with a letter';
const NAME_RULE = '1 to 40 lowercase letters, digits, and hyphens; starts with a letter.';

const name = (description: string) =>
  text(description, { pattern: sandboxNamePattern, '~must': mustBeName });
const ttl = (description: string) =>
  text(`${description} An ISO 8601 duration from PT1M to P30D.`, { format: 'duration' });

export const SandboxSource = request(
  'What a sandbox starts as. Name either a profile or a sandbox. To start from a snapshot, ' +
    'name the sandbox and the snapshot.',
  {
    profile: optional(name('A profile: demo, empty, or huge.')),
    sandbox: optional(name('A sandbox to copy as it is now. main is the main environment.')),
    snapshot: optional(name('A snapshot of that sandbox.')),
  },
);
export type SandboxSource = Static<typeof SandboxSource>;

export const CreateSandbox = request('The sandbox to create.', {
  name: optional(
    name(
      `${NAME_RULE} main and the names of profiles are reserved. By default, the platform ` +
        'chooses one.',
    ),
  ),
  from: SandboxSource,
  ttl: optional(ttl('How long it exists, in real time. Default: PT24H.')),
});
export type CreateSandbox = Static<typeof CreateSandbox>;

export const EditSandbox = request('The fields of a sandbox to change.', {
  ttl: ttl('How long it exists from now on, in real time.'),
});
export type EditSandbox = Static<typeof EditSandbox>;

export const RequestOfCopy = answer('A request that the sandbox was created to replay.', {
  requestId: uuid('Identifies it in the request log of the sandbox that was copied.'),
  method: text('Its method.'),
  path: text('Its path, as the log keeps it.'),
});
export type RequestOfCopy = Static<typeof RequestOfCopy>;

export const SandboxOrigin = answer('What a sandbox started as.', {
  profile: orNull(text('The profile; null if it is a copy.')),
  sandbox: orNull(text('The sandbox that it is a copy of; null if it started from a profile.')),
  snapshot: orNull(text('The snapshot of that sandbox; null if it is a copy of its live state.')),
  replayOf: orNull(
    RequestOfCopy,
    'The request that the sandbox was created to replay; null for others.',
  ),
});
export type SandboxOrigin = Static<typeof SandboxOrigin>;

export const SandboxClock = answer('The clock of a sandbox.', {
  now: dateTime('The time in the sandbox.'),
  mode: choice('Whether the clock runs.', ['RUNNING', 'FROZEN']),
});
export type SandboxClock = Static<typeof SandboxClock>;

const own = {
  name: text('Its name.'),
  baseUrl: text('The base address of its interfaces, its own back office included.'),
  expiresAt: dateTime('When it is dropped, in real time.'),
  from: SandboxOrigin,
};

export const Sandbox = answer('A separate platform alongside the main environment.', {
  ...own,
  createdAt: dateTime('When it was created, in real time.'),
  lastUsedAt: orNull(dateTime('When it was last used, in real time; null for never.')),
  sizeBytes: epoch('Size of its database in bytes, without its snapshots.'),
  clock: SandboxClock,
});
export type Sandbox = Static<typeof Sandbox>;

export const SandboxPage = answer(
  'One page of sandboxes.',
  pageOf(Sandbox, 'The sandboxes, sorted by name.'),
);
export type SandboxPage = Static<typeof SandboxPage>;

export const SandboxAccount = answer('An API account of a sandbox, with its secret.', {
  clientId: text('Identifies the account when it logs in.'),
  clientSecret: text('Its secret.'),
  userAccessType: text('What a login sends as userAccessType.'),
  type: choice('Its type.', ['PARTNER', 'CUSTOMER', 'BACK_OFFICE']),
  scopes: list(text('A scope.'), 'What the account may do.'),
  cardKeys: list(CardEncryptionKey, 'Its public card keys.'),
});
export type SandboxAccount = Static<typeof SandboxAccount>;

export const SandboxPerson = answer('A person of a sandbox, with the password.', {
  personGuid: uuid('The person.'),
  name: text('The display name.'),
  email: text('The email address to log in with.'),
  password: text('The password.'),
  role: choice('The role.', roleNames),
  managementGroupGuid: orNull(uuid('Where the role applies, if at a management group.')),
  restaurantGuid: orNull(uuid('Where the role applies, if at a restaurant.')),
  partnerGuid: orNull(uuid('Where the role applies, if for a partner.')),
});
export type SandboxPerson = Static<typeof SandboxPerson>;

export const SandboxRestaurant = answer('A restaurant of the group of a sandbox.', {
  guid: uuid('The restaurant.'),
  name: text('Its name.'),
  timeZone: text('Its IANA time zone.'),
  currencyCode: text('ISO 4217.'),
  archived: flag('Whether it is archived.'),
});
export type SandboxRestaurant = Static<typeof SandboxRestaurant>;

export const SandboxTestCard = answer('A test card, and what the processor does with it.', {
  name: text('What it shows.'),
  cardNumber: text('The card number, which no real card has.'),
  brand: text('The brand.'),
  cvv: text('A security code of the right length.'),
  outcome: text('The paymentState of the first PUT, or ERROR.'),
  status: whole('The status of that PUT.'),
  denialReason: orNull(text('The reason of a denial; null without one.')),
  settles: text('How the payment ends.'),
  whenVoided: orNull(text('What a void does; null if nothing special.')),
  whenCaptured: orNull(text('What a capture does; null if nothing special.')),
});
export type SandboxTestCard = Static<typeof SandboxTestCard>;

export const SandboxAccounts = answer('The API accounts of a sandbox, by what they are for.', {
  partner: SandboxAccount,
  readOnly: SandboxAccount,
  group: SandboxAccount,
  other: SandboxAccount,
  orders: SandboxAccount,
  operator: SandboxAccount,
});
export type SandboxAccounts = Static<typeof SandboxAccounts>;

export const SandboxDemo = answer(
  'Everything that a client of the sandbox needs to know, as in demo.json. The secrets work ' +
    'only in this sandbox.',
  {
    baseUrl: text('The base address of the interfaces.'),
    authUrl: text('The base address of the token service.'),
    tlsUrl: orNull(text('The base address with TLS; null without TLS.')),
    brand: text('The brand, which begins the names of headers.'),
    clients: SandboxAccounts,
    people: list(SandboxPerson, 'The people, who log in to the back office.'),
    managementGroupGuid: uuid('The management group.'),
    restaurants: list(SandboxRestaurant, 'The restaurants of the group.'),
    cardKeys: list(CardEncryptionKey, 'The public card keys of the account partner.'),
    testCards: list(SandboxTestCard, 'The test cards.'),
  },
);
export type SandboxDemo = Static<typeof SandboxDemo>;

export const CreatedSandbox = answer(
  'A new sandbox, with the secrets that only this response shows.',
  { ...own, demo: SandboxDemo },
);
export type CreatedSandbox = Static<typeof CreatedSandbox>;

export const DroppedSandbox = answer('A sandbox that no longer exists.', {
  name: text('The name that it had.'),
});
export type DroppedSandbox = Static<typeof DroppedSandbox>;

export const NameSandboxSnapshot = request('The snapshot to take.', { name: name(NAME_RULE) });
export type NameSandboxSnapshot = Static<typeof NameSandboxSnapshot>;

export const SandboxSnapshot = answer('A state of a sandbox to return to.', {
  name: text('Its name.'),
  createdAt: dateTime('When it was taken, in real time.'),
  sizeBytes: epoch('Its size in bytes.'),
});
export type SandboxSnapshot = Static<typeof SandboxSnapshot>;

export const DroppedSandboxSnapshot = answer('A snapshot that no longer exists.', {
  name: text('The name that it had.'),
});
export type DroppedSandboxSnapshot = Static<typeof DroppedSandboxSnapshot>;

export const RestoreSandbox = request('The state to return to.', {
  snapshot: name('A snapshot of the sandbox.'),
});
export type RestoreSandbox = Static<typeof RestoreSandbox>;

export const SandboxDifference = answer('An object that differs between two sandboxes.', {
  kind: text('What it is, for example menuItem, stock, payment, or connection.'),
  guid: uuid('The object. For stock: the item. For a connection: the partner.'),
  name: orNull(text('Its name; null if it has none.')),
  restaurantGuid: orNull(uuid('The restaurant that it belongs to; null for none.')),
  restaurantName: orNull(text('The name of that restaurant.')),
  fields: list(FieldChange, 'The fields that differ; none if only one sandbox has the object.'),
});
export type SandboxDifference = Static<typeof SandboxDifference>;

const differences = (description: string) =>
  list(SandboxDifference, description, { maxItems: sandboxDifferencesAtMost });

export const SandboxDifferences = answer('What differs in one part of two sandboxes.', {
  added: differences('What only the other sandbox has.'),
  removed: differences('What the other sandbox lacks.'),
  changed: differences('What both have, with different values.'),
  truncated: flag('Whether there are more differences than these lists contain.'),
});
export type SandboxDifferences = Static<typeof SandboxDifferences>;

export const SandboxDiff = answer('What differs between two sandboxes.', {
  name: text('The sandbox that is compared: before.'),
  with: text('The sandbox that it is compared with: after.'),
  configuration: SandboxDifferences,
  stock: SandboxDifferences,
  payments: SandboxDifferences,
  connections: SandboxDifferences,
});
export type SandboxDiff = Static<typeof SandboxDiff>;
