import type { Database } from '../../database/database.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { findView } from '../edit-drafts.ts';
import { placeIn, shown } from './object-in-path.ts';

export const getObjectHandler =
  ({
    database,
  }: {
    readonly database: Database;
  }): HandlerOf<'backOffice.configuration.objects.get'> =>
  async ({ restaurant, params }) =>
    shown(await findView(database.sql, restaurant.guid, placeIn(params)));
