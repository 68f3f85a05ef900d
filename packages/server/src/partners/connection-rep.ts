import type { PartnerAccessExternalRep } from '@servery/contract';
import { isoTimestamp } from '../http/timestamps.ts';
import type { ConnectionRow } from './store.ts';

export function connectionRep(row: ConnectionRow): PartnerAccessExternalRep {
  const { createdAt, modifiedAt, ...shown } = row;
  return {
    ...shown,
    modifiedDate: modifiedAt.getTime(),
    createdDate: createdAt.getTime(),
    isoModifiedDate: isoTimestamp(modifiedAt),
    isoCreatedDate: isoTimestamp(createdAt),
  };
}
