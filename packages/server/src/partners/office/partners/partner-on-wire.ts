import type { Partner } from '@servery/contract';
import { isoTimestamp } from '../../../http/timestamps.ts';
import type { PartnerRow } from '../../partner-store.ts';

export function partnerOnWire({ guid, name, description, createdAt }: PartnerRow): Partner {
  return { guid, name, description, createdAt: isoTimestamp(createdAt) };
}
