import type { HandlerOf } from '../../http/operation.ts';
import { type EditDeps, findView } from '../edit-drafts.ts';
import { placeIn, shown } from './object-in-path.ts';

export const getObjectHandler =
  ({ database }: Pick<EditDeps, 'database'>): HandlerOf<'backOffice.configuration.objects.get'> =>
  async ({ restaurant, params }) =>
    shown(await findView(database.sql, restaurant.guid, placeIn(params)));
