import type { HandlersOf } from '../../http/operation.ts';
import type { OrderFaultsDeps } from '../order-faults.ts';
import { addFaultHandler } from './add.ts';
import { listFaultsHandler } from './list.ts';
import { removeFaultHandler } from './remove.ts';
import { setProfileHandler } from './set-profile.ts';

export const officeFaultHandlers = (deps: OrderFaultsDeps): HandlersOf<'backOffice.faults.'> => ({
  'backOffice.faults.list': listFaultsHandler(deps),
  'backOffice.faults.add': addFaultHandler(deps),
  'backOffice.faults.remove': removeFaultHandler(deps),
  'backOffice.faults.setProfile': setProfileHandler(deps),
});
