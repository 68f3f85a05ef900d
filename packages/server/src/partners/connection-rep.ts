import type { PartnerAccessExternalRep } from '@servery/contract';
import { isoTimestamp } from '../http/timestamps.ts';
import type { ConnectionRow } from './store.ts';

/** PTN-5: an archived restaurant counts as deleted. */
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
