/** How a row is made: the scope without what it allows, the path, and what is answered. */
type Make<Row> = (
  scope: string,
  path: string,
  answer: string,
  rest?: { readonly method: 'PATCH' },
) => Row;

/** What rows of webhooks are made with. */
interface Makers<Row> {
  readonly look: Make<Row>;
  readonly change: Make<Row>;
  /** Where one partner stands. */
  readonly partner: string;
}

const endpoints = '/backoffice/v1/webhooks/endpoints';
const endpoint = `${endpoints}/{endpointGuid}`;
const deliveries = '/backoffice/v1/webhooks/deliveries';
const delivery = `${deliveries}/{deliveryGuid}`;

/** The operations of the back office on webhooks, transcribed by hand: see operations.ts. */
export function webhookRows<Row>({ look, change, partner }: Makers<Row>): Record<string, Row> {
  const read = (path: string, answer: string) => look('webhooks', path, answer);
  const write = (path: string, answer: string, rest?: { readonly method: 'PATCH' }) =>
    change('webhooks', path, answer, rest);
  const secret = 'IssuedWebhookSecret';
  return {
    'webhooks.endpoints.list': read(endpoints, 'WebhookEndpointPage'),
    'webhooks.endpoints.create': write(endpoints, secret),
    'webhooks.endpoints.get': read(endpoint, 'WebhookEndpoint'),
    'webhooks.endpoints.update': write(endpoint, 'WebhookEndpoint', { method: 'PATCH' }),
    'webhooks.endpoints.pause': write(`${endpoint}/pause`, 'WebhookEndpoint'),
    'webhooks.endpoints.resume': write(`${endpoint}/resume`, 'WebhookEndpoint'),
    'webhooks.endpoints.disable': write(`${endpoint}/disable`, 'WebhookEndpoint'),
    'webhooks.endpoints.archive': write(`${endpoint}/archive`, 'WebhookEndpoint'),
    'webhooks.secrets.add': write(`${endpoint}/secrets`, secret),
    'webhooks.secrets.revoke': write(`${endpoint}/secrets/{secretGuid}/revoke`, 'WebhookEndpoint'),
    'webhooks.test': write(`${endpoint}/test`, 'WebhookDelivery'),
    'webhooks.replay': write(`${endpoint}/replay`, 'WebhookReplay'),
    'webhooks.trigger': write(`${partner}/testEvents`, 'SentTestEvent'),
    'webhooks.deliveries.list': read(deliveries, 'WebhookDeliveryPage'),
    'webhooks.deliveries.get': read(delivery, 'WebhookDeliveryDetails'),
    'webhooks.deliveries.drop': write(`${delivery}/drop`, 'WebhookDelivery'),
  };
}
