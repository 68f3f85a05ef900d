import type { HandlersOf } from '../../../http/operation.ts';
import type { PartnerAdminDeps } from '../../partners.ts';
import { partnerConnectionsHandler } from './connections.ts';
import { createPartnerHandler } from './create.ts';
import { partnerEventsHandler } from './events.ts';
import { getPartnerHandler } from './get.ts';
import { listPartnersHandler } from './list.ts';
import { updatePartnerHandler } from './update.ts';

export const officePartnerHandlers = (
  deps: PartnerAdminDeps,
): HandlersOf<'backOffice.partners.'> => ({
  'backOffice.partners.list': listPartnersHandler(deps),
  'backOffice.partners.create': createPartnerHandler(deps),
  'backOffice.partners.get': getPartnerHandler(deps),
  'backOffice.partners.update': updatePartnerHandler(deps),
  'backOffice.partners.connections': partnerConnectionsHandler(deps),
  'backOffice.partners.events': partnerEventsHandler(deps),
});
