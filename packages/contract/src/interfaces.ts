export type ErrorShape = 'ErrorMessage' | 'ServiceError';

export type InterfaceId =
  | 'creditCards'
  | 'stock'
  | 'configuration'
  | 'partners'
  | 'restaurants'
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
      'Authorizes a card payment for an order in one request. The money is held until the ' +
      'payment is captured, on the evening after the order was fulfilled, or voided: five ' +
      'minutes after the authorization when no check took it, seven days after it when ' +
      'it was not captured.',
    errorShape: 'ServiceError',
  },
  stock: {
    id: 'stock',
    title: 'Stock',
    prefix: '/stock',
    version: '1.0.0',
    description:
      'Reads and sets the stock of the menu items of a restaurant, and of the items behind its ' +
      'modifiers.',
    errorShape: 'ErrorMessage',
  },
  configuration: {
    id: 'configuration',
    title: 'Configuration',
    prefix: '/config/v2',
    version: '2.5.0',
    description:
      'Reads the published configuration of a restaurant. Objects that were removed or archived ' +
      'are not answered.',
    errorShape: 'ErrorMessage',
  },
  partners: {
    id: 'partners',
    title: 'Partners',
    prefix: '/partners/v1',
    version: '1.0.1',
    description: 'Lists the restaurants that a partner client can reach.',
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
  backOffice: {
    id: 'backOffice',
    title: 'Back office',
    prefix: '/backoffice/v1',
    version: '1.0.0',
    description:
      'For the orders system and for operators, not for partners: moves and reads payments, ' +
      "moves a sandbox's clock, keeps card keys, and shows alarms and metrics. Only clients of " +
      'the type BACK_OFFICE reach it, and they reach nothing else.',
    errorShape: 'ErrorMessage',
  },
  platform: {
    id: 'platform',
    title: 'Platform',
    prefix: '/platform/v1',
    version: '1.0.0',
    description: 'What the platform itself offers beside the five interfaces.',
    errorShape: 'ErrorMessage',
  },
  authentication: {
    id: 'authentication',
    title: 'Authentication',
    prefix: '/authentication/v1',
    version: '1.0.0',
    description:
      'Issues access tokens to API clients by OAuth 2.0 client credentials: by a login door, and ' +
      'by the standard doors that any OAuth library knows.',
    errorShape: 'ErrorMessage',
  },
};
