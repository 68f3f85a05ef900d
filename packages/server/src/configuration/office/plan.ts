import type { HandlerOf } from '../../http/operation.ts';
import { readParsedBody } from '../../http/pipeline/read-request.ts';
import { planFile } from '../apply-file.ts';
import { type ExaminingDeps, examiningFor } from './let-in-again.ts';

export const planHandler =
  (deps: ExaminingDeps): HandlerOf<'backOffice.configuration.plan'> =>
  async (request) => {
    const sent = { restaurantGuid: request.restaurant.guid, body: request.body };
    const plan = await planFile(examiningFor(deps, request), sent, (body) => {
      readParsedBody(request, body);
    });
    return { json: plan };
  };
