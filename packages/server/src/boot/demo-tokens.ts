import { systemOrigin } from '../audit/origin.ts';
import { findClient } from '../clients/client-store.ts';
import type { DemoTokenDeps } from '../people/office/sessions-demo-token.ts';
import { demoClientId } from '../sandbox/demo-clients.ts';
import type { Auth } from '../tokens/auth.ts';
import type { Parts } from './parts.ts';

/** Tokens of the sandbox's own accounts, without their secrets. */
export function demoTokens(
  parts: Parts,
  auth: Pick<Auth, 'logInWithoutSecret'>,
): DemoTokenDeps['logInAsDemoAccount'] {
  const { config, database, clock } = parts;
  return async (account) => {
    const clientId = config.kind === 'sandbox' ? demoClientId(config.profile, account) : null;
    const client = clientId && (await findClient(database.sql, clientId));
    if (!client || client.revoked) return null;
    const origin = systemOrigin(parts, 'demo', 'backOffice.sessions.demoToken');
    const accessToken = await auth.logInWithoutSecret(client, clock.nowMs(), origin);
    return { clientId: client.clientId, accessToken };
  };
}
