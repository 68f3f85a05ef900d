import type { HandlerOf } from '../../http/operation.ts';
import { type OrderFaultsDeps, rulesOnWire } from '../order-faults.ts';

export const listFaultsHandler =
  (deps: OrderFaultsDeps): HandlerOf<'backOffice.faults.list'> =>
  async () => ({ json: await rulesOnWire(deps) });
