import type { Sql } from '../../database/database.ts';
import type { DeliveryKey, DeliveryState } from './delivery-store.ts';

export interface DeliveryOutlook {
  readonly guid: string;
  readonly state: DeliveryState;
  /** Null when only a person's action leads to another attempt. */
  readonly nextAt: Date | null;
}

export async function findDeliveryOutlook(
  sql: Sql,
  { partnerGuid, endpointGuid, place, extra }: DeliveryKey,
): Promise<DeliveryOutlook | null> {
  const [row] = await sql<DeliveryOutlook[]>`
    select d.guid, d.state,
      case when d.state = 'QUEUED' and e.state = 'ACTIVE' then d.due_at
        when d.state = 'QUEUED' and e.state = 'PAUSED' then e.probe_at end as "nextAt"
    from webhook_delivery d
    join webhook_endpoint e on e.partner_guid = d.partner_guid and e.guid = d.endpoint_guid
    where d.partner_guid = ${partnerGuid} and d.endpoint_guid = ${endpointGuid}
      and d.place = ${place} and d.extra = ${extra}`;
  return row ?? null;
}
