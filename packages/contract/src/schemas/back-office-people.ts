import type { Static } from 'typebox';
import { roleNames } from '../roles.ts';
import { answer, choice, dateTime, flag, list, orNull, request, text, uuid } from './field.ts';
import { pageOf } from './page.ts';
import { Type } from './type.ts';

const email = (description: string) => text(description, { minLength: 3, maxLength: 254 });
const personName = text('What the person is called.', { minLength: 1, maxLength: 100 });
const password = (description: string) => text(description, { minLength: 1, maxLength: 1000 });
const presentPassword = password('The password that you have.');
const code = (description: string) => text(description, { minLength: 1, maxLength: 40 });
const token = text('What stands after the # of the link.', { minLength: 1, maxLength: 200 });
const roleName = choice('The role.', roleNames);

/** A role that a person has, and where. */
export const PersonRole = answer(
  'A role that a person has, and where: at most one GUID is set; without any it is for the whole ' +
    'platform.',
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
/** A role that a person has, and where. */
export type PersonRole = Static<typeof PersonRole>;

/** A person of the back office, without secrets. */
export const Person = answer('A person of the back office. Times are real, whatever the clock.', {
  personGuid: uuid('Identifier of the person.'),
  email: email('What the person logs in with.'),
  name: personName,
  createdAt: dateTime('When the person was added.'),
  deactivatedAt: orNull(dateTime('Since when the person cannot log in; null for who can.')),
  passwordChangedAt: orNull(dateTime('When the password was chosen; null before the first one.')),
  hasTotp: flag('Whether logging in asks for a code of an authenticator app.'),
  invitedUntil: orNull(dateTime('Until when a link that was not used opens; null for no link.')),
  roles: list(PersonRole, 'The roles that you reach, the oldest first.'),
});
/** A person of the back office, without secrets. */
export type Person = Static<typeof Person>;

/** One page of people. */
export const PersonPage = answer('One page of people.', pageOf(Person, 'The people by name.'));
/** One page of people. */
export type PersonPage = Static<typeof PersonPage>;

/** Gives a role. */
export const GiveRole = request(
  'Which role, and where: name one GUID at most; without any it is for the whole platform.',
  {
    role: roleName,
    managementGroupGuid: Type.Optional(orNull(uuid('The management group that it is for.'))),
    restaurantGuid: Type.Optional(orNull(uuid('The restaurant that it is for.'))),
    partnerGuid: Type.Optional(orNull(uuid('The partner that it is for.'))),
  },
);
/** Gives a role. */
export type GiveRole = Static<typeof GiveRole>;

/** Adds a person. */
export const CreatePerson = request('Who is added, with which role.', {
  email: email('What the person will log in with; case does not matter.'),
  name: personName,
  role: GiveRole,
  existingAccount: Type.Optional(
    flag(
      'True, once you have asked the person on a way that you trust: an account with the address ' +
        'that is there already, beyond your reach, is theirs, and may have the role.',
    ),
  ),
});
/** Adds a person. */
export type CreatePerson = Static<typeof CreatePerson>;

/** Changes a person; what is left out stays. */
export const UpdatePerson = request('What is changed about a person; what is left out stays.', {
  email: Type.Optional(email('What the person logs in with from now on.')),
  name: Type.Optional(personName),
});
/** Changes a person; what is left out stays. */
export type UpdatePerson = Static<typeof UpdatePerson>;

/** A link that lets its holder choose a password once. */
export const InvitationLink = answer(
  'A link that lets its holder choose a password once. It cannot be shown again.',
  {
    url: text('The address to hand to the person, over a way that nobody else reads.'),
    token: text('What stands after the # of the address, for whoever has no browser.'),
    expiresAt: dateTime('Until when it opens, in real time.'),
  },
);
/** A link that lets its holder choose a password once. */
export type InvitationLink = Static<typeof InvitationLink>;

/** A person with the link to hand over. */
export const InvitedPerson = answer('A person with the link to hand over.', {
  person: Person,
  invitation: orNull(
    InvitationLink,
    'Null where the account was there before, beyond your reach: a link would open all of it.',
  ),
  accountExisted: flag(
    'Whether the account was there before this request. Be careful with one that you add and ' +
      'that was: whoever made it chose its password, and the platform cannot tell whose it is.',
  ),
});
/** A person with the link to hand over. */
export type InvitedPerson = Static<typeof InvitedPerson>;

/** Asks whom a link is for. */
export const InspectInvitation = request('Which link is looked at.', { token });
/** Asks whom a link is for. */
export type InspectInvitation = Static<typeof InspectInvitation>;

/** Whom a link is for. */
export const Invitation = answer('Whom a link is for, and what using it takes.', {
  email: orNull(email('What the person logs in with; null when it is chosen too.')),
  name: text('What the person is called so far.'),
  expiresAt: dateTime('Until when the link opens, in real time.'),
  choosesEmail: flag('Whether the e-mail address is chosen too: for the first operator.'),
  needsTotp: flag('Whether a code of the authenticator app is asked for too.'),
});
/** Whom a link is for. */
export type Invitation = Static<typeof Invitation>;

/** Uses a link. */
export const AcceptInvitation = request('Uses a link: chooses name and password.', {
  token,
  name: personName,
  password: password('12 to 200 characters, not too alike, without the name of the address.'),
  email: Type.Optional(
    orNull(email('Only for a link with choosesEmail: what the person will log in with.')),
  ),
  totpCode: Type.Optional(
    orNull(code('Only for a link with needsTotp: the present code, or a recovery code.')),
  ),
});
/** Uses a link. */
export type AcceptInvitation = Static<typeof AcceptInvitation>;

/** Logs a person in. */
export const LogIn = request('What a person logs in with.', {
  email: email('The e-mail address; case does not matter.'),
  password: password('The password.'),
  totpCode: Type.Optional(
    orNull(code('The present code of the authenticator app, or a recovery code, if it is asked.')),
  ),
});
/** Logs a person in. */
export type LogIn = Static<typeof LogIn>;

/** A session of the back office that a browser holds by its cookie. */
export const BackOfficeSession = answer('A session. What opens it is in the cookie alone.', {
  sessionGuid: uuid('Identifier of the session.'),
  csrfToken: text('What requests that change something repeat as X-CSRF-Token.'),
  expiresAt: dateTime('When it ends however busy it is, in real time; after 12 idle hours before.'),
  person: Person,
});
/** A session of the back office that a browser holds by its cookie. */
export type BackOfficeSession = Static<typeof BackOfficeSession>;

/** A session of one's own, to be recognized. */
export const PersonSession = answer('A session of your own, so that you can tell whether it is.', {
  sessionGuid: uuid('Identifier of the session.'),
  createdAt: dateTime('When it began, in real time.'),
  seenAt: dateTime('When it was last used, to the minute.'),
  expiresAt: dateTime('When it ends at the latest.'),
  address: text('The network address that it began from.'),
  userAgent: orNull(text('What the browser called itself.')),
  isCurrent: flag('Whether it is the one that asks.'),
});
/** A session of one's own, to be recognized. */
export type PersonSession = Static<typeof PersonSession>;

/** A session that has ended. */
export const EndedSession = answer('A session that has ended.', {
  sessionGuid: uuid('Identifier of the session.'),
  endedAt: dateTime('When it ended, in real time.'),
});
/** A session that has ended. */
export type EndedSession = Static<typeof EndedSession>;

/** Changes one's own password. */
export const ChangePassword = request('Changes your own password.', {
  currentPassword: password('The one that you have.'),
  newPassword: password('12 to 200 characters, not too alike, without the name of the address.'),
});
/** Changes one's own password. */
export type ChangePassword = Static<typeof ChangePassword>;

/** A secret for an authenticator app, to be confirmed. */
export const BegunTotp = answer('A secret for an authenticator app (RFC 6238), to be confirmed.', {
  secret: text('To be typed into the app, in base32.'),
  uri: text('The same as an otpauth address, to be shown as a QR code.'),
});
/** A secret for an authenticator app, to be confirmed. */
export type BegunTotp = Static<typeof BegunTotp>;

/** Begins with an authenticator app. */
export const BeginTotp = request('Begins with an authenticator app.', {
  password: presentPassword,
});
/** Begins with an authenticator app. */
export type BeginTotp = Static<typeof BeginTotp>;

/** Confirms an authenticator app. */
export const ConfirmTotp = request('Confirms an authenticator app.', {
  code: code('The code that it shows now.'),
  password: presentPassword,
});
/** Confirms an authenticator app. */
export type ConfirmTotp = Static<typeof ConfirmTotp>;

/** What opens the door to whoever lost the telephone. */
export const RecoveryCodes = answer('Codes for whoever loses the telephone; each opens once.', {
  recoveryCodes: list(text('A code.'), 'They cannot be shown again.'),
});
/** What opens the door to whoever lost the telephone. */
export type RecoveryCodes = Static<typeof RecoveryCodes>;

/** Removes one's own authenticator app. */
export const RemoveTotp = request('Removes your own authenticator app.', {
  password: presentPassword,
});
/** Removes one's own authenticator app. */
export type RemoveTotp = Static<typeof RemoveTotp>;
