import type { Static } from 'typebox';
import { roleNames } from '../roles.ts';
import {
  answer,
  choice,
  dateTime,
  flag,
  list,
  orNull,
  request,
  type ServerKeywords,
  text,
  uuid,
  words,
} from './field.ts';
import { pageOf } from './page.ts';
import { Type } from './type.ts';

const emailLength = { minLength: 3, maxLength: 254 };
/** Handlers get the address in its stored form. */
const newEmail = (description: string) => text(description, { ...emailLength, '~reads': 'email' });
const email = (description: string) => text(description, emailLength);
const personName = words('What the person is called.', { minLength: 1, maxLength: 100 });
const password = (description: string) => text(description, { minLength: 1, maxLength: 1000 });
const presentPassword = password('Your current password.');
const code = (description: string, keywords: ServerKeywords = {}) =>
  text(description, { minLength: 1, maxLength: 40, ...keywords });
const loginCode = (description: string) =>
  Type.Optional(orNull(code(description, { '~emptyIsAbsent': true })));
const token = text('The part after the # of the link.', { minLength: 1, maxLength: 200 });
const roleName = choice('The role.', roleNames);

export const PersonRole = answer(
  'A role that a person has, and where. At most one GUID is set. Without one, the role is ' +
    'for the whole platform.',
  {
    roleGuid: uuid('Identifier of this role of this person.'),
    role: roleName,
    managementGroupGuid: orNull(uuid('The management group that it is for.')),
    restaurantGuid: orNull(uuid('The restaurant that it is for.')),
    partnerGuid: orNull(uuid('The partner that it is for.')),
    givenAt: dateTime('When it was given, in real time.'),
    givenBy: text('Who gave it: a client, a person, or the system.'),
  },
);
export type PersonRole = Static<typeof PersonRole>;

export const Person = answer(
  'A person who works in the back office. Times are in real time, even if the clock was moved.',
  {
    personGuid: uuid('Identifier of the person.'),
    email: email('Email address that the person logs in with.'),
    name: personName,
    createdAt: dateTime('When the person was added.'),
    deactivatedAt: orNull(
      dateTime('When the person was deactivated; null if the person can log in.'),
    ),
    passwordChangedAt: orNull(
      dateTime('When the password was last set; null before the first one.'),
    ),
    hasTotp: flag('Whether logging in requires a code from an authenticator app.'),
    invitedUntil: orNull(dateTime('When the unused link expires; null if there is none.')),
    roles: list(PersonRole, 'The roles that you have access to, oldest first.'),
  },
);
export type Person = Static<typeof Person>;

export const PersonPage = answer('One page of people.', pageOf(Person, 'The people by name.'));
export type PersonPage = Static<typeof PersonPage>;

export const GiveRole = request(
  'Which role, and where: at most one GUID. Without one, the role is for the whole platform.',
  {
    role: roleName,
    managementGroupGuid: Type.Optional(orNull(uuid('The management group that it is for.'))),
    restaurantGuid: Type.Optional(orNull(uuid('The restaurant that it is for.'))),
    partnerGuid: Type.Optional(orNull(uuid('The partner that it is for.'))),
  },
);
export type GiveRole = Static<typeof GiveRole>;

export const CreatePerson = request('The person to add, with a first role.', {
  email: newEmail('Email address that the person will log in with. Case does not matter.'),
  name: personName,
  role: GiveRole,
  existingAccount: Type.Optional(
    flag(
      "True if the address belongs to an account that you don't have access to, and the person " +
        'has confirmed, in a way that you trust, that it is theirs. The account then gets the ' +
        'role.',
    ),
  ),
});
export type CreatePerson = Static<typeof CreatePerson>;

export const UpdatePerson = request(
  'The fields of a person to change. Fields that you leave out do not change.',
  {
    email: Type.Optional(newEmail('New email address, which the person logs in with from now on.')),
    name: Type.Optional(personName),
  },
);
export type UpdatePerson = Static<typeof UpdatePerson>;

export const InvitationLink = answer(
  'A one-time link to choose a password. It cannot be shown again.',
  {
    url: text('The address to give to the person, over a channel that nobody else reads.'),
    token: text('The part after the # of the address, for use without a browser.'),
    expiresAt: dateTime('When it expires, in real time.'),
  },
);
export type InvitationLink = Static<typeof InvitationLink>;

export const InvitedPerson = answer('A person with the link to hand over.', {
  person: Person,
  invitation: orNull(
    InvitationLink,
    'Null if the account already existed and you had no access to it. A link would give full ' +
      'access to that account.',
  ),
  accountExisted: flag(
    'Whether the account existed before this request. Be careful if it did. Somebody else ' +
      'created it and chose its password, and the platform cannot tell who owns it.',
  ),
});
export type InvitedPerson = Static<typeof InvitedPerson>;

export const InspectInvitation = request('The link to inspect.', { token });
export type InspectInvitation = Static<typeof InspectInvitation>;

export const Invitation = answer('Who a link is for, and what you need to use it.', {
  email: orNull(
    email('Email address that the person logs in with. Null if the person also chooses it.'),
  ),
  name: text('What the person is called so far.'),
  expiresAt: dateTime('When the link expires, in real time.'),
  choosesEmail: flag(
    'Whether the person must also choose an email address. True only for the first operator.',
  ),
  needsTotp: flag('Whether a code from the authenticator app is required too.'),
});
export type Invitation = Static<typeof Invitation>;

