import type { HandlersOf } from '../../http/operation.ts';
import { type AddSecretDeps, addSecretHandler } from './add-secret.ts';
import { type CreateClientDeps, createClientHandler } from './create.ts';
import { type GetClientDeps, getClientHandler } from './get.ts';
import { type ListClientsDeps, listClientsHandler } from './list.ts';
import { type RevokeClientDeps, revokeClientHandler } from './revoke.ts';
import { type RevokeSecretDeps, revokeSecretHandler } from './revoke-secret.ts';
import { type UpdateClientDeps, updateClientHandler } from './update.ts';
import { type ClientUsageDeps, clientUsageHandler } from './usage.ts';

export type OfficeClientDeps = ListClientsDeps &
  CreateClientDeps &
  GetClientDeps &
  UpdateClientDeps &
  ClientUsageDeps &
  AddSecretDeps &
  RevokeSecretDeps &
  RevokeClientDeps;

export const officeClientHandlers = (
  deps: OfficeClientDeps,
): HandlersOf<'backOffice.clients.'> => ({
  'backOffice.clients.list': listClientsHandler(deps),
  'backOffice.clients.create': createClientHandler(deps),
  'backOffice.clients.get': getClientHandler(deps),
  'backOffice.clients.update': updateClientHandler(deps),
  'backOffice.clients.usage': clientUsageHandler(deps),
  'backOffice.clients.addSecret': addSecretHandler(deps),
  'backOffice.clients.revokeSecret': revokeSecretHandler(deps),
  'backOffice.clients.revoke': revokeClientHandler(deps),
});
