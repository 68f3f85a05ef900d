import { originOf } from '../../audit/origin.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { setTipWithholding } from '../edit-drafts.ts';
import type { EditDeps } from './edit-deps.ts';
import { shown } from './object-in-path.ts';

export const setTipWithholdingHandler =
  (deps: EditDeps): HandlerOf<'backOffice.configuration.tipWithholding.set'> =>
  async (request) => {
    const { restaurant, body } = request;
    const origin = originOf(request, deps.realClock);
    return shown(await setTipWithholding(deps, restaurant.guid, body, origin));
  };
