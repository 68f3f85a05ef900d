import { choice, epoch, flag, line, text, uuid, withDefault } from '../schemas/field.ts';
import { Type } from '../schemas/type.ts';
import { json, prefix, single } from './back-office-parts.ts';
import { operation } from './operation.ts';
import { clientIdOf, guid, pageParameters, pageSize } from './parameters.ts';

const partners = { interface: 'backOffice', tag: 'Partners' } as const;
const partnerPath = `${prefix}/partners/{partnerGuid}`;
const partnerGuid = guid('The partner.');
const name = (whose: string) =>
  Type.Optional(
    line(`Only ${whose} with this text in their name. Case does not matter.`, {
      example: 'counts',
    }),
  );

const partnerOperations = [
  operation({
    ...partners,
    id: 'backOffice.partners.list',
    method: 'GET',
    path: `${prefix}/partners`,
    summary: 'List partners',
    description:
      'Returns pages of the partners that you have access to, sorted by name: all partners if ' +
      'you have access to the whole platform, otherwise those that your groups and restaurants ' +
      'are connected to.',
    scope: 'clients:read',
    query: { name: name('partners'), ...pageParameters('Partners') },
    response: single('PartnerPage'),
  }),
  operation({
    ...partners,
    id: 'backOffice.partners.create',
    heldFor: 'platform',
    method: 'POST',
    path: `${prefix}/partners`,
    summary: 'Create a partner',
    description:
      'Adds a partner service that every restaurant can connect to. Requires the scope for the ' +
      'whole platform.',
    scope: 'clients:write',
    requestBody: json('NewPartner'),
    response: single('Partner'),
    also: [422],
  }),
  operation({
    ...partners,
    id: 'backOffice.partners.get',
    method: 'GET',
    path: partnerPath,
    summary: 'Get a partner',
    description: 'Returns a partner that you have access to.',
    scope: 'clients:read',
    params: { partnerGuid },
    response: single('Partner'),
    also: [404],
  }),
  operation({
    ...partners,
    id: 'backOffice.partners.update',
    heldFor: 'partner',
    method: 'PATCH',
    path: partnerPath,
    summary: 'Edit a partner',
    description:
      'Changes the fields in the body (JSON merge patch) and returns the partner. Requires the ' +
      'scope for that partner or for the whole platform.',
    scope: 'clients:write',
    params: { partnerGuid },
    requestBody: json('PartnerEdit'),
    response: single('Partner'),
    also: [404, 422],
  }),
  operation({
    ...partners,
    id: 'backOffice.partners.connections',
    method: 'GET',
    path: `${partnerPath}/connections`,
    summary: 'List the connections of a partner',
    description:
      'Returns pages of the connections of the partner with restaurants that you have access to, ' +
      'active and ended, in the order in which they were made. With the scope for that partner, it returns all ' +
      'its connections.',
    scope: 'connections:read',
    params: { partnerGuid },
    query: pageParameters('Connections'),
    response: single('ConnectionPage'),
    also: [404],
  }),
  operation({
    ...partners,
    id: 'backOffice.partners.events',
    method: 'GET',
    path: `${partnerPath}/events`,
    summary: 'Read the events of a partner',
    description:
      'Returns the events on the connections of the partner, in the order of their positions. The ' +
      'position increases by one with each event, so if you have seen one event, you have seen all ' +
      'before it. Requires the scope for that partner or for the whole platform.',
    scope: 'connections:read',
    params: { partnerGuid },
    query: {
      after: withDefault(
        epoch('Only events after this position. Default: all events.', { example: 41 }),
        0,
      ),
      pageSize: withDefault(pageSize('Events per page.'), 100),
    },
    response: single('PartnerEventPage'),
    also: [404],
  }),
] as const;

const clients = { interface: 'backOffice', tag: 'API accounts' } as const;
const clientPath = `${prefix}/clients/{clientId}`;
const clientId = clientIdOf('The API account.');
const clientChange = {
  ...clients,
  method: 'POST',
  scope: 'clients:write',
  params: { clientId },
  response: single('ApiClient'),
} as const;

