import type { HandlerOf } from '../../../http/operation.ts';
import { editEndpoint } from '../../endpoints/endpoints.ts';
import { answerChanged, type ChangeWebhooksDeps } from '../change.ts';

export const updateEndpointHandler =
  (deps: ChangeWebhooksDeps): HandlerOf<'backOffice.webhooks.endpoints.update'> =>
  (request) =>
    answerChanged(deps, request, (authority) =>
      editEndpoint(deps, request.params.endpointGuid, request.body, authority),
    );
