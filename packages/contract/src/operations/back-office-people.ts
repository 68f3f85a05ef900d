import { flag } from '../schemas/field.ts';
import { Type } from '../schemas/type.ts';
import { json, prefix, single } from './back-office-parts.ts';
import { credentialBytesAtMost, operation } from './operation.ts';
import { guid, pageParameters } from './parameters.ts';

const people = { interface: 'backOffice', tag: 'People' } as const;
const personPath = `${prefix}/people/{personGuid}`;
const person = { ...people, params: { personGuid: guid('The person.') } } as const;
const nobodyGivesMore =
  'Nobody gives or takes what he does not have there himself: that is a 403. ';
const wholePerson =
  'You must hold all that the person may do, everywhere where he may do it: otherwise a 403. ';

const peopleOfBackOffice = [
  operation({
    ...people,
    id: 'backOffice.people.list',
    method: 'GET',
    path: `${prefix}/people`,
    summary: 'List people',
    description:
      'Answers the people who have a role within your reach, by pages, by name. Of their roles ' +
      'it shows those that you reach.',
    scope: 'people:read',
    query: {
      active: Type.Optional(
        flag('true: only people who can log in. false: only those who were deactivated.', {
          example: true,
        }),
      ),
      ...pageParameters('People'),
    },
    response: single('PersonPage'),
  }),
  operation({
    ...people,
    id: 'backOffice.people.create',
    method: 'POST',
    path: `${prefix}/people`,
    summary: 'Add a person',
    description:
      `Adds a person with a first role, and answers the link to hand over. ${nobodyGivesMore}` +
      'An address that somebody has is a 409. Whoever made an account beyond your reach chose ' +
      'its password, and the platform cannot tell whose the address is: ask the person, then ' +
      'send `existingAccount` as true. The account gets the role then and keeps its password; ' +
      'there is no link, and `accountExisted` is true.',
    scope: 'people:write',
    requestBody: json('CreatePerson'),
    response: single('InvitedPerson'),
    also: [409, 422],
  }),
  operation({
    ...person,
    id: 'backOffice.people.get',
    method: 'GET',
    path: personPath,
    summary: 'Get a person',
    description: 'Answers a person who has a role within your reach.',
    scope: 'people:read',
    response: single('Person'),
    also: [404],
  }),
  operation({
    ...person,
    id: 'backOffice.people.update',
    method: 'PATCH',
    path: personPath,
    summary: 'Edit a person',
    description: `Changes the name or the e-mail address. ${wholePerson}`,
    scope: 'people:write',
    requestBody: json('UpdatePerson'),
    response: single('Person'),
    also: [404, 409, 422],
  }),
  operation({
    ...person,
    id: 'backOffice.people.deactivate',
    method: 'POST',
    path: `${personPath}/deactivate`,
    summary: 'Deactivate a person',
    description:
      `Keeps a person from logging in; sessions and links end at once. ${wholePerson}Nobody ` +
      'deactivates himself or the last operator: that is a 409. Takes no body.',
    scope: 'people:write',
    response: single('Person'),
    also: [404, 409],
  }),
  operation({
    ...person,
    id: 'backOffice.people.reactivate',
    method: 'POST',
    path: `${personPath}/reactivate`,
    summary: 'Reactivate a person',
    description: `Lets a person log in again, with the same password. ${wholePerson}Takes no body.`,
    scope: 'people:write',
    response: single('Person'),
    also: [404],
  }),
  operation({
    ...person,
    id: 'backOffice.people.invite',
    method: 'POST',
    path: `${personPath}/invite`,
    summary: 'Make a new link for a person',
    description:
      'Answers a link with which the person chooses a new password, in place of any link before. ' +
      `The password of before holds until then. ${wholePerson}Takes no body.`,
    scope: 'people:write',
    response: single('InvitedPerson'),
    also: [404, 409],
  }),
  operation({
    ...person,
    id: 'backOffice.people.removeTotp',
    method: 'POST',
    path: `${personPath}/removeTotp`,
    summary: 'Remove the authenticator app of a person',
    description:
      'For somebody who lost the telephone and the recovery codes: logging in asks for the ' +
      `password alone until a new app is confirmed. Sessions end. ${wholePerson}Takes no body.`,
    scope: 'people:write',
    response: single('Person'),
    also: [404],
  }),
] as const;

const roleOperations = [
  operation({
    ...person,
    id: 'backOffice.people.roles.give',
    method: 'POST',
    path: `${personPath}/roles`,
    summary: 'Give a role',
    description:
      `Gives a person a role somewhere. ${nobodyGivesMore}` +
      'A role that is there stays as it is. With a new one, a link that somebody else made for ' +
      'the person opens no more.',
    scope: 'people:write',
    requestBody: json('GiveRole'),
    response: single('Person'),
    also: [404, 422],
  }),
  operation({
    ...people,
    id: 'backOffice.people.roles.take',
    method: 'DELETE',
    path: `${personPath}/roles/{roleGuid}`,
    summary: 'Take a role',
    description:
      `Takes a role of a person, which counts at once. ${nobodyGivesMore}The role of the last ` +
      'operator stays: that is a 409.',
    scope: 'people:write',
    params: {
      personGuid: guid('The person.'),
      roleGuid: guid('The role of that person.'),
    },
    response: single('Person'),
    also: [404, 409],
  }),
] as const;

const sessions = { interface: 'backOffice', tag: 'Sessions' } as const;
const ofSession = { ...sessions, security: 'session' } as const;
const slowed =
  'Guessing from one address gets slow, and then ends for a quarter of an hour (429); meanwhile ' +
  'the owner gets in from elsewhere, and with a browser that was logged in before. ';

