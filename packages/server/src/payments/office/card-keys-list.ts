import type { Database } from '../../database/database.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { listCardKeys } from '../cards/card-key-store.ts';
import { cardKeyOnWire, requireKeyHolder } from './card-keys.ts';

interface ListCardKeysDeps {
  readonly database: Pick<Database, 'sql'>;
}

export const listCardKeysHandler =
  ({ database: { sql } }: ListCardKeysDeps): HandlerOf<'backOffice.cardKeys.list'> =>
  async ({ params, reach }) => {
    const { clientId } = await requireKeyHolder(sql, params.clientId, reach);
    return { json: (await listCardKeys(sql, clientId)).map(cardKeyOnWire) };
  };
