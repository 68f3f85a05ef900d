import {
  type BackOfficeScope,
  backOfficeScopes,
  csrfHeaderName,
  scopesOfRole,
} from '@servery/contract';
import { systemOrigin } from '../audit/origin.ts';
import { findClient } from '../clients/client-store.ts';
import { encryptForClient } from '../payments/cards/encrypt-for-client.ts';
import { placeOfRole } from '../people/places.ts';
import { sessionCookie } from '../people/session-cookie.ts';
import {
  beginSessionWithoutPassword,
  requireActivePerson,
} from '../people/session-without-password.ts';
import { findDetails, type ReadDetailsDeps } from '../requests/read-details.ts';
import type { ReplayEnvironment, Sender } from '../requests/replay/ports.ts';
import type { Auth } from '../tokens/auth.ts';
import { requireActive } from '../tokens/log-in-without-secret.ts';
import type { Parts } from './parts.ts';

const OPERATION = 'backOffice.requests.replay';

/** What a replay needs of an environment that is open in this process. */
export function replayEnvironment(
  parts: Parts,
  auth: Pick<Auth, 'logInWithoutSecret'>,
  reading: ReadDetailsDeps,
): ReplayEnvironment {
  const { database, clock, realClock, address } = parts;
  const activeClient = async (clientId: string) =>
    requireActive(await findClient(database.sql, clientId), clientId);
  const origin = () => systemOrigin(parts, 'replay', OPERATION);

  async function headersOfPerson(personGuid: string) {
    await requireActivePerson(parts, personGuid);
    const { token, csrfToken, end } = await beginSessionWithoutPassword(
      parts,
      personGuid,
      origin(),
    );
    const [cookie = ''] = sessionCookie({ token: token.reveal(), mark: null }, address.url).split(
      ';',
    );
    return { headers: { cookie, [csrfHeaderName.toLowerCase()]: csrfToken }, signOut: end };
  }

  async function headersOfClient(clientId: string) {
    const client = await activeClient(clientId);
    const token = await auth.logInWithoutSecret(client, clock.nowMs(), origin());
    return { headers: { authorization: `Bearer ${token}` }, signOut: async () => {} };
  }

  return {
    baseUrl: () => address.url,
    async readNowMs() {
      // Another process may have moved it.
      await clock.refresh();
      return clock.nowMs();
    },
    realNowMs: () => realClock.nowMs(),
    async scopesOf(sender: Sender): Promise<readonly BackOfficeScope[]> {
      if (sender.kind === 'nobody') return [];
      if (sender.kind === 'person') {
        const { roles } = await requireActivePerson(parts, sender.personGuid);
        return roles.flatMap((role) => scopesOfRole(role.role, placeOfRole(role).kind));
      }
      const { scopes } = await activeClient(sender.clientId);
      return backOfficeScopes.filter((scope) => scopes.includes(scope));
    },
    async signIn(sender) {
      if (sender.kind === 'person') return await headersOfPerson(sender.personGuid);
      if (sender.kind === 'client') return await headersOfClient(sender.clientId);
      return { headers: {}, signOut: async () => {} };
    },
    encryptCard: (clientId, card, place) => encryptForClient(parts, clientId, card, place),
    findLogged: (mark) => findDetails(reading, mark),
  };
}
