import type { RequestOf } from '@servery/contract';
import type { HandlerOf } from '../../http/operation.ts';
import { answerPage, type ListDeps, type ListPosition } from '../../http/page.ts';
import { pageTokens } from '../../http/paging.ts';
import { listPublications, type PublicationPlace } from '../publication-store.ts';
import { publicationOnWire } from './on-wire.ts';

type Query = RequestOf<'backOffice.configuration.publications.list'>['query'];

export const listPublicationsHandler =
  ({
    database: { sql },
    vault,
  }: ListDeps): HandlerOf<'backOffice.configuration.publications.list'> =>
  ({ restaurant: { guid }, query: sent }) => {
    const list = `configuration.publications ${guid}`;
    return answerPage(sent, {
      tokens: pageTokens<ListPosition<Query, PublicationPlace>>(vault, list),
      list: (_query, after, limit) => listPublications(sql, guid, after, limit),
      placeOf: ({ number }) => ({ number }),
      onWire: publicationOnWire,
    });
  };
