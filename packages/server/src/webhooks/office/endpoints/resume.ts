import type { HandlerOf } from '../../../http/operation.ts';
import { setEndpointState } from '../../endpoints/endpoints.ts';
import { answerChanged, type ChangeWebhooksDeps } from '../change.ts';

export const resumeEndpointHandler =
  (deps: ChangeWebhooksDeps): HandlerOf<'backOffice.webhooks.endpoints.resume'> =>
  (request) =>
    answerChanged(deps, request, (authority) =>
      setEndpointState(deps, request.params.endpointGuid, { state: 'ACTIVE' }, authority),
    );
