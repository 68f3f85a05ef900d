import { type Examples, exampleGuid, serials } from './example.ts';

const token = 'w2pQ7m1vX9c3Z5bN8kL4jH6gF0dS-aYtReWqUiOpKxM';
const password = 'a fine long sentence';
const email = 'ada@example.com';
const name = 'Ada Byron';
const expiresAt = '2026-02-07T18:30:00.000Z';

const PersonRole = {
  roleGuid: exampleGuid(61),
  role: 'GROUP_ADMINISTRATOR',
  managementGroupGuid: exampleGuid(serials.managementGroup),
  restaurantGuid: null,
  partnerGuid: null,
  givenAt: '2026-01-31T18:30:00.000Z',
  givenBy: exampleGuid(70),
} satisfies Examples<'PersonRole'>['PersonRole'];

const Person = {
  personGuid: exampleGuid(60),
  email,
  name,
  createdAt: '2026-01-31T18:30:00.000Z',
  deactivatedAt: null,
  passwordChangedAt: '2026-01-31T18:42:07.512Z',
  hasTotp: false,
  invitedUntil: null,
  roles: [PersonRole],
} satisfies Examples<'Person'>['Person'];

const GiveRole = {
  role: 'GROUP_ADMINISTRATOR',
  managementGroupGuid: exampleGuid(serials.managementGroup),
} satisfies Examples<'GiveRole'>['GiveRole'];

const InvitationLink = {
  url: `https://localhost/console/invitation#${token}`,
  token,
  expiresAt,
} satisfies Examples<'InvitationLink'>['InvitationLink'];

const sessionGuid = exampleGuid(62);

const viewGuid = exampleGuid(63);
const SaveView = { page: 'payments', name: 'Denied this week', query: 'state=DENIED&period=week' };

export const peopleExamples: Examples<
  | 'AcceptInvitation'
  | 'BackOfficeSession'
  | 'BeginTotp'
  | 'BegunTotp'
  | 'ChangePassword'
  | 'ConfirmTotp'
  | 'CreatePerson'
  | 'DeletedView'
  | 'DemoSignIn'
  | 'EndedSession'
  | 'GiveRole'
  | 'InspectInvitation'
  | 'Invitation'
  | 'InvitedPerson'
  | 'LogIn'
  | 'LogInAsDemo'
  | 'DemoTokenRequest'
  | 'DemoToken'
  | 'Person'
  | 'PersonPage'
  | 'PersonSession'
  | 'RecoveryCodes'
  | 'RemoveTotp'
  | 'SavedView'
  | 'SaveView'
  | 'UpdatePerson'
> = {
  Person,
  PersonPage: { results: [Person], nextPageToken: null },
  GiveRole,
  CreatePerson: { email, name, role: GiveRole },
  UpdatePerson: { name: 'Ada Lovelace' },
  InvitedPerson: {
    person: { ...Person, passwordChangedAt: null, invitedUntil: expiresAt },
    invitation: InvitationLink,
    accountExisted: false,
  },
  InspectInvitation: { token },
  Invitation: { email, name, expiresAt, choosesEmail: false, needsTotp: false },
  AcceptInvitation: { token, name, password },
  LogIn: { email, password },
  DemoSignIn: {
    personGuid: Person.personGuid,
    name: 'Olu Operator',
    role: 'OPERATOR',
    placeName: null,
  },
  LogInAsDemo: { personGuid: Person.personGuid },
  DemoTokenRequest: { account: 'partner' },
  DemoToken: {
    clientId: exampleGuid(70),
    accessToken: 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiI1ZjBjIn0.c2ln',
  },
  BackOfficeSession: {
    sessionGuid,
    csrfToken: 'q1W2e3R4t5Z6u7I8o9P0aSdFgHjKlYxCvBnM-_qWeRt',
    expiresAt,
    person: Person,
  },
  PersonSession: {
    sessionGuid,
    createdAt: '2026-01-31T18:30:00.000Z',
    seenAt: '2026-01-31T19:12:00.000Z',
    expiresAt,
    address: '203.0.113.7',
    userAgent: 'Mozilla/5.0',
    isCurrent: true,
  },
  EndedSession: { sessionGuid, endedAt: '2026-01-31T19:30:00.000Z' },
  SaveView,
  SavedView: { viewGuid, ...SaveView, savedAt: '2026-01-31T19:30:00.000Z' },
  DeletedView: { viewGuid },
  ChangePassword: { currentPassword: password, newPassword: 'another fine long sentence' },
  BegunTotp: {
    secret: 'MZXW6YTBOIQGMYLSEBRGC6RA',
    uri:
      'otpauth://totp/Platform:ada%40example.com?secret=MZXW6YTBOIQGMYLSEBRGC6RA' +
      '&issuer=Platform',
  },
  BeginTotp: { password },
  ConfirmTotp: { code: '081804', password },
  RecoveryCodes: { recoveryCodes: ['MZXW-6YTB', 'OIQG-MYLS'] },
  RemoveTotp: { password },
};
