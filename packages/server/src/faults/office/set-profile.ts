import type { HandlerOf } from '../../http/operation.ts';
import { deleteRules } from '../fault-store.ts';
import { changeRules, type OrderFaultsDeps, rulesOfProfile, rulesOnWire } from '../order-faults.ts';

export const setProfileHandler =
  (deps: OrderFaultsDeps): HandlerOf<'backOffice.faults.setProfile'> =>
  async (request) => {
    const { profile, seed } = request.body;
    const added = rulesOfProfile(deps, request, profile, seed);
    await changeRules(deps, request, async (sql) => {
      return { added, removed: await deleteRules(sql, null) };
    });
    return { json: await rulesOnWire(deps) };
  };
