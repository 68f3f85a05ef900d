export type ErrorShape = 'ErrorMessage' | 'ServiceError';

export type InterfaceId =
  | 'creditCards'
  | 'stock'
  | 'menus'
  | 'configuration'
  | 'partners'
  | 'restaurants'
  | 'orders'
  | 'backOffice'
  | 'platform'
  | 'authentication';

export interface InterfaceDescription {
  readonly id: InterfaceId;
  readonly title: string;
  readonly prefix: string;
  readonly version: string;
  readonly description: string;
  /** What the operations of each tag are about, if there are several. */
  readonly tags?: Readonly<Record<string, string>>;
  /** Undeclared errors are always an ErrorMessage. */
  readonly errorShape: ErrorShape;
}

/** What the operations of a tag are about, where several interfaces have it. */
export const sharedTags: Readonly<Record<string, string>> = {
  Menus:
    'The published menus of a restaurant: as one document, with every price, tax rate, and ' +
    'inherited value resolved, and as objects of its configuration.',
  Partners:
    'For partners, the restaurants that they have access to. For the back office, the partners, ' +
    'their connections, and their events.',
  Restaurants:
    'For partners, a restaurant and the restaurants of a management group. For the back office, ' +
    'all restaurants with all information about them.',
  Payments:
    'Card payments: for partners, those that their accounts requested; for the back office, those ' +
    'of its restaurants, with their history and what can be done with them.',
};

export const interfaces: Readonly<Record<InterfaceId, InterfaceDescription>> = {
  creditCards: {
    id: 'creditCards',
    title: 'Credit cards',
    prefix: '/ccpartner/v1',
    version: '1.0.0',
    description:
      'Authorizes a card payment for an order in one request. The money is held until the ' +
      'payment is captured or voided. It is captured at the closeout after the order is ' +
      'fulfilled. A payment is voided five minutes after its authorization if it was not applied ' +
      'to a check, and seven days after its authorization if it was not captured.',
    errorShape: 'ServiceError',
  },
  stock: {
    id: 'stock',
    title: 'Stock',
    prefix: '/stock',
    version: '1.0.0',
    description:
      'Reads and sets the stock of the menu items of a restaurant and of the items behind ' +
      'its modifiers.',
    errorShape: 'ErrorMessage',
  },
  menus: {
    id: 'menus',
    title: 'Menus',
    prefix: '/menus/v2',
    version: '2.4.1',
    description:
      'Reads the published menus of a restaurant as one document, with every price, tax rate, ' +
      'and inherited value resolved.',
    errorShape: 'ErrorMessage',
  },
  configuration: {
    id: 'configuration',
    title: 'Configuration',
    prefix: '/config/v2',
    version: '2.5.0',
    description:
      'Reads the published configuration of a restaurant. Removed and archived objects are ' +
      'not returned.',
    tags: { 'Tip Withholding': 'How much of card tips the restaurant withholds.' },
    errorShape: 'ErrorMessage',
  },
  partners: {
    id: 'partners',
    title: 'Partners',
    prefix: '/partners/v1',
    version: '1.0.1',
    description: 'Lists the restaurants that a partner client has access to.',
    errorShape: 'ErrorMessage',
  },
  restaurants: {
    id: 'restaurants',
    title: 'Restaurants',
    prefix: '/restaurants/v1',
    version: '1.0.0',
    description: 'Describes a restaurant, and lists the restaurants of a management group.',
    errorShape: 'ErrorMessage',
  },
  orders: {
    id: 'orders',
    title: 'Orders',
    prefix: '/orders/v2',
    version: '2.9.0',
    description:
      'Prices, places, pays, and reads the orders of a restaurant. There is no cart: nothing is ' +
      'stored until the order is placed.',
    errorShape: 'ErrorMessage',
  },
  backOffice: {
    id: 'backOffice',
    title: 'Back office',
    prefix: '/backoffice/v1',
    version: '1.0.0',
    description:
      'For the people and systems that run restaurants and the platform, not for partners: ' +
      'payments, orders, stock, configuration, restaurants, connections, accounts, people, ' +
      'webhooks, logs, health, and in a sandbox its clock, faults, and copies. It serves people ' +
      'who are logged in and clients of the type BACK_OFFICE.',
    tags: {
      Payments: 'Card payments of restaurants: their history, and what can be done with them.',
      Clock: 'The clock of the environment, which can be moved in a sandbox.',
      'Card keys': 'The key pairs with which API accounts encrypt card data.',
      Alarms: 'Payments that a person must look at.',
      Metrics: 'Metrics for Prometheus, and the health of the platform in the last hour.',
      Sessions: 'Logging in and out as a person.',
      Invitations: 'Links with which people choose a name and a password.',
      'Your account': 'Your own password, authenticator app, sessions, and saved views.',
      People: 'People who work in the back office, and their roles.',
      'Management groups': 'Groups that run restaurants.',
      Restaurants: 'Restaurants of management groups, with all information about them.',
      Configuration: 'Drafts, publications, and configuration documents of restaurants.',
      'Stock of restaurants': 'The stock of a restaurant, its history, and what ran out.',
      'Orders of restaurants': 'Orders that partners placed, from approval to fulfillment.',
      Partners: 'Partners, their connections, and their events.',
      'API accounts': 'Accounts with which programs log in: secrets, scopes, and usage.',
      Connections: 'Which partners have access to a restaurant.',
      Webhooks: 'Webhook endpoints of partners, deliveries, and replays.',
      Requests: 'The log of recent requests, with the reasons why they were refused.',
      Audit: 'The tamper-evident log of all changes.',
      Sandboxes: 'Additional sandboxes, alongside the main environment, and their snapshots.',
      Faults: 'Faults that are injected into a sandbox.',
      'Who am I': 'Who the caller is, and what it may do.',
    },
    errorShape: 'ErrorMessage',
  },
  platform: {
    id: 'platform',
    title: 'Platform',
    prefix: '/platform/v1',
    version: '1.0.0',
    description: 'Operations of the platform itself, in addition to the partner interfaces.',
    tags: {
      'Who am I': 'Who the caller is, and what it may do.',
      Payments: 'Card payments that your accounts requested.',
      Changes: 'What publications changed in the configuration of a restaurant.',
      Events: 'The events of a partner, as a list or as a stream.',
      'Card encryption keys': 'Public keys with which you encrypt card data.',
      Health: 'Whether the process runs, and whether it can serve requests.',
      Documentation: 'Pages and documents that describe this platform.',
    },
    errorShape: 'ErrorMessage',
  },
  authentication: {
    id: 'authentication',
    title: 'Authentication',
    prefix: '/authentication/v1',
    version: '1.0.0',
    description:
      'Issues access tokens to API clients by OAuth 2.0 client credentials: with a login ' +
      'operation, and with standard endpoints that any OAuth library supports.',
    errorShape: 'ErrorMessage',
  },
};
