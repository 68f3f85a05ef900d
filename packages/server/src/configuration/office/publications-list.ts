import type { RequestOf } from '@servery/contract';
import type { Vault } from '@servery/support/secret.ts';
import type { Database } from '../../database/database.ts';
import { answerPage, type ListPosition } from '../../http/page.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { pageTokens } from '../../http/paging.ts';
import { listPublications, type PublicationPlace } from '../publication-store.ts';
import { publicationOnWire } from './on-wire.ts';

type Query = RequestOf<'backOffice.configuration.publications.list'>['query'];

/** What the handler needs. */
export interface ListPublicationsDeps {
  readonly database: Database;
  /** Authenticates page tokens. */
  readonly vault: Vault;
}

/** Lists the publications of a restaurant, the newest first. */
export const listPublicationsHandler =
  ({
    database: { sql },
    vault,
  }: ListPublicationsDeps): HandlerOf<'backOffice.configuration.publications.list'> =>
  ({ restaurant: { guid }, query: sent }) => {
    const list = `configuration.publications ${guid}`;
    return answerPage(sent, {
      tokens: pageTokens<ListPosition<Query, PublicationPlace>>(vault, list),
      list: (_query, after, limit) => listPublications(sql, guid, after, limit),
      placeOf: ({ number }) => ({ number }),
      onWire: publicationOnWire,
    });
  };
