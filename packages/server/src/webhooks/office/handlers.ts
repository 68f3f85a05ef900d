import type { HandlersOf } from '../../http/operation.ts';
import { dropDeliveryHandler } from './deliveries/drop.ts';
import { type GetDeliveryDeps, getDeliveryHandler } from './deliveries/get.ts';
import { listDeliveriesHandler } from './deliveries/list.ts';
import { archiveEndpointHandler } from './endpoints/archive.ts';
import { createEndpointHandler } from './endpoints/create.ts';
import { disableEndpointHandler } from './endpoints/disable.ts';
import { getEndpointHandler } from './endpoints/get.ts';
import { listEndpointsHandler } from './endpoints/list.ts';
import { pauseEndpointHandler } from './endpoints/pause.ts';
import { resumeEndpointHandler } from './endpoints/resume.ts';
import { updateEndpointHandler } from './endpoints/update.ts';
import { replayEventsHandler } from './replay.ts';
import { addSecretHandler } from './secrets/add.ts';
import { revokeSecretHandler } from './secrets/revoke.ts';
import { testEndpointHandler } from './test.ts';
import { type TriggerEventDeps, triggerEventHandler } from './trigger.ts';

export type OfficeWebhookDeps = TriggerEventDeps & GetDeliveryDeps;

export const officeWebhookHandlers = (
  deps: OfficeWebhookDeps,
): HandlersOf<'backOffice.webhooks.'> => ({
  'backOffice.webhooks.endpoints.list': listEndpointsHandler(deps),
  'backOffice.webhooks.endpoints.create': createEndpointHandler(deps),
  'backOffice.webhooks.endpoints.get': getEndpointHandler(deps),
  'backOffice.webhooks.endpoints.update': updateEndpointHandler(deps),
  'backOffice.webhooks.endpoints.pause': pauseEndpointHandler(deps),
  'backOffice.webhooks.endpoints.resume': resumeEndpointHandler(deps),
  'backOffice.webhooks.endpoints.disable': disableEndpointHandler(deps),
  'backOffice.webhooks.endpoints.archive': archiveEndpointHandler(deps),
  'backOffice.webhooks.secrets.add': addSecretHandler(deps),
  'backOffice.webhooks.secrets.revoke': revokeSecretHandler(deps),
  'backOffice.webhooks.test': testEndpointHandler(deps),
  'backOffice.webhooks.replay': replayEventsHandler(deps),
  'backOffice.webhooks.trigger': triggerEventHandler(deps),
  'backOffice.webhooks.deliveries.list': listDeliveriesHandler(deps),
  'backOffice.webhooks.deliveries.get': getDeliveryHandler(deps),
  'backOffice.webhooks.deliveries.drop': dropDeliveryHandler(deps),
});
