import {
  json,
  lineSchema,
  pageParameters,
  parameter,
  prefix,
  single,
} from './back-office-parts.ts';
import { guidParameter, type Operation, operation } from './operation.ts';

const connections = { interface: 'backOffice', tag: 'Connections' } as const;
const restaurantParameter = guidParameter('restaurantGuid', 'The restaurant.');
const ofRestaurant = {
  ...connections,
  restaurant: 'restaurantInPath',
  pathParameters: [restaurantParameter],
} as const;
const ofPartner = {
  ...ofRestaurant,
  pathParameters: [restaurantParameter, guidParameter('partnerGuid', 'The partner.')],
} as const;
const change = {
  scope: 'connections:write',
  response: single('Connection'),
} as const;
const connectionsPath = `${prefix}/restaurants/{restaurantGuid}/connections`;
const connectionPath = `${connectionsPath}/{partnerGuid}`;

/** The operations of the back office on connections of restaurants and partners. */
export const connectionsOperations: readonly Operation[] = [
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
    queryParameters: [
      parameter(
        'state',
        'Only connections in this state.',
        { type: 'string', enum: ['CONNECTED', 'DISCONNECTED'] },
        'CONNECTED',
      ),
      ...pageParameters('Connections'),
    ],
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
    queryParameters: [
      parameter(
        'name',
        'Only partners with this in their name, in capitals or not.',
        lineSchema,
        'counts',
      ),
      ...pageParameters('Partners'),
    ],
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
    queryParameters: pageParameters('Changes'),
    response: single('ConnectionChangePage'),
  }),
];