const sessionOperations = [
  operation({
    ...sessions,
    id: 'backOffice.sessions.begin',
    method: 'POST',
    path: `${prefix}/sessions`,
    summary: 'Log in',
    description:
      'Begins a session of a person, held by a cookie that scripts do not see. ' +
      'Wrong address, password and code are the same 401 after the same work. After ten wrong ' +
      'codes with the right password, every code of the app is refused with 429 until a day after ' +
      'the first wrong one, from any address. Browsers that were logged in before have their own ' +
      `count, and a recovery code is still accepted. ${slowed}`,
    security: 'none',
    requestBody: json('LogIn', credentialBytesAtMost),
    response: single('BackOfficeSession'),
    headers: ['Set-Cookie'],
    also: [401, 422],
  }),
  operation({
    ...ofSession,
    id: 'backOffice.session.get',
    method: 'GET',
    path: `${prefix}/session`,
    summary: 'Read the session',
    description: 'Answers the session that asks, with its CSRF token and the person as he is now.',
    response: single('BackOfficeSession'),
    revalidated: false,
  }),
  operation({
    ...ofSession,
    id: 'backOffice.session.end',
    method: 'DELETE',
    path: `${prefix}/session`,
    summary: 'Log out',
    description: 'Ends the session that asks, and has the browser forget what opens it.',
    response: single('EndedSession'),
    headers: ['Set-Cookie'],
  }),
] as const;

const invitations = { interface: 'backOffice', tag: 'Invitations', security: 'none' } as const;

const invitationOperations = [
  operation({
    ...invitations,
    id: 'backOffice.invitations.page',
    method: 'GET',
    path: `${prefix}/invitation`,
    summary: 'Show the page that a link leads to',
    description:
      'A page of HTML where a name and a password are chosen. What opens stands after the # of ' +
      'the address, which a browser sends nowhere: neither the page nor any log has it.',
    response: null,
    mediaType: 'text/html',
  }),
  operation({
    ...invitations,
    id: 'backOffice.invitations.inspect',
    method: 'POST',
    path: `${prefix}/invitations/inspect`,
    summary: 'Look at a link',
    description: 'Answers whom a link is for. A link that does not open (any more) is a 404.',
    requestBody: json('InspectInvitation', credentialBytesAtMost),
    response: single('Invitation'),
    also: [404, 422],
  }),
  operation({
    ...invitations,
    id: 'backOffice.invitations.accept',
    method: 'POST',
    path: `${prefix}/invitations/accept`,
    summary: 'Use a link',
    description:
      'Sets name and password, ends every session of before, and begins one. A link opens once. ' +
      slowed,
    requestBody: json('AcceptInvitation', credentialBytesAtMost),
    response: single('BackOfficeSession'),
    headers: ['Set-Cookie'],
    also: [404, 422],
  }),
] as const;

const me = { interface: 'backOffice', tag: 'Your account', security: 'session' } as const;

const ownOperations = [
  operation({
    ...me,
    id: 'backOffice.me.sessions.list',
    method: 'GET',
    path: `${prefix}/me/sessions`,
    summary: 'List your sessions',
    description: 'Answers your live sessions, the one that was used last first.',
    response: { schema: 'PersonSession', array: true },
  }),
  operation({
    ...me,
    id: 'backOffice.me.sessions.end',
    method: 'DELETE',
    path: `${prefix}/me/sessions/{sessionGuid}`,
    summary: 'End one of your sessions',
    description: 'Logs out a browser of yours, wherever it is.',
    params: { sessionGuid: guid('The session.') },
    response: single('EndedSession'),
    also: [404],
  }),
  operation({
    ...me,
    id: 'backOffice.me.password.change',
    method: 'POST',
    path: `${prefix}/me/password`,
    summary: 'Change your password',
    description:
      'Sets your password, and ends your other sessions. A wrong present password is a 403. ' +
      `No other browser is known from a log-in any more. ${slowed}`,
    requestBody: json('ChangePassword'),
    response: single('Person'),
    headers: ['Set-Cookie'],
    also: [422],
  }),
  operation({
    ...me,
    id: 'backOffice.me.totp.begin',
    method: 'POST',
    path: `${prefix}/me/totp`,
    summary: 'Begin with an authenticator app',
    description:
      'Answers a new secret for an app. Logging in stays as it is until the app is confirmed. ' +
      `A wrong password is a 403. ${slowed}`,
    requestBody: json('BeginTotp'),
    response: single('BegunTotp'),
    also: [409, 422],
  }),
  operation({
    ...me,
    id: 'backOffice.me.totp.confirm',
    method: 'POST',
    path: `${prefix}/me/totp/confirm`,
    summary: 'Confirm an authenticator app',
    description:
      'Takes the app into use with the code that it shows, and answers the recovery codes. Your ' +
      `other sessions end. A wrong password is a 403. ${slowed}`,
    requestBody: json('ConfirmTotp'),
    response: single('RecoveryCodes'),
    headers: ['Set-Cookie'],
    also: [409, 422],
  }),
  operation({
    ...me,
    id: 'backOffice.me.totp.remove',
    method: 'POST',
    path: `${prefix}/me/totp/remove`,
    summary: 'Remove your authenticator app',
    description:
      `Removes the app and the recovery codes. A wrong password is a 403. ${slowed}` +
      'Without an app nothing changes.',
    requestBody: json('RemoveTotp'),
    response: single('Person'),
    headers: ['Set-Cookie'],
    also: [422],
  }),
] as const;

/** The operations of the back office on people, their roles, sessions and invitations. */
export const peopleOperations = [
  ...sessionOperations,
  ...invitationOperations,
  ...ownOperations,
  ...peopleOfBackOffice,
  ...roleOperations,
] as const;
