import type { HandlerOf } from '../../http/operation.ts';
import { listDemoPeople } from '../demo-sign-in.ts';
import type { PeopleDeps } from '../people-deps.ts';

export const listDemoPeopleHandler =
  ({ database }: PeopleDeps): HandlerOf<'backOffice.sessions.demoPeople'> =>
  async (request) => ({ json: await listDemoPeople(database.sql, request) });
