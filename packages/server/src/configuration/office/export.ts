import type { HandlerOf } from '../../http/operation.ts';
import { exportFile } from '../export-file.ts';
import { type ExaminingDeps, examiningFor } from './let-in-again.ts';

export const exportHandler =
  (deps: ExaminingDeps): HandlerOf<'backOffice.configuration.export'> =>
  async (request) => {
    const { restaurant, query } = request;
    const options = {
      byName: query.references === 'name',
      withArchived: query.archived ?? false,
    };
    return { bytes: await exportFile(examiningFor(deps, request), restaurant.guid, options) };
  };
