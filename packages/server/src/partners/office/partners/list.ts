import type { RequestOf } from '@servery/contract';
import type { Vault } from '@servery/support/secret.ts';
import type { Database } from '../../../database/database.ts';
import type { HandlerOf } from '../../../http/operation.ts';
import { answerPage, type ListPosition } from '../../../http/page.ts';
import { pageTokens } from '../../../http/paging.ts';
import type { NamedPlace } from '../../connection-store.ts';
import { listPartners } from '../../partner-store.ts';
import { partnerOnWire } from './partner-on-wire.ts';

type Query = RequestOf<'backOffice.partners.list'>['query'];

export interface ListPartnersDeps {
  readonly database: Database;
  readonly vault: Vault;
}

export function listPartnersHandler({
  database: { sql },
  vault,
}: ListPartnersDeps): HandlerOf<'backOffice.partners.list'> {
  const tokens = pageTokens<ListPosition<Query, NamedPlace>>(vault, 'backOffice.partners');
  return ({ query: sent, reach }) =>
    answerPage(sent, {
      tokens,
      list: (query, after, limit) => listPartners(sql, { ...query, reach }, after, limit),
      placeOf: ({ name, guid }) => ({ name, guid }),
      onWire: partnerOnWire,
    });
}
