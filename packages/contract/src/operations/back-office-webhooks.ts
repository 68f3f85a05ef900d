import { partnerEventTypes, webhookDeliveryStates } from '../schemas/back-office-terms.ts';
import { choice, line, uuid } from '../schemas/field.ts';
import { Type } from '../schemas/type.ts';
import { json, prefix, single } from './back-office-parts.ts';
import { operation } from './operation.ts';
import { guid, instantParameter, pageParameters } from './parameters.ts';

const webhooks = { interface: 'backOffice', tag: 'Webhooks' } as const;
const endpointsPath = `${prefix}/webhooks/endpoints`;
const endpointPath = `${endpointsPath}/{endpointGuid}`;
const deliveriesPath = `${prefix}/webhooks/deliveries`;
const deliveryPath = `${deliveriesPath}/{deliveryGuid}`;
const endpointGuid = guid('The endpoint.');
const deliveryGuid = guid('The delivery.');
const exampleUuid = '5f0c1a2e-7b34-4d8a-9c61-000000000120';

const read = { ...webhooks, method: 'GET', scope: 'webhooks:read' } as const;
const write = { ...webhooks, method: 'POST', scope: 'webhooks:write' } as const;
const endpointChange = {
  ...write,
  params: { endpointGuid },
  response: single('WebhookEndpoint'),
} as const;

const endpointRows = [
  operation({
    ...read,
    id: 'backOffice.webhooks.endpoints.list',
    path: endpointsPath,
    summary: 'List webhook endpoints',
    description:
      'Answers the endpoints of the partners for which the scope is held, or all, by pages, the ' +
      'newest first. Archived ones are answered when they are asked for.',
    query: {
      partnerGuid: Type.Optional(uuid('Only endpoints of this partner.', { example: exampleUuid })),
      clientId: Type.Optional(
        line('Only endpoints of this API account.', {
          example: '5f0c1a2e-7b34-4d8a-9c61-000000000070',
        }),
      ),
      state: Type.Optional(
        choice(
          'Only endpoints in this state; all but archived ones without it.',
          ['ACTIVE', 'PAUSED', 'DISABLED', 'ARCHIVED'],
          { example: 'PAUSED' },
        ),
      ),
      ...pageParameters('Endpoints'),
    },
    response: single('WebhookEndpointPage'),
  }),
  operation({
    ...write,
    id: 'backOffice.webhooks.endpoints.create',
    path: endpointsPath,
    summary: 'Create a webhook endpoint',
    description:
      'Adds an address that events of the partner of the account are sent to from now on, and ' +
      'shows its signing secret, this once.',
    requestBody: json('NewWebhookEndpoint'),
    response: single('IssuedWebhookSecret'),
    also: [409, 422],
  }),
  operation({
    ...read,
    id: 'backOffice.webhooks.endpoints.get',
    path: endpointPath,
    summary: 'Get a webhook endpoint',
    description: 'Answers an endpoint with its state, and why it is in it, and with its queue.',
    params: { endpointGuid },
    response: single('WebhookEndpoint'),
    also: [404],
  }),
  operation({
    ...endpointChange,
    id: 'backOffice.webhooks.endpoints.update',
    method: 'PATCH',
    path: endpointPath,
    summary: 'Edit a webhook endpoint',
    description:
      'Changes what the body names (JSON merge patch). What waits goes out by the new settings; ' +
      'which events wait does not change.',
    requestBody: json('WebhookEndpointEdit'),
    also: [404, 409, 422],
  }),
  operation({
    ...endpointChange,
    id: 'backOffice.webhooks.endpoints.pause',
    path: `${endpointPath}/pause`,
    summary: 'Pause a webhook endpoint',
    description:
      'Sends nothing until it is resumed. Events queue meanwhile; none is given up for the pause.',
    requestBody: json('EndWebhookSending'),
    also: [404, 409, 422],
  }),
  operation({
    ...endpointChange,
    id: 'backOffice.webhooks.endpoints.resume',
    path: `${endpointPath}/resume`,
    summary: 'Resume a webhook endpoint',
    description: 'Sends again what was paused or disabled; what waits goes out in its order.',
    also: [404, 409],
  }),
  operation({
    ...endpointChange,
    id: 'backOffice.webhooks.endpoints.disable',
    path: `${endpointPath}/disable`,
    summary: 'Disable a webhook endpoint',
    description:
      'Sends nothing and queues no further events until it is resumed; what waits stays. Events ' +
      'of that time can be replayed.',
    requestBody: json('EndWebhookSending'),
    also: [404, 409, 422],
  }),
  operation({
    ...endpointChange,
    id: 'backOffice.webhooks.endpoints.archive',
    path: `${endpointPath}/archive`,
    summary: 'Archive a webhook endpoint',
    description:
      'Ends the endpoint and its secrets for good; what waits is dropped, and stays visible.',
    also: [404],
  }),
  operation({
    ...endpointChange,
    id: 'backOffice.webhooks.secrets.add',
    path: `${endpointPath}/secrets`,
    summary: 'Add a signing secret',
    description:
      'Makes a second secret and shows it, this once; from now on every attempt is signed with ' +
      'both. At most two live at once.',
    requestBody: json('NewWebhookSecret'),
    response: single('IssuedWebhookSecret'),
    also: [404, 409, 422],
  }),
  operation({
    ...endpointChange,
    id: 'backOffice.webhooks.secrets.revoke',
    path: `${endpointPath}/secrets/{secretGuid}/revoke`,
    summary: 'Revoke a signing secret',
    description: 'Signs with it no more. The last one that lives cannot be revoked: add one first.',
    params: { endpointGuid, secretGuid: guid('The secret.') },
    also: [404, 409],
  }),
  operation({
    ...endpointChange,
    id: 'backOffice.webhooks.test',
    path: `${endpointPath}/test`,
    summary: 'Send a test event',
    description:
      'Queues an event that nothing caused, with made up details, to this endpoint alone. It is ' +
      'in no log of events.',
    requestBody: json('TestWebhook'),
    response: single('WebhookDelivery'),
    also: [404, 409, 422],
  }),
  operation({
    ...endpointChange,
    id: 'backOffice.webhooks.replay',
    path: `${endpointPath}/replay`,
    summary: 'Replay events',
    description:
      'Sends events of the partner to the endpoint again, marked by a header, with the same ' +
      'guid, timestamp and body, in their order; streams of the partner get them too. With ' +
      'dryRun they are only counted. With a requestGuid, asking again does nothing again.',
    requestBody: json('ReplayWebhooks'),
    response: single('WebhookReplay'),
    also: [404, 409, 422],
  }),
] as const;

