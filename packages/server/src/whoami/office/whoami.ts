import type { HandlerOf } from '../../http/operation.ts';
import { describeCaller, type WhoAmIDeps } from '../describe-caller.ts';

export const officeWhoamiHandler =
  (deps: WhoAmIDeps): HandlerOf<'backOffice.whoami'> =>
  async ({ caller, query, faults }) => ({
    json: await describeCaller(deps, caller, query, faults),
  });
