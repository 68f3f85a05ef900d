import type { HandlerOf } from '../../http/operation.ts';
import type { PeopleDeps } from '../people-deps.ts';
import { listViews } from '../view-store.ts';

export const listViewsHandler =
  ({ database }: PeopleDeps): HandlerOf<'backOffice.me.views.list'> =>
  async ({ caller }) => ({ json: await listViews(database.sql, caller.personGuid) });
