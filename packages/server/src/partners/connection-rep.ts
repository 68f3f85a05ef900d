import type { PartnerAccessExternalRep } from '@servery/contract';
import { isoTimestamp } from '../http/timestamps.ts';
import type { ConnectionRow } from './store.ts';

/** The wire form of a connection. A restaurant that was archived is told as deleted (PTN-5). */
export function connectionRep(row: ConnectionRow): PartnerAccessExternalRep {
  return {
    restaurantGuid: row.restaurantGuid,
    managementGroupGuid: row.managementGroupGuid,
    deleted: row.restaurantArchived,
    restaurantName: row.restaurantName,
    locationName: row.locationName,
    createdByEmailAddress: row.createdByEmail,
    externalGroupRef: row.externalGroupRef,
    externalRestaurantRef: row.externalRestaurantRef,
    modifiedDate: row.modifiedAt.getTime(),
    createdDate: row.createdAt.getTime(),
    isoModifiedDate: isoTimestamp(row.modifiedAt),
    isoCreatedDate: isoTimestamp(row.createdAt),
  };
}
