import type { HandlerOf } from '../../http/operation.ts';
import type { LogInDeps } from '../log-in.ts';
import { noStore } from '../oauth-refused.ts';
import { type RevokeTokenDeps, revokeToken } from '../revoke-token.ts';
import { authenticateClient, sentToken } from './authenticate-client.ts';

export type RevokeDeps = LogInDeps & RevokeTokenDeps;

export const revokeHandler =
  (deps: RevokeDeps): HandlerOf<'auth.revoke'> =>
  async (request) => {
    const { client } = await authenticateClient(deps, request);
    await revokeToken(deps, client.clientId, sentToken(request.body), request.nowMs);
    return { json: {}, headers: noStore };
  };
