import type { GroupClient } from '../clients/client-store.ts';
import type { ObjectContents } from '../configuration/document/contents.ts';
import type { StoredPartner, WantedConnection } from '../partners/write-store.ts';
import type { RestaurantFields } from '../restaurants/document/check-info.ts';
import type { GroupName } from '../restaurants/write-store.ts';
import type { StoredStock } from '../stock/write-store.ts';

export interface RestaurantContents {
  readonly guid: string;
  readonly info: RestaurantFields;
  readonly objects: readonly ObjectContents[];
  readonly stock: readonly StoredStock[];
}

export type ClientContents = Pick<
  GroupClient,
  'clientId' | 'name' | 'type' | 'partnerGuid' | 'scopes' | 'holdsLegacyCardKey'
>;

export interface GroupContents {
  readonly group: GroupName;
  readonly partners: readonly StoredPartner[];
  readonly clients: readonly ClientContents[] | null;
  readonly restaurants: readonly RestaurantContents[];
  readonly connections: readonly WantedConnection[];
}
