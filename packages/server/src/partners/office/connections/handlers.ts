import type { HandlersOf } from '../../../http/operation.ts';
import { type ChangeConnectionDeps, connectHandler } from './connect.ts';
import { disconnectHandler } from './disconnect.ts';
import { type GetConnectionDeps, getConnectionHandler } from './get.ts';
import { type ListConnectionsDeps, listConnectionsHandler } from './list.ts';
import { type ConnectablePartnersDeps, connectablePartnersHandler } from './partners.ts';
import { type TimelineDeps, timelineHandler } from './timeline.ts';
import { updateConnectionHandler } from './update.ts';

export type OfficeConnectionDeps = ListConnectionsDeps &
  ConnectablePartnersDeps &
  GetConnectionDeps &
  ChangeConnectionDeps &
  TimelineDeps;

export const officeConnectionHandlers = (
  deps: OfficeConnectionDeps,
): HandlersOf<'backOffice.connections.'> => ({
  'backOffice.connections.list': listConnectionsHandler(deps),
  'backOffice.connections.connect': connectHandler(deps),
  'backOffice.connections.partners': connectablePartnersHandler(deps),
  'backOffice.connections.get': getConnectionHandler(deps),
  'backOffice.connections.update': updateConnectionHandler(deps),
  'backOffice.connections.disconnect': disconnectHandler(deps),
  'backOffice.connections.timeline': timelineHandler(deps),
});
