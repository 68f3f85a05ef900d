import type { RequestOf } from '@servery/contract';
import type { Vault } from '@servery/support/secret.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { answerPage, type ListPosition } from '../../http/page.ts';
import { pageTokens } from '../../http/paging.ts';
import { refuseStrangeClientId } from '../../http/strange-client-id.ts';
import { type LogPlace, listRequests } from '../log-store.ts';
import { logRowOnWire } from '../on-wire.ts';
import { type ReadDetailsDeps, writeWaiting } from '../read-details.ts';

type Query = RequestOf<'backOffice.requests.list'>['query'];

export interface ListRequestsDeps extends ReadDetailsDeps {
  readonly vault: Vault;
}

export function listRequestsHandler(deps: ListRequestsDeps): HandlerOf<'backOffice.requests.list'> {
  const { sql } = deps.database;
  const { vault } = deps;
  const tokens = pageTokens<ListPosition<Query, LogPlace>>(vault, 'backOffice.requests');
  return async (request) => {
    refuseStrangeClientId(request);
    const { query: sent, reach } = request;
    await writeWaiting(deps);
    return await answerPage(sent, {
      tokens,
      list: (query, after, limit) => listRequests(sql, { ...query, reach }, after, limit),
      placeOf: ({ realAt, requestId }) => ({ realAt: realAt.toISOString(), requestId }),
      onWire: (row) => logRowOnWire(row, reach),
    });
  };
}
