import type { HandlerOf } from '../../http/operation.ts';
import { describeCaller, type WhoAmIDeps } from '../describe-caller.ts';

export const partnerWhoamiHandler =
  (deps: WhoAmIDeps): HandlerOf<'platform.whoami'> =>
  async ({ principal, query, faults }) => ({
    json: await describeCaller(deps, principal, query, faults),
  });
