import type { Database } from '../../database/database.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { findTipWithholding } from '../edit-drafts.ts';
import { shown } from './object-in-path.ts';

export const getTipWithholdingHandler =
  ({
    database,
  }: {
    readonly database: Database;
  }): HandlerOf<'backOffice.configuration.tipWithholding.get'> =>
  async ({ restaurant }) =>
    shown(await findTipWithholding(database.sql, restaurant.guid));
