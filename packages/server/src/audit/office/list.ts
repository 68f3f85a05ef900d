import type { HandlerOf } from '../../http/operation.ts';
import { answerPage } from '../../http/page.ts';
import { pageTokens } from '../../http/paging.ts';
import { type EntryPlace, listEntries } from '../entry-store.ts';
import type { AuditDeps } from '../verify.ts';

export function listAuditHandler({
  database: { sql },
  vault,
}: AuditDeps): HandlerOf<'backOffice.audit.list'> {
  const tokens = pageTokens(vault, 'backOffice.audit');
  return ({ query: sent, reach }) =>
    answerPage(sent, {
      tokens,
      list: (query, after: EntryPlace | null, limit) =>
        listEntries(sql, { ...query, reach }, after, limit),
      placeOf: ({ at, guid }) => ({ at: at.toISOString(), guid }),
      onWire: (entry) => entry,
    });
}
