import type { Clock } from '@servery/support/clock.ts';
import type { Database } from '../../database/database.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { listPublicCardKeys } from '../cards/card-keys.ts';

interface ListCardEncryptionKeysDeps {
  readonly database: Pick<Database, 'sql'>;
  readonly clock: Clock;
}

export const listCardEncryptionKeysHandler =
  (deps: ListCardEncryptionKeysDeps): HandlerOf<'platform.cardEncryptionKeys.list'> =>
  async ({ principal }) => ({ json: await listPublicCardKeys(deps, principal.clientId) });
