import { webhookDeliveryStates } from '../schemas/back-office-terms.ts';
import { eventTypes } from '../schemas/event-types.ts';
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
      'Returns pages of the endpoints of the partners for which you hold the scope, or all of them ' +
      'if you hold it for the whole platform, newest first. Archived endpoints are only returned if ' +
      'you ask for that state.',
    query: {
      partnerGuid: Type.Optional(uuid('Only endpoints of this partner.', { example: exampleUuid })),
      clientId: Type.Optional(
        line('Only endpoints of this API account.', {
          example: '5f0c1a2e-7b34-4d8a-9c61-000000000070',
        }),
      ),
      state: Type.Optional(
        choice(
          'Only endpoints in this state. Default: all except archived ones.',
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
      'Creates an endpoint, which receives the events of the partner of the account from now on. ' +
      'Only this response shows its signing secret.',
    requestBody: json('NewWebhookEndpoint'),
    response: single('IssuedWebhookSecret'),
    also: [409, 422],
  }),
  operation({
    ...read,
    id: 'backOffice.webhooks.endpoints.get',
    path: endpointPath,
    summary: 'Get a webhook endpoint',
    description: 'Returns an endpoint with its state, the reason for the state, and its queue.',
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
      'Changes the fields in the body (JSON merge patch). Queued events are sent with the new ' +
      'settings, but the queue itself does not change.',
    requestBody: json('WebhookEndpointEdit'),
    also: [404, 409, 422],
  }),
  operation({
    ...endpointChange,
    id: 'backOffice.webhooks.endpoints.pause',
    path: `${endpointPath}/pause`,
    summary: 'Pause a webhook endpoint',
    description:
      'Stops sending until you resume the endpoint. Meanwhile, events are queued: pausing never ' +
      'turns an event into a dead letter.',
    requestBody: json('EndWebhookSending'),
    also: [404, 409, 422],
  }),
  operation({
    ...endpointChange,
    id: 'backOffice.webhooks.endpoints.resume',
    path: `${endpointPath}/resume`,
    summary: 'Resume a webhook endpoint',
    description:
      'Resumes an endpoint that was paused or disabled. Queued events are sent in their order. ' +
      'Takes no body.',
    also: [404, 409],
  }),
  operation({
    ...endpointChange,
    id: 'backOffice.webhooks.endpoints.disable',
    path: `${endpointPath}/disable`,
    summary: 'Disable a webhook endpoint',
    description:
      'Stops sending and queues no further events until you resume the endpoint. Events that are ' +
      'already queued stay queued. You can replay the events that happened meanwhile.',
    requestBody: json('EndWebhookSending'),
    also: [404, 409, 422],
  }),
  operation({
    ...endpointChange,
    id: 'backOffice.webhooks.endpoints.archive',
    path: `${endpointPath}/archive`,
    summary: 'Archive a webhook endpoint',
    description:
      'Ends the endpoint and its secrets for good. Queued events are dropped and stay visible. ' +
      'Takes no body.',
    also: [404],
  }),
  operation({
    ...endpointChange,
    id: 'backOffice.webhooks.secrets.add',
    path: `${endpointPath}/secrets`,
    summary: 'Add a signing secret',
    description:
      'Creates a second secret, which only this response shows. From now on every attempt is signed ' +
      'with both secrets. An endpoint has at most two live secrets.',
    requestBody: json('NewWebhookSecret'),
    response: single('IssuedWebhookSecret'),
    also: [404, 409, 422],
  }),
  operation({
    ...endpointChange,
    id: 'backOffice.webhooks.secrets.revoke',
    path: `${endpointPath}/secrets/{secretGuid}/revoke`,
    summary: 'Revoke a signing secret',
    description:
      "Stops signing with the secret. You can't revoke the last live secret: add another one first. " +
      'Takes no body.',
    params: { endpointGuid, secretGuid: guid('The secret.') },
    also: [404, 409],
  }),
  operation({
    ...endpointChange,
    id: 'backOffice.webhooks.test',
    path: `${endpointPath}/test`,
    summary: 'Send a test event',
    description:
      'Queues a test event with made-up details for this endpoint only. The log of events does not ' +
      'contain it.',
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
      'Sends events of the partner to the endpoint again, in their order, with the same guid, ' +
      'timestamp, and body, and with a header that marks them as replayed. Streams of the ' +
      'partner receive them too. With dryRun, it only counts them. With a requestGuid, ' +
      'repeating the request sends nothing twice.',
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
    summary: 'Send a test event of a partner',
    description:
      'Queues a test event with made-up details for every endpoint of the partner that receives its ' +
      'type, and for the streams of the partner. The log of events does not contain it.',
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
      'Returns pages of the deliveries that match every filter, to endpoints that you have ' +
      'access to, newest first. Dead letters are deliveries in the state DEAD.',
    query: {
      endpointGuid: Type.Optional(
        uuid('Only deliveries to this endpoint.', { example: exampleUuid }),
      ),
      state: Type.Optional(
        choice('Only deliveries in this state.', webhookDeliveryStates, { example: 'DEAD' }),
      ),
      eventGuid: Type.Optional(uuid('Only deliveries of this event.', { example: exampleUuid })),
      eventType: Type.Optional(
        choice('Only deliveries of events of this type.', eventTypes, {
          example: 'partner_added',
        }),
      ),
      since: instantParameter('Only deliveries queued at this time or later.'),
      ...pageParameters('Deliveries'),
    },
    response: single('WebhookDeliveryPage'),
  }),
  operation({
    ...read,
    id: 'backOffice.webhooks.deliveries.get',
    path: deliveryPath,
    summary: 'Get a delivery',
    description: 'Returns a delivery with its body and its attempts.',
    params: { deliveryGuid },
    response: single('WebhookDeliveryDetails'),
    also: [404],
  }),
  operation({
    ...write,
    id: 'backOffice.webhooks.deliveries.drop',
    path: `${deliveryPath}/drop`,
    summary: 'Drop a delivery',
    description: 'Gives up on a delivery that is queued or a dead letter. It stays visible.',
    params: { deliveryGuid },
    requestBody: json('DropWebhookDelivery'),
    response: single('WebhookDelivery'),
    also: [404, 409, 422],
  }),
] as const;

export const webhooksOperations = [...endpointRows, ...partnerRows, ...deliveryRows] as const;