const partnerRows = [
  operation({
    ...write,
    id: 'backOffice.webhooks.trigger',
    path: `${prefix}/partners/{partnerGuid}/testEvents`,
    summary: 'Make up an event of a partner',
    description:
      'Queues an event that nothing caused, with made up details, to every endpoint of the ' +
      'partner that wants its type, and to its streams. It is in no log of events.',
    params: { partnerGuid: guid('The partner.') },
    requestBody: json('TestWebhook'),
    response: single('SentTestEvent'),
    also: [404, 422],
  }),
] as const;

const deliveryRows = [
  operation({
    ...read,
    id: 'backOffice.webhooks.deliveries.list',
    path: deliveriesPath,
    summary: 'List deliveries',
    description:
      'Answers the deliveries of all endpoints within reach by pages, the newest first: those ' +
      'that fit every filter. Dead letters are those in the state DEAD.',
    query: {
      endpointGuid: Type.Optional(
        uuid('Only deliveries to this endpoint.', { example: exampleUuid }),
      ),
      state: Type.Optional(
        choice('Only deliveries in this state.', webhookDeliveryStates, { example: 'DEAD' }),
      ),
      eventGuid: Type.Optional(uuid('Only deliveries of this event.', { example: exampleUuid })),
      eventType: Type.Optional(
        choice('Only deliveries of events of this type.', partnerEventTypes, {
          example: 'partner_added',
        }),
      ),
      since: instantParameter('Only deliveries that were queued then or later.'),
      ...pageParameters('Deliveries'),
    },
    response: single('WebhookDeliveryPage'),
  }),
  operation({
    ...read,
    id: 'backOffice.webhooks.deliveries.get',
    path: deliveryPath,
    summary: 'Get a delivery',
    description: 'Answers a delivery with its body and with every attempt that was made.',
    params: { deliveryGuid },
    response: single('WebhookDeliveryDetails'),
    also: [404],
  }),
  operation({
    ...write,
    id: 'backOffice.webhooks.deliveries.drop',
    path: `${deliveryPath}/drop`,
    summary: 'Drop a delivery',
    description: 'Gives up a delivery that waits or is a dead letter. It stays visible.',
    params: { deliveryGuid },
    requestBody: json('DropWebhookDelivery'),
    response: single('WebhookDelivery'),
    also: [404, 409, 422],
  }),
] as const;

export const webhooksOperations = [...endpointRows, ...partnerRows, ...deliveryRows] as const;
