import type { HandlerOf } from '../../http/operation.ts';
import { type EditDeps, findTipWithholding } from '../edit-drafts.ts';
import { shown } from './object-in-path.ts';

export const getTipWithholdingHandler =
  ({
    database,
  }: Pick<EditDeps, 'database'>): HandlerOf<'backOffice.configuration.tipWithholding.get'> =>
  async ({ restaurant }) =>
    shown(await findTipWithholding(database.sql, restaurant.guid));
