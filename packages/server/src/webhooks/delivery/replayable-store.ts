import type { Sql } from '../../database/database.ts';

export function isReplayable(sql: Sql): ReturnType<Sql> {
  return sql`d.state = 'DEAD' and d.replayed_by is null and not exists (
    select from webhook_extra x
    where x.partner_guid = d.partner_guid and x.number = d.extra and x.kind = 'TEST')`;
}
