import type { ApplyConfiguration } from '@servery/contract';
import type { Clock } from '@servery/support/clock.ts';
import { originOf } from '../../audit/origin.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { readParsedBody } from '../../http/pipeline/read-request.ts';
import { applyFile } from '../apply-file.ts';
import type { PublishDeps } from '../publish.ts';
import { examiningFor } from './let-in-again.ts';
import { publicationOnWire } from './on-wire.ts';

export const applyHandler =
  (
    deps: PublishDeps & { readonly realClock: Clock },
  ): HandlerOf<'backOffice.configuration.apply'> =>
  async (request) => {
    const sent = { restaurantGuid: request.restaurant.guid, body: request.body };
    const { plan, publication } = await applyFile(
      examiningFor(deps, request),
      sent,
      (body) => {
        const { expectedState = null, note = null } = readParsedBody<ApplyConfiguration>(
          request,
          body,
        );
        return { expectedState, note };
      },
      originOf(request, deps.realClock),
    );
    return { json: { plan, publication: publication && publicationOnWire(publication) } };
  };
