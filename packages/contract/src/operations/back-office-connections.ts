import { choice, line } from '../schemas/field.ts';
import { Type } from '../schemas/type.ts';
import { json, prefix, single } from './back-office-parts.ts';
import { operation } from './operation.ts';
import { guid, pageParameters } from './parameters.ts';

const connections = { interface: 'backOffice', tag: 'Connections' } as const;
const restaurantGuid = guid('The restaurant.');
const ofRestaurant = {
  ...connections,
  restaurant: 'restaurantInPath',
  params: { restaurantGuid },
} as const;
const ofPartner = {
  ...ofRestaurant,
  params: { restaurantGuid, partnerGuid: guid('The partner.') },
} as const;
const change = {
  scope: 'connections:write',
  response: single('Connection'),
} as const;
const connectionsPath = `${prefix}/restaurants/{restaurantGuid}/connections`;
const connectionPath = `${connectionsPath}/{partnerGuid}`;

export const connectionsOperations = [
  operation({
    ...ofRestaurant,
    id: 'backOffice.connections.list',
    method: 'GET',
    path: connectionsPath,
    summary: 'List the connections of a restaurant',
    description:
      'Answers the connections that the restaurant has, and those that ended, by pages, by the ' +
      'name of the partner.',
    scope: 'connections:read',
    query: {
      state: Type.Optional(
        choice('Only connections in this state.', ['CONNECTED', 'DISCONNECTED'], {
          example: 'CONNECTED',
        }),
      ),
      ...pageParameters('Connections'),
    },
    response: single('ConnectionPage'),
  }),
  operation({
    ...ofRestaurant,
    ...change,
    id: 'backOffice.connections.connect',
    method: 'POST',
    path: connectionsPath,
    summary: 'Connect a partner',
    description:
      'Gives the accounts of the partner access to the restaurant, at once. A connection that ' +
      'ended begins anew. The partner is told by the event partner_added.',
    requestBody: json('NewConnection'),
    also: [409, 422],
  }),
  operation({
    ...ofRestaurant,
    id: 'backOffice.connections.partners',
    method: 'GET',
    path: `${prefix}/restaurants/{restaurantGuid}/partners`,
    summary: 'List the partners to connect with',
    description:
      'Answers every partner of the platform by pages, by name, and whether the restaurant is ' +
      'connected to it.',
    scope: 'connections:read',
    query: {
      name: Type.Optional(
        line('Only partners with this in their name, in capitals or not.', { example: 'counts' }),
      ),
      ...pageParameters('Partners'),
    },
    response: single('ConnectablePartnerPage'),
  }),
  operation({
    ...ofPartner,
    id: 'backOffice.connections.get',
    method: 'GET',
    path: connectionPath,
    summary: 'Get a connection',
    description: 'Answers the connection of the restaurant with the partner, also one that ended.',
    scope: 'connections:read',
    response: single('Connection'),
  }),
  operation({
    ...ofPartner,
    ...change,
    id: 'backOffice.connections.update',
    method: 'PATCH',
    path: connectionPath,
    summary: 'Edit a connection',
    description:
      'Changes the references that the body names (JSON merge patch): null clears one. The ' +
      'partner is told by the event partner_updated, if anything changed.',
    requestBody: json('ConnectionEdit'),
    also: [409, 422],
  }),
  operation({
    ...ofPartner,
    ...change,
    id: 'backOffice.connections.disconnect',
    method: 'POST',
    path: `${connectionPath}/disconnect`,
    summary: 'Disconnect a partner',
    description:
      'Takes the access of the partner away, at once. The partner is told by the event ' +
      'partner_removed. A connection that ended before keeps its reason.',
    requestBody: json('EndConnection'),
    also: [422],
  }),
  operation({
    ...ofPartner,
    id: 'backOffice.connections.timeline',
    method: 'GET',
    path: `${connectionPath}/timeline`,
    summary: 'Read the timeline of a connection',
    description: 'Answers every change of the connection by pages, the newest first.',
    scope: 'connections:read',
    query: pageParameters('Changes'),
    response: single('ConnectionChangePage'),
  }),
] as const;
