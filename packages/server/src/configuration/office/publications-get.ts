import type { HandlerOf } from '../../http/operation.ts';
import { SHOWN_CHANGES } from '../describe-changes.ts';
import type { EditDeps } from '../edit-drafts.ts';
import { findPublication, listPublicationChanges } from '../publication-store.ts';
import { noSuchPublication } from '../refusals.ts';
import { publicationDetails } from './on-wire.ts';

export const getPublicationHandler =
  ({
    database: { sql },
  }: Pick<EditDeps, 'database'>): HandlerOf<'backOffice.configuration.publications.get'> =>
  async ({ restaurant: { guid }, params }) => {
    const row = await findPublication(sql, guid, params.number);
    if (!row) throw noSuchPublication();
    const changes = await listPublicationChanges(sql, guid, row.number, SHOWN_CHANGES);
    return { json: publicationDetails(row, changes) };
  };
