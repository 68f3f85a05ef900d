import { savedViewsAtMost } from '../schemas/back-office-terms.ts';
import { flag } from '../schemas/field.ts';
import { Type } from '../schemas/type.ts';
import { json, prefix, single } from './back-office-parts.ts';
import { credentialBytesAtMost, operation } from './operation.ts';
import { guid, pageParameters } from './parameters.ts';

const people = { interface: 'backOffice', tag: 'People' } as const;
const personPath = `${prefix}/people/{personGuid}`;
const person = { ...people, params: { personGuid: guid('The person.') } } as const;
const nobodyGivesMore =
  'You can give or remove only roles that allow no more than you may do there yourself. ' +
  'Anything else is a 403. ';
const wholePerson =
  'You must have every permission that the person has, in the same places. Otherwise, ' +
  'this is a 403.';

const peopleOfBackOffice = [
  operation({
    ...people,
    id: 'backOffice.people.list',
    method: 'GET',
    path: `${prefix}/people`,
    summary: 'List people',
    description:
      'Returns pages of the people who have a role that you have access to, by name. It shows ' +
      'only the roles that you have access to.',
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
      `Adds a person with a first role, and returns the link to give to them. ${nobodyGivesMore}` +
      "An address that is taken is a 409. If you don't have access to the account, somebody else " +
      'chose its password, and the platform cannot tell who owns the address. Ask the person, ' +
      'then send `existingAccount` as true. The account then gets the role and keeps its ' +
      'password. There is no link, and `accountExisted` is true.',
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
    description: 'Returns a person who has a role that you have access to.',
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
    description: `Changes the name or the email address. ${wholePerson}`,
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
      `Stops a person from logging in, and ends their sessions and links at once. ${wholePerson} ` +
      "You can't deactivate your own account or the last operator: that is a 409. Takes no body.",
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
    description: `Lets a person log in again, with the same password. ${wholePerson} Takes no body.`,
    scope: 'people:write',
    response: single('Person'),
    also: [404],
  }),
  operation({
    ...person,
    id: 'backOffice.people.invite',
    method: 'POST',
    path: `${personPath}/invite`,
    summary: 'Create a new link for a person',
    description:
      'Returns a link to choose a new password, which replaces any earlier link. The old password ' +
      `keeps working until then. ${wholePerson} Takes no body.`,
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
      'For a person who lost the phone and the recovery codes. Logging in requires only the ' +
      `password until a new app is confirmed. Their sessions end. ${wholePerson} Takes no body.`,
    scope: 'people:write',
    response: single('Person'),
    also: [404],
  }),
] as const;

