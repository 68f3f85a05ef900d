import { ApiError } from '../../http/errors.ts';
import type { HandlerOf } from '../../http/operation.ts';
import type { PeopleDeps } from '../people-deps.ts';
import { deleteView } from '../view-store.ts';

export const deleteViewHandler =
  ({ database }: PeopleDeps): HandlerOf<'backOffice.me.views.delete'> =>
  async ({ caller: { personGuid }, params: { viewGuid } }) => {
    if (!(await deleteView(database.sql, personGuid, viewGuid))) {
      throw new ApiError('notFound', 'You have no such view: check viewGuid in the path.');
    }
    return { json: { viewGuid } };
  };