const clientRows = [
  operation({
    ...clients,
    id: 'backOffice.clients.list',
    method: 'GET',
    path: `${prefix}/clients`,
    summary: 'List API accounts',
    description:
      'Returns pages of the API accounts that you have access to, newest first: those of the ' +
      'groups and partners for which you hold the scope, or all of them if you hold it for the ' +
      'whole platform.',
    scope: 'clients:read',
    query: {
      type: Type.Optional(
        choice('Only accounts of this type.', ['PARTNER', 'CUSTOMER', 'BACK_OFFICE'], {
          example: 'PARTNER',
        }),
      ),
      partnerGuid: Type.Optional(
        uuid('Only accounts of this partner.', { example: '5f0c1a2e-7b34-4d8a-9c61-000000000080' }),
      ),
      managementGroupGuid: Type.Optional(
        uuid('Only accounts of this management group.', {
          example: '5f0c1a2e-7b34-4d8a-9c61-000000000002',
        }),
      ),
      revoked: Type.Optional(
        flag('true: only revoked accounts. false: only live ones.', {
          example: false,
        }),
      ),
      name: name('accounts'),
      ...pageParameters('Accounts'),
    },
    response: single('ApiClientPage'),
    revalidated: false,
  }),
  operation({
    ...clients,
    id: 'backOffice.clients.create',
    method: 'POST',
    path: `${prefix}/clients`,
    summary: 'Create an API account',
    description:
      'Creates an account with a first secret, which only this response shows. An operator can give ' +
      'any scope and holdsLegacyCardKey. Everybody else can give a scope that a live account of ' +
      'the same owner has, or that allows no more than they may do themselves. Any other scope is ' +
      'a 403 that says who can give it.',
    scope: 'clients:write',
    requestBody: json('NewApiClient'),
    response: single('IssuedApiClientSecret'),
    also: [422],
  }),
  operation({
    ...clients,
    id: 'backOffice.clients.get',
    method: 'GET',
    path: clientPath,
    summary: 'Get an API account',
    description: 'Returns an API account that you have access to, with the details of its secrets.',
    scope: 'clients:read',
    params: { clientId },
    response: single('ApiClient'),
    revalidated: false,
    also: [404],
  }),
  operation({
    ...clientChange,
    id: 'backOffice.clients.update',
    method: 'PATCH',
    path: clientPath,
    summary: 'Edit an API account',
    description:
      'Changes the fields in the body (JSON merge patch) and returns the account. New scopes apply ' +
      'to the tokens of the account from its next request. The rules for creating an account ' +
      'apply to added scopes.',
    requestBody: json('ApiClientEdit'),
    also: [404, 409, 422],
  }),
  operation({
    ...clients,
    id: 'backOffice.clients.usage',
    method: 'GET',
    path: `${clientPath}/usage`,
    summary: 'Read how an API account is used',
    description:
      'Returns how many requests the account sent in a range of days: by operation, status, day, ' +
      'and restaurant, and when each of its scopes was last used. The last few seconds may be ' +
      'missing.',
    scope: 'clients:read',
    params: { clientId },
    query: {
      from: Type.Optional(
        text(
          'The first day, in UTC by the clock of the environment; 29 days before the last day by ' +
            'default.',
          { format: 'date', example: '2026-01-01' },
        ),
      ),
      to: Type.Optional(
        text('The last day; today by default.', { format: 'date', example: '2026-01-31' }),
      ),
    },
    response: single('ApiClientUsage'),
    revalidated: false,
    also: [404],
  }),
  operation({
    ...clientChange,
    id: 'backOffice.clients.addSecret',
    path: `${clientPath}/secrets`,
    summary: 'Add a secret to an API account',
    description:
      'Adds a secret, which only this response shows. The other live secrets keep working. To ' +
      'expire them after a rotation, send othersExpireAt. For a BACK_OFFICE account, you must ' +
      'hold all of its scopes yourself.',
    requestBody: json('NewApiClientSecret'),
    response: single('IssuedApiClientSecret'),
    also: [404, 409, 422],
  }),
  operation({
    ...clientChange,
    id: 'backOffice.clients.revokeSecret',
    path: `${clientPath}/secrets/{secretGuid}/revoke`,
    summary: 'Revoke a secret',
    description:
      'Revokes one secret and every token that was issued for it, at once. The other secrets ' +
      'and their tokens stay valid. Revoking a secret a second time changes nothing. Takes no ' +
      'body.',
    params: { clientId, secretGuid: guid('The secret.') },
    also: [404],
  }),
  operation({
    ...clientChange,
    id: 'backOffice.clients.revoke',
    path: `${clientPath}/revoke`,
    summary: 'Revoke an API account',
    description:
      'Revokes an account with all of its secrets and tokens, at once and for good, and archives ' +
      'its webhook endpoints. Revoking it a second time changes nothing. Takes no body.',
    also: [404, 409],
  }),
] as const;

export const clientsOperations = [...partnerOperations, ...clientRows] as const;
