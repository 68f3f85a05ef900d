import type { HandlersOf } from '../../../http/operation.ts';
import type { ConnectionAdminDeps } from '../../connections.ts';
import { connectHandler } from './connect.ts';
import { disconnectHandler } from './disconnect.ts';
import { getConnectionHandler } from './get.ts';
import { listConnectionsHandler } from './list.ts';
import { connectablePartnersHandler } from './partners.ts';
import { timelineHandler } from './timeline.ts';
import { updateConnectionHandler } from './update.ts';

export const officeConnectionHandlers = (
  deps: ConnectionAdminDeps,
): HandlersOf<'backOffice.connections.'> => ({
  'backOffice.connections.list': listConnectionsHandler(deps),
  'backOffice.connections.connect': connectHandler(deps),
  'backOffice.connections.partners': connectablePartnersHandler(deps),
  'backOffice.connections.get': getConnectionHandler(deps),
  'backOffice.connections.update': updateConnectionHandler(deps),
  'backOffice.connections.disconnect': disconnectHandler(deps),
  'backOffice.connections.timeline': timelineHandler(deps),
});
