import type { HandlerOf } from '../../../http/operation.ts';
import { archiveEndpoint } from '../../endpoints/endpoints.ts';
import { answerChanged, type ChangeWebhooksDeps } from '../change.ts';

export const archiveEndpointHandler =
  (deps: ChangeWebhooksDeps): HandlerOf<'backOffice.webhooks.endpoints.archive'> =>
  (request) =>
    answerChanged(deps, request, (authority) =>
      archiveEndpoint(deps, request.params.endpointGuid, authority),
    );
