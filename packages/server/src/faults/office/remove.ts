import { ApiError } from '../../http/errors.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { deleteRules } from '../fault-store.ts';
import { changeRules, type OrderFaultsDeps, rulesOnWire } from '../order-faults.ts';

export const removeFaultHandler =
  (deps: OrderFaultsDeps): HandlerOf<'backOffice.faults.remove'> =>
  async (request) => {
    await changeRules(deps, request, async (sql) => {
      const removed = await deleteRules(sql, request.params.faultGuid);
      if (removed.length === 0) {
        throw new ApiError('notFound', 'There is no such rule: list the rules to see which exist.');
      }
      return { added: [], removed };
    });
    return { json: await rulesOnWire(deps) };
  };
