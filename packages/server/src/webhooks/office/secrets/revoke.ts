import type { HandlerOf } from '../../../http/operation.ts';
import { revokeWebhookSecret } from '../../endpoints/endpoints.ts';
import { answerChanged, type ChangeWebhooksDeps } from '../change.ts';

export const revokeSecretHandler =
  (deps: ChangeWebhooksDeps): HandlerOf<'backOffice.webhooks.secrets.revoke'> =>
  (request) =>
    answerChanged(deps, request, (authority) =>
      revokeWebhookSecret(deps, request.params.endpointGuid, request.params.secretGuid, authority),
    );
