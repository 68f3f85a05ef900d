import type { HandlersOf } from '../../http/operation.ts';
import type { ClientAdminDeps } from '../managed-client.ts';
import { addSecretHandler } from './add-secret.ts';
import { createClientHandler } from './create.ts';
import { getClientHandler } from './get.ts';
import { listClientsHandler } from './list.ts';
import { revokeClientHandler } from './revoke.ts';
import { revokeSecretHandler } from './revoke-secret.ts';
import { updateClientHandler } from './update.ts';
import { clientUsageHandler } from './usage.ts';

export const officeClientHandlers = (deps: ClientAdminDeps): HandlersOf<'backOffice.clients.'> => ({
  'backOffice.clients.list': listClientsHandler(deps),
  'backOffice.clients.create': createClientHandler(deps),
  'backOffice.clients.get': getClientHandler(deps),
  'backOffice.clients.update': updateClientHandler(deps),
  'backOffice.clients.usage': clientUsageHandler(deps),
  'backOffice.clients.addSecret': addSecretHandler(deps),
  'backOffice.clients.revokeSecret': revokeSecretHandler(deps),
  'backOffice.clients.revoke': revokeClientHandler(deps),
});