const sessionsOfPeople = [
  operation({
    ...person,
    id: 'backOffice.people.sessions.list',
    method: 'GET',
    path: `${personPath}/sessions`,
    summary: 'List the sessions of a person',
    description: `Returns the live sessions, the most recently used first. ${wholePerson}`,
    scope: 'people:read',
    response: { schema: 'PersonSession', array: true },
    also: [404],
  }),
  operation({
    ...people,
    id: 'backOffice.people.sessions.end',
    method: 'DELETE',
    path: `${personPath}/sessions/{sessionGuid}`,
    summary: 'End a session of a person',
    description: `Logs out one browser. ${wholePerson}`,
    scope: 'people:write',
    params: {
      personGuid: guid('The person.'),
      sessionGuid: guid('The session of that person.'),
    },
    response: single('EndedSession'),
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
      'A role that the person has already stays as it is. A new one invalidates the links that ' +
      'somebody else created for the person.',
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
    summary: 'Remove a role',
    description:
      `Removes a role from a person, with immediate effect. ${nobodyGivesMore}You can't remove the ` +
      'role of the last operator: that is a 409.',
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
  'Wrong guesses from one address are slowed down, then blocked for 15 minutes (429). The ' +
  'owner can still log in from another address, or with a browser that was logged in before.';

const ofOneself = 'you call it from the machine that the platform runs on, at a loopback address.';

const sessionOperations = [
  operation({
    ...sessions,
    id: 'backOffice.sessions.begin',
    method: 'POST',
    path: `${prefix}/sessions`,
    summary: 'Log in',
    description:
      'Starts a session, held by a cookie that scripts cannot read. A wrong address, password, ' +
      'or code gets the same 401 after the same amount of work. After ten wrong codes with the ' +
      'right password, codes from the app get a 429 at any address, until a day after the ' +
      'first wrong code. Browsers that were logged in before have their own count, and ' +
      `recovery codes still work. ${slowed}`,
    security: 'none',
    requestBody: json('LogIn', credentialBytesAtMost),
    response: single('BackOfficeSession'),
    headers: ['Set-Cookie'],
    also: [401, 422],
  }),
  operation({
    ...sessions,
    id: 'backOffice.sessions.demoPeople',
    method: 'GET',
    path: `${prefix}/sessions/demo`,
    summary: 'List the demo people',
    description:
      'Returns the demo people that you can log in as without a password: those without an ' +
      `authenticator app. The list is empty unless ${ofOneself} Available only in a sandbox: in ` +
      'production, this is a 404.',
    security: 'none',
    isHiddenInProduction: true,
    response: { schema: 'DemoSignIn', array: true },
    revalidated: false,
  }),
  operation({
    ...sessions,
    id: 'backOffice.sessions.beginDemo',
    method: 'POST',
    path: `${prefix}/sessions/demo`,
    summary: 'Log in as a demo person',
    description:
      'Starts a session, like a login with a password. If the person is not in the list of demo ' +
      'people, this is a 404. Available only in a sandbox: in production, this is a 404.',
    security: 'none',
    isHiddenInProduction: true,
    requestBody: json('LogInAsDemo', credentialBytesAtMost),
    response: single('BackOfficeSession'),
    headers: ['Set-Cookie'],
    also: [404, 422],
  }),
  operation({
    ...sessions,
    id: 'backOffice.sessions.demoToken',
    method: 'POST',
    path: `${prefix}/sessions/demo/tokens`,
    summary: 'Get an access token for a demo account',
    description:
      'Returns an access token for a demo API account. You do not need its secret. The reference ' +
      'uses it to try operations. An account that the demo does not have is a 404, and so is ' +
      `every account unless ${ofOneself} Available only in a sandbox: in production, this is a ` +
      '404.',
    security: 'none',
    isHiddenInProduction: true,
    requestBody: json('DemoTokenRequest', credentialBytesAtMost),
    response: single('DemoToken'),
    also: [404, 422],
  }),
  operation({
    ...ofSession,
    id: 'backOffice.session.get',
    method: 'GET',
    path: `${prefix}/session`,
    summary: 'Read the session',
    description: 'Returns the session of this request, with its CSRF token and its person.',
    response: single('BackOfficeSession'),
    revalidated: false,
  }),
  operation({
    ...ofSession,
    id: 'backOffice.session.end',
    method: 'DELETE',
    path: `${prefix}/session`,
    summary: 'Log out',
    description: 'Ends the session of this request, and clears its cookie.',
    response: single('EndedSession'),
    headers: ['Set-Cookie'],
  }),
] as const;

const invitations = { interface: 'backOffice', tag: 'Invitations', security: 'none' } as const;

const invitationOperations = [
  operation({
    ...invitations,
    id: 'backOffice.invitations.inspect',
    method: 'POST',
    path: `${prefix}/invitations/inspect`,
    summary: 'Inspect a link',
    description:
      'Returns who a link is for. A link that does not work, or no longer works, is a 404.',
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
      'Sets the name and password, ends all earlier sessions, and starts a new one. A link works ' +
      `once. ${slowed}`,
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
    description: 'Returns your live sessions, the most recently used first.',
    response: { schema: 'PersonSession', array: true },
  }),
  operation({
    ...me,
    id: 'backOffice.me.sessions.end',
    method: 'DELETE',
    path: `${prefix}/me/sessions/{sessionGuid}`,
    summary: 'End one of your sessions',
    description: 'Logs out one of your browsers.',
    params: { sessionGuid: guid('The session.') },
    response: single('EndedSession'),
    also: [404],
  }),
  operation({
    ...me,
    id: 'backOffice.me.views.list',
    method: 'GET',
    path: `${prefix}/me/views`,
    summary: 'List your saved views',
    description:
      'Returns the list filters that you saved in the console, by page and name. Nobody else ' +
      'sees them.',
    response: { schema: 'SavedView', array: true },
  }),
  operation({
    ...me,
    id: 'backOffice.me.views.save',
    method: 'POST',
    path: `${prefix}/me/views`,
    summary: 'Save a view',
    description:
      'Saves the filters of a list under a name, and replaces your view of that page with the ' +
      `same name. You can have ${savedViewsAtMost} views: one more is a 409.`,
    requestBody: json('SaveView'),
    response: single('SavedView'),
    also: [409, 422],
  }),
  operation({
    ...me,
    id: 'backOffice.me.views.delete',
    method: 'DELETE',
    path: `${prefix}/me/views/{viewGuid}`,
    summary: 'Delete a saved view',
    description: 'Deletes one of your views.',
    params: { viewGuid: guid('The view.') },
    response: single('DeletedView'),
    also: [404],
  }),
  operation({
    ...me,
    id: 'backOffice.me.password.change',
    method: 'POST',
    path: `${prefix}/me/password`,
    summary: 'Change your password',
    description:
      'Sets your password, and ends your other sessions. A wrong current password is a 403. ' +
      `Other browsers no longer count as logged in before. ${slowed}`,
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
    summary: 'Start setting up an authenticator app',
    description:
      'Returns a new secret for an app. Logging in does not change until the app is confirmed. ' +
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
      'Turns on the app, with a code that it shows, and returns the recovery codes. ' +
      `Your other sessions end. A wrong password is a 403. ${slowed}`,
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
      `Removes the app and the recovery codes. A wrong password is a 403. ${slowed} ` +
      'Without an app, nothing changes.',
    requestBody: json('RemoveTotp'),
    response: single('Person'),
    headers: ['Set-Cookie'],
    also: [422],
  }),
] as const;

export const peopleOperations = [
  ...sessionOperations,
  ...invitationOperations,
  ...ownOperations,
  ...peopleOfBackOffice,
  ...sessionsOfPeople,
  ...roleOperations,
] as const;
