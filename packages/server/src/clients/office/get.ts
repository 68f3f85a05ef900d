import type { HandlerOf } from '../../http/operation.ts';
import { type ClientAdminDeps, findManaged } from '../managed-client.ts';
import { clientOnWire } from './on-wire.ts';

export const getClientHandler =
  ({ database: { sql } }: ClientAdminDeps): HandlerOf<'backOffice.clients.get'> =>
  async ({ params, reach, nowMs }) => ({
    json: clientOnWire(await findManaged(sql, params.clientId, reach), nowMs),
  });
