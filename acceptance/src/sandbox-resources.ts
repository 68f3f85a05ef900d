type Described = Readonly<Record<string, Readonly<Record<string, string>>>>;

const own = { name: 'string', baseUrl: 'string', expiresAt: 'instant', from: 'SandboxOrigin' };

/** The resources of sandboxes, in the notation of resources.ts. */
export const sandboxResources = {
  SandboxOrigin: {
    profile: 'string?',
    sandbox: 'string?',
    snapshot: 'string?',
    replayOf: 'RequestOfCopy?',
  },
  RequestOfCopy: { requestId: 'uuid', method: 'string', path: 'string' },
  SandboxClock: { now: 'instant', mode: 'RUNNING|FROZEN' },
  Sandbox: {
    ...own,
    createdAt: 'instant',
    lastUsedAt: 'instant?',
    sizeBytes: 'integer',
    clock: 'SandboxClock',
  },
  SandboxPage: { results: 'Sandbox[]', nextPageToken: 'string?' },
  SandboxAccount: {
    clientId: 'string',
    clientSecret: 'string',
    userAccessType: 'string',
    type: 'PARTNER|CUSTOMER|BACK_OFFICE',
    scopes: 'string[]',
    cardKeys: 'CardEncryptionKey[]',
  },
  SandboxPerson: {
    personGuid: 'uuid',
    name: 'string',
    email: 'string',
    password: 'string',
    role: 'OPERATOR|GROUP_ADMINISTRATOR|RESTAURANT_ADMINISTRATOR|READ_ONLY|PARTNER_DEVELOPER',
    managementGroupGuid: 'uuid?',
    restaurantGuid: 'uuid?',
    partnerGuid: 'uuid?',
  },
  SandboxRestaurant: {
    guid: 'uuid',
    name: 'string',
    timeZone: 'string',
    currencyCode: 'string',
    archived: 'boolean',
  },
  SandboxTestCard: {
    name: 'string',
    cardNumber: 'string',
    brand: 'string',
    cvv: 'string',
    outcome: 'string',
    status: 'integer',
    denialReason: 'string?',
    settles: 'string',
    whenVoided: 'string?',
    whenCaptured: 'string?',
  },
  SandboxAccounts: {
    partner: 'SandboxAccount',
    readOnly: 'SandboxAccount',
    group: 'SandboxAccount',
    other: 'SandboxAccount',
    orders: 'SandboxAccount',
    operator: 'SandboxAccount',
  },
  SandboxDemo: {
    baseUrl: 'string',
    authUrl: 'string',
    tlsUrl: 'string?',
    brand: 'string',
    clients: 'SandboxAccounts',
    people: 'SandboxPerson[]',
    managementGroupGuid: 'uuid',
    restaurants: 'SandboxRestaurant[]',
    cardKeys: 'CardEncryptionKey[]',
    testCards: 'SandboxTestCard[]',
  },
  CreatedSandbox: { ...own, demo: 'SandboxDemo' },
  DroppedSandbox: { name: 'string' },
  DroppedSandboxSnapshot: { name: 'string' },
  SandboxSnapshot: { name: 'string', createdAt: 'instant', sizeBytes: 'integer' },
  SandboxDifference: {
    kind: 'string',
    guid: 'uuid',
    name: 'string?',
    restaurantGuid: 'uuid?',
    restaurantName: 'string?',
    fields: 'FieldChange[]',
  },
  SandboxDifferences: {
    added: 'SandboxDifference[]',
    removed: 'SandboxDifference[]',
    changed: 'SandboxDifference[]',
    truncated: 'boolean',
  },
  SandboxDiff: {
    name: 'string',
    with: 'string',
    configuration: 'SandboxDifferences',
    stock: 'SandboxDifferences',
    payments: 'SandboxDifferences',
    connections: 'SandboxDifferences',
  },
} satisfies Described;

/** What clients send about them. */
export const sandboxRequests: Described = {
  SandboxSource: { 'profile?': 'string?', 'sandbox?': 'string?', 'snapshot?': 'string?' },
  CreateSandbox: { 'name?': 'string?', from: 'SandboxSource', 'ttl?': 'string?' },
  EditSandbox: { ttl: 'string' },
  NameSandboxSnapshot: { name: 'string' },
  RestoreSandbox: { snapshot: 'string' },
};

/** The bodies of their operations. */
export const sandboxBodies: Readonly<Record<string, string>> = {
  'backOffice.sandboxes.create': 'CreateSandbox',
  'backOffice.sandboxes.update': 'EditSandbox',
  'backOffice.sandboxes.snapshots.create': 'NameSandboxSnapshot',
  'backOffice.sandboxes.restore': 'RestoreSandbox',
};
