import type { HandlerOf } from '../../../http/operation.ts';
import { answerPage } from '../../../http/page.ts';
import { pageTokens } from '../../../http/paging.ts';
import type { NamedPlace } from '../../connection-store.ts';
import { listPartners } from '../../partner-store.ts';
import type { PartnerAdminDeps } from '../../partners.ts';

export function listPartnersHandler({
  database: { sql },
  vault,
}: PartnerAdminDeps): HandlerOf<'backOffice.partners.list'> {
  const tokens = pageTokens(vault, 'backOffice.partners');
  return ({ query: sent, reach }) =>
    answerPage(sent, {
      tokens,
      list: (query, after: NamedPlace | null, limit) =>
        listPartners(sql, { ...query, reach }, after, limit),
      placeOf: ({ name, guid }) => ({ name, guid }),
      onWire: (partner) => partner,
    });
}
