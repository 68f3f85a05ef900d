import type { AuditEntry, RequestOf } from '@servery/contract';
import type { Vault } from '@servery/support/secret.ts';
import type { Database } from '../../database/database.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { answerPage, type ListPosition } from '../../http/page.ts';
import { pageTokens } from '../../http/paging.ts';
import { isoTimestamp } from '../../http/timestamps.ts';
import { type EntryPlace, type EntryRow, listEntries } from '../entry-store.ts';

type Query = RequestOf<'backOffice.audit.list'>['query'];

export interface ListAuditDeps {
  readonly database: Pick<Database, 'sql'>;
  readonly vault: Vault;
}

export function listAuditHandler({
  database: { sql },
  vault,
}: ListAuditDeps): HandlerOf<'backOffice.audit.list'> {
  const tokens = pageTokens<ListPosition<Query, EntryPlace>>(vault, 'backOffice.audit');
  return ({ query: sent, reach }) =>
    answerPage(sent, {
      tokens,
      list: (query, after, limit) => listEntries(sql, { ...query, reach }, after, limit),
      placeOf: ({ at, guid }) => ({ at: at.toISOString(), guid }),
      onWire: entryOnWire,
    });
}

function entryOnWire({ at, realAt, ...facts }: EntryRow): AuditEntry {
  return { ...facts, at: isoTimestamp(at), realAt: isoTimestamp(realAt) };
}
