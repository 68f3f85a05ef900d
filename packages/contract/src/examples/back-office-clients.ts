import { type Examples, exampleGuid, serials } from './example.ts';
import { restaurantExamples } from './restaurants.ts';

const partnerGuid = exampleGuid(80);
const secretGuid = exampleGuid(81);
const by = `person:${exampleGuid(60)}`;
const createdAt = '2026-01-01T10:00:00.000Z';

const Partner = {
  guid: partnerGuid,
  name: 'Larder Counts',
  description: 'Counts what is in the larder and tells what runs out.',
  createdAt,
} satisfies Examples<'Partner'>['Partner'];

const ApiClient = {
  clientId: exampleGuid(70),
  name: 'Larder Counts, live',
  description: null,
  type: 'PARTNER',
  partner: { guid: partnerGuid, name: Partner.name },
  managementGroup: null,
  scopes: ['config:read', 'stock:read', 'stock:write'],
  holdsLegacyCardKey: false,
  createdAt,
  createdBy: by,
  revokedAt: null,
  revokedBy: null,
  lastUsedAt: '2026-01-31T18:30:00.000Z',
  secrets: [
    {
      guid: secretGuid,
      label: 'January',
      state: 'LIVE',
      createdAt,
      createdBy: by,
      expiresAt: '2026-04-01T00:00:00.000Z',
      revokedAt: null,
      revokedBy: null,
      lastUsedAt: '2026-01-31T18:00:00.000Z',
    },
  ],
} satisfies Examples<'ApiClient'>['ApiClient'];

export const clientsExamples = {
  Partner,
  PartnerPage: { results: [Partner], nextPageToken: null },
  NewPartner: { name: Partner.name, description: Partner.description },
  PartnerEdit: { description: null },
  PartnerEventPage: {
    results: [{ position: 42, event: restaurantExamples.PartnerEvent }],
    lastPosition: 42,
  },
  ApiClient,
  ApiClientPage: { results: [ApiClient], nextPageToken: null },
  NewApiClient: {
    name: ApiClient.name,
    type: 'PARTNER',
    partnerGuid,
    scopes: ['config:read', 'stock:read', 'stock:write'],
    secret: { label: 'January', expiresAt: '2026-04-01T00:00:00.000Z' },
  },
  ApiClientEdit: { description: 'The live integration.', scopes: ['config:read', 'stock:read'] },
  NewApiClientSecret: { label: 'April', othersExpireAt: '2026-04-02T00:00:00.000Z' },
  IssuedApiClientSecret: {
    client: ApiClient,
    secretGuid,
    clientSecret: 'svs_shown-once-and-never-again',
  },
  ApiClientUsage: {
    clientId: ApiClient.clientId,
    from: '2026-01-02',
    to: '2026-01-31',
    requests: 1200,
    operations: [
      {
        operation: 'stock.update',
        requests: 1200,
        statuses: [
          { status: 200, requests: 1197 },
          { status: 400, requests: 3 },
        ],
      },
    ],
    days: [{ day: '2026-01-31', requests: 1200 }],
    restaurants: [
      {
        restaurantGuid: exampleGuid(serials.restaurant),
        restaurantName: 'Corner Diner',
        requests: 1200,
      },
    ],
    restaurantCount: 1,
    scopes: [
      { scope: 'config:read', lastUsedAt: null, since: createdAt },
      { scope: 'stock:read', lastUsedAt: null, since: createdAt },
      { scope: 'stock:write', lastUsedAt: '2026-01-31T18:30:00.000Z', since: createdAt },
    ],
  },
} satisfies Examples<
  | 'ApiClient'
  | 'ApiClientEdit'
  | 'ApiClientPage'
  | 'ApiClientUsage'
  | 'IssuedApiClientSecret'
  | 'NewApiClient'
  | 'NewApiClientSecret'
  | 'NewPartner'
  | 'Partner'
  | 'PartnerEdit'
  | 'PartnerEventPage'
  | 'PartnerPage'
>;