export const AcceptInvitation = request('Accepts an invitation: chooses a name and a password.', {
  token,
  name: personName,
  password: password(
    '12 to 200 characters, at least 5 of them different, and without the part of the email address ' +
      'before the @ if that has three letters or more.',
  ),
  email: Type.Optional(
    orNull(newEmail('Only for a link with choosesEmail: what the person will log in with.')),
  ),
  totpCode: loginCode(
    'Only for a link with needsTotp: the current code of the authenticator app, or a recovery code.',
  ),
});
export type AcceptInvitation = Static<typeof AcceptInvitation>;

export const LogIn = request('What a person logs in with.', {
  email: email('The email address; case does not matter.'),
  password: password('The password.'),
  totpCode: loginCode(
    'The current code of the authenticator app, or a recovery code, if the account has an app.',
  ),
});
export type LogIn = Static<typeof LogIn>;

export const DemoSignIn = answer('A demo person that you can log in as without a password.', {
  personGuid: uuid('Identifier of the person.'),
  name: personName,
  role: roleName,
  placeName: orNull(
    text('The name of the group, restaurant, or partner; null for the whole platform.'),
  ),
});
export type DemoSignIn = Static<typeof DemoSignIn>;

export const LogInAsDemo = request('The demo person to log in as.', {
  personGuid: uuid('The person.'),
});
export type LogInAsDemo = Static<typeof LogInAsDemo>;

export const DemoTokenRequest = request('The demo account to get a token for.', {
  account: text('partner, readOnly, group, other, orders, or operator.', { maxLength: 40 }),
});
export type DemoTokenRequest = Static<typeof DemoTokenRequest>;

export const DemoToken = answer('An access token for a demo API account.', {
  clientId: text('Identifier of the account.'),
  accessToken: text('The token. Send it as a bearer token.'),
});
export type DemoToken = Static<typeof DemoToken>;

export const BackOfficeSession = answer('A session. Its token is in the cookie only.', {
  sessionGuid: uuid('Identifier of the session.'),
  csrfToken: text('The X-CSRF-Token header of requests that change something.'),
  expiresAt: dateTime('When it expires, in real time; it ends sooner after 12 idle hours.'),
  person: Person,
});
export type BackOfficeSession = Static<typeof BackOfficeSession>;

export const PersonSession = answer('A session of a person, with what is needed to recognize it.', {
  sessionGuid: uuid('Identifier of the session.'),
  createdAt: dateTime('When it was started, in real time.'),
  seenAt: dateTime('When it was last used, to the minute.'),
  expiresAt: dateTime('When it expires.'),
  address: text('The network address that it was started from.'),
  userAgent: orNull(text('The User-Agent of the browser.')),
  isCurrent: flag('Whether it is the session of this request.'),
});
export type PersonSession = Static<typeof PersonSession>;

export const EndedSession = answer('A session that has ended.', {
  sessionGuid: uuid('Identifier of the session.'),
  endedAt: dateTime('When it ended, in real time.'),
});
export type EndedSession = Static<typeof EndedSession>;

const viewPage = (description: string) =>
  text(description, {
    ...{ minLength: 1, maxLength: 100, pattern: '^[a-z-]+(/[a-z-]+)*$' },
    '~must': 'be the path of a page of the console, for example webhooks/deliveries',
  });
const viewQuery = (description: string) =>
  text(description, {
    ...{ maxLength: 1_000, pattern: '^[!-~]*$' },
    '~must': 'be a query string, percent-encoded',
  });
const viewName = (description: string) => words(description, { minLength: 1, maxLength: 100 });

export const SavedView = answer('The filters of a list in the console that you saved.', {
  viewGuid: uuid('Identifier of the view.'),
  page: viewPage('The page that it is for: its path below the console.'),
  name: viewName('Its name.'),
  query: viewQuery('The query of its address, without a question mark.'),
  savedAt: dateTime('When it was last saved, in real time.'),
});
export type SavedView = Static<typeof SavedView>;

export const SaveView = request('The view to save.', {
  page: viewPage('The page that it is for: its path below the console.'),
  name: viewName('Its name. If the page already has a view with this name, it is replaced.'),
  query: viewQuery('The query of its address, without a question mark.'),
});
export type SaveView = Static<typeof SaveView>;

export const DeletedView = answer('A view that no longer exists.', {
  viewGuid: uuid('Identifier that it had.'),
});
export type DeletedView = Static<typeof DeletedView>;

export const ChangePassword = request('Changes your own password.', {
  currentPassword: password('Your current password.'),
  newPassword: password(
    '12 to 200 characters, at least 5 of them different, and without the part of the email address ' +
      'before the @ if that has three letters or more.',
  ),
});
export type ChangePassword = Static<typeof ChangePassword>;

export const BegunTotp = answer(
  'A secret for an authenticator app (RFC 6238), to confirm with a code.',
  {
    secret: text('The secret to type into the app, in base32.'),
    uri: text('The same secret as an otpauth URI, to show as a QR code.'),
  },
);
export type BegunTotp = Static<typeof BegunTotp>;

export const BeginTotp = request('Starts setting up an authenticator app.', {
  password: presentPassword,
});
export type BeginTotp = Static<typeof BeginTotp>;

export const ConfirmTotp = request('Confirms an authenticator app.', {
  code: code('The code that the app shows now.'),
  password: presentPassword,
});
export type ConfirmTotp = Static<typeof ConfirmTotp>;

export const RecoveryCodes = answer('Recovery codes for a lost phone; each works once.', {
  recoveryCodes: list(text('A code.'), 'The codes. They cannot be shown again.'),
});
export type RecoveryCodes = Static<typeof RecoveryCodes>;

export const RemoveTotp = request('Removes your own authenticator app.', {
  password: presentPassword,
});
export type RemoveTotp = Static<typeof RemoveTotp>;
