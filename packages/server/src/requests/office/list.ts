import type { RequestOf } from '@servery/contract';
import type { Vault } from '@servery/support/secret.ts';
import type { Database } from '../../database/database.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { answerPage, type ListPosition } from '../../http/page.ts';
import { pageTokens } from '../../http/paging.ts';
import { refuseStrangeClientId } from '../../http/strange-client-id.ts';
import { type LogPlace, listRequests } from '../log-store.ts';
import { logRowOnWire } from '../on-wire.ts';

type Query = RequestOf<'backOffice.requests.list'>['query'];

export interface ListRequestsDeps {
  readonly database: Pick<Database, 'sql'>;
  readonly vault: Vault;
}

export function listRequestsHandler({
  database: { sql },
  vault,
}: ListRequestsDeps): HandlerOf<'backOffice.requests.list'> {
  const tokens = pageTokens<ListPosition<Query, LogPlace>>(vault, 'backOffice.requests');
  return (request) => {
    refuseStrangeClientId(request);
    const { query: sent, reach } = request;
    return answerPage(sent, {
      tokens,
      list: (query, after, limit) => listRequests(sql, { ...query, reach }, after, limit),
      placeOf: ({ realAt, requestId }) => ({ realAt: realAt.toISOString(), requestId }),
      onWire: (row) => logRowOnWire(row, reach),
    });
  };
}
