import type { HandlerOf } from '../../../http/operation.ts';
import { setEndpointState } from '../../endpoints/endpoints.ts';
import { answerChanged, type ChangeWebhooksDeps } from '../change.ts';

export const pauseEndpointHandler =
  (deps: ChangeWebhooksDeps): HandlerOf<'backOffice.webhooks.endpoints.pause'> =>
  (request) =>
    answerChanged(deps, request, (authority) =>
      setEndpointState(
        deps,
        request.params.endpointGuid,
        { ...request.body, state: 'PAUSED' },
        authority,
      ),
    );
