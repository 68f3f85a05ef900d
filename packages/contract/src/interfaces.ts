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
  /** Undeclared errors are always an ErrorMessage. */
  readonly errorShape: ErrorShape;
}

export const interfaces: Readonly<Record<InterfaceId, InterfaceDescription>> = {
  creditCards: {
    id: 'creditCards',
    title: 'Credit cards',
    prefix: '/ccpartner/v1',
    version: '1.0.0',
    description:
      'Authorizes a card payment for an order in one request. The money is on hold until the ' +
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
      'webhooks, logs, and the clock of a sandbox. It serves people who are logged in and clients of the ' +
      'type BACK_OFFICE.',
    errorShape: 'ErrorMessage',
  },
  platform: {
    id: 'platform',
    title: 'Platform',
    prefix: '/platform/v1',
    version: '1.0.0',
    description: 'Operations of the platform itself, in addition to the partner interfaces.',
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
