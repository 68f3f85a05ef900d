import type { HandlersOf } from '../../../http/operation.ts';
import { type PartnerConnectionsDeps, partnerConnectionsHandler } from './connections.ts';
import { type ChangePartnerDeps, createPartnerHandler } from './create.ts';
import { type PartnerEventsDeps, partnerEventsHandler } from './events.ts';
import { type GetPartnerDeps, getPartnerHandler } from './get.ts';
import { type ListPartnersDeps, listPartnersHandler } from './list.ts';
import { updatePartnerHandler } from './update.ts';

export type OfficePartnerDeps = ListPartnersDeps &
  GetPartnerDeps &
  ChangePartnerDeps &
  PartnerConnectionsDeps &
  PartnerEventsDeps;

export const officePartnerHandlers = (
  deps: OfficePartnerDeps,
): HandlersOf<'backOffice.partners.'> => ({
  'backOffice.partners.list': listPartnersHandler(deps),
  'backOffice.partners.create': createPartnerHandler(deps),
  'backOffice.partners.get': getPartnerHandler(deps),
  'backOffice.partners.update': updatePartnerHandler(deps),
  'backOffice.partners.connections': partnerConnectionsHandler(deps),
  'backOffice.partners.events': partnerEventsHandler(deps),
});
