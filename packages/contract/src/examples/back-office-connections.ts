import { type Examples, exampleGuid, serials } from './example.ts';

const partnerGuid = exampleGuid(80);
const partnerName = 'Larder Counts';
const references = { externalGroupRef: 'group-17', externalRestaurantRef: 'location-3' };
const employee = {
  firstName: 'Ada',
  lastName: 'Cook',
  email: 'ada@example.com',
  phone: '312 555 0100',
};
const at = '2026-01-31T18:30:00.000Z';

const Connection = {
  restaurantGuid: exampleGuid(serials.restaurant),
  restaurantName: 'Corner Diner',
  restaurantArchived: false,
  partnerGuid,
  partnerName,
  state: 'CONNECTED',
  ...references,
  changedBy: employee,
  createdAt: at,
  modifiedAt: at,
  disconnectedAt: null,
  disconnectReason: null,
} satisfies Examples<'Connection'>['Connection'];

export const connectionsExamples = {
  Connection,
  ConnectionPage: { results: [Connection], nextPageToken: null },
  ConnectablePartnerPage: {
    results: [{ guid: partnerGuid, name: partnerName, description: null, isConnected: true }],
    nextPageToken: null,
  },
  NewConnection: { partnerGuid, ...references },
  ConnectionEdit: { externalRestaurantRef: 'location-4', externalGroupRef: null },
  EndConnection: { reason: 'We count by hand again.' },
  ConnectionChangePage: {
    results: [
      {
        number: 1,
        kind: 'CONNECTED',
        at,
        by: `person:${exampleGuid(60)}`,
        employee,
        requestId: exampleGuid(90),
        ...references,
        reason: null,
      },
    ],
    nextPageToken: null,
  },
} satisfies Examples<
  | 'ConnectablePartnerPage'
  | 'Connection'
  | 'ConnectionChangePage'
  | 'ConnectionEdit'
  | 'ConnectionPage'
  | 'EndConnection'
  | 'NewConnection'
>;
