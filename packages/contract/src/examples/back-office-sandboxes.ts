import { machineClientAccessType } from '../brand.ts';
import type { ClientType } from '../scopes.ts';
import { type Examples, exampleGuid, serials } from './example.ts';
import { stockAndCardExamples } from './stock-and-cards.ts';

const baseUrl = 'https://localhost/sandboxes/pull-42';
const restaurantGuid = exampleGuid(serials.restaurant);
const managementGroupGuid = exampleGuid(serials.managementGroup);
const cardKeys = [stockAndCardExamples.CardEncryptionKey];

const own = {
  name: 'pull-42',
  baseUrl,
  expiresAt: '2026-02-01T18:30:00.000Z',
  from: { profile: 'demo', sandbox: null, snapshot: null, replayOf: null },
} satisfies Partial<Examples<'Sandbox'>['Sandbox']>;

const Sandbox = {
  ...own,
  createdAt: '2026-01-31T18:30:00.000Z',
  lastUsedAt: '2026-01-31T18:45:00.000Z',
  sizeBytes: 21_000_000,
  clock: { now: '2026-03-29T01:30:00.000Z', mode: 'FROZEN' },
} satisfies Examples<'Sandbox'>['Sandbox'];

const SandboxSnapshot = {
  name: 'before-lunch',
  createdAt: '2026-01-31T18:40:00.000Z',
  sizeBytes: 21_000_000,
} satisfies Examples<'SandboxSnapshot'>['SandboxSnapshot'];

const same = { added: [], removed: [], changed: [], truncated: false };

const accountOf = (brand: string, serial: number, type: ClientType, scopes: string[]) => ({
  clientId: exampleGuid(serial),
  clientSecret: 'svs_works-in-this-sandbox-alone',
  userAccessType: machineClientAccessType(brand),
  type,
  scopes,
  cardKeys: type === 'PARTNER' ? cardKeys : [],
});

export const sandboxesExamples = (
  brand: string,
): Examples<
  | 'CreateSandbox'
  | 'CreatedSandbox'
  | 'DroppedSandbox'
  | 'DroppedSandboxSnapshot'
  | 'EditSandbox'
  | 'NameSandboxSnapshot'
  | 'RestoreSandbox'
  | 'Sandbox'
  | 'SandboxDiff'
  | 'SandboxPage'
  | 'SandboxSnapshot'
> => ({
  CreateSandbox: { name: 'pull-42', from: { profile: 'demo' }, ttl: 'PT24H' },
  EditSandbox: { ttl: 'P2D' },
  Sandbox,
  SandboxPage: { results: [Sandbox], nextPageToken: null },
  CreatedSandbox: {
    ...own,
    demo: {
      baseUrl,
      authUrl: baseUrl,
      tlsUrl: null,
      brand,
      clients: {
        partner: accountOf(brand, 70, 'PARTNER', ['config:read', 'stock:read', 'stock:write']),
        readOnly: accountOf(brand, 71, 'PARTNER', ['config:read', 'stock:read']),
        group: accountOf(brand, 72, 'CUSTOMER', ['config:read', 'restaurants:read']),
        other: accountOf(brand, 73, 'PARTNER', ['config:read']),
        orders: accountOf(brand, 74, 'BACK_OFFICE', ['payments.lifecycle:write']),
        operator: accountOf(brand, 75, 'BACK_OFFICE', ['clock:read', 'clock:write']),
      },
      people: [
        {
          personGuid: exampleGuid(60),
          name: 'Olu Operator',
          email: 'operator@demo.example',
          password: 'works-in-this-sandbox-alone',
          role: 'OPERATOR',
          managementGroupGuid: null,
          restaurantGuid: null,
          partnerGuid: null,
        },
      ],
      managementGroupGuid,
      restaurants: [
        {
          guid: restaurantGuid,
          name: 'The Early Wren',
          timeZone: 'America/New_York',
          currencyCode: 'USD',
          archived: false,
        },
      ],
      cardKeys,
      testCards: [
        {
          name: 'Approved',
          cardNumber: '4111111111111111',
          brand: 'VISA',
          cvv: '123',
          outcome: 'AUTHORIZED',
          status: 200,
          denialReason: null,
          settles: 'at once',
          whenVoided: null,
          whenCaptured: null,
        },
      ],
    },
  },
  DroppedSandbox: { name: 'pull-42' },
  NameSandboxSnapshot: { name: SandboxSnapshot.name },
  SandboxSnapshot,
  DroppedSandboxSnapshot: { name: SandboxSnapshot.name },
  RestoreSandbox: { snapshot: SandboxSnapshot.name },
  SandboxDiff: {
    name: 'main',
    with: 'pull-42',
    configuration: same,
    stock: {
      ...same,
      changed: [
        {
          kind: 'stock',
          guid: exampleGuid(serials.menuItem),
          name: 'Porridge',
          restaurantGuid,
          restaurantName: 'The Early Wren',
          fields: [{ field: 'status', before: 'IN_STOCK', after: 'OUT_OF_STOCK' }],
        },
      ],
    },
    payments: same,
    connections: same,
  },
});
