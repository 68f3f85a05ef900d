import type { Database } from '../../database/database.ts';
import { type HandlerOf, partnerOf } from '../../http/operation.ts';
import { connectionRep } from '../connection-rep.ts';
import { listConnections } from '../store.ts';
import { readLastModified } from './last-modified.ts';

export interface PartnerRestaurantsDeps {
  readonly database: Database;
}

export const partnerRestaurantsHandler =
  ({ database: { sql } }: PartnerRestaurantsDeps): HandlerOf<'partners.restaurants.list'> =>
  async ({ principal, query }) => {
    const modifiedAfter = readLastModified(query.lastModified);
    const filter = { partnerGuid: partnerOf(principal), modifiedAfter };
    const { connections } = await listConnections(sql, filter, { after: null, limit: null });
    return { json: connections.map(connectionRep) };
  };
