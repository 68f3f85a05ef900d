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
      'Returns pages of the connections of the restaurant, active and ended, sorted by the name of ' +
      'the partner.',
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
      'Gives the accounts of the partner access to the restaurant, at once. If an earlier ' +
      'connection ended, it starts again. The partner receives the event partner_added.',
    requestBody: json('NewConnection'),
    also: [409, 422],
  }),
  operation({
    ...ofRestaurant,
    id: 'backOffice.connections.partners',
    method: 'GET',
    path: `${prefix}/restaurants/{restaurantGuid}/partners`,
    summary: 'List the partners that can be connected',
    description:
      'Returns pages of all partners on the platform, sorted by name, and whether the restaurant is ' +
      'connected to each.',
    scope: 'connections:read',
    query: {
      name: Type.Optional(
        line('Only partners with this text in their name. Case does not matter.', {
          example: 'counts',
        }),
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
    description: 'Returns the connection of the restaurant with the partner, even if it has ended.',
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
      'Changes the references in the body (JSON merge patch); null clears one. If anything ' +
      'changed, the partner receives the event partner_updated.',
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
      'Removes the access of the partner to the restaurant, at once. The partner receives the ' +
      'event partner_removed. A connection that has already ended keeps its reason.',
    requestBody: json('EndConnection'),
    also: [422],
  }),
  operation({
    ...ofPartner,
    id: 'backOffice.connections.timeline',
    method: 'GET',
    path: `${connectionPath}/timeline`,
    summary: 'Read the timeline of a connection',
    description: 'Returns pages of the changes to the connection, newest first.',
    scope: 'connections:read',
    query: pageParameters('Changes'),
    response: single('ConnectionChangePage'),
  }),
] as const;
