import { partnerScopes, type RoleName, type Scope, scopesFor } from '@servery/contract';
import type { Clock } from '@servery/support/clock.ts';
import { newGuid } from '@servery/support/ids.ts';
import type { Vault } from '@servery/support/secret.ts';
import { createClient, type NewClientInput } from '../../src/clients/clients.ts';
import type { Database } from '../../src/database/database.ts';
import { updatePassword } from '../../src/people/credential-store.ts';
import { hashPassword } from '../../src/people/password.ts';
import { insertPerson, insertRole } from '../../src/people/person-store.ts';
import { beginSession } from '../../src/people/sessions.ts';
import { sessionOrigin } from '../people/fixture.ts';

/** What the callers of a matrix are made with. */
export interface CallerDeps {
  readonly database: Database;
  readonly vault: Vault;
  readonly realClock: Clock;
  /** The base address of the platform. */
  readonly url: string;
}

/** Where somebody may do something, by the words of the contract. */
export interface AccessPlace {
  readonly kind: 'platform' | 'group' | 'restaurant' | 'partner';
  readonly guid: string | null;
}

/** Somebody who calls: what he is, what he may do where, and what his requests carry. */
export interface AccessCaller {
  readonly name: string;
  readonly kind: 'nobody' | 'person' | 'backOffice' | 'partner' | 'customer';
  readonly role: RoleName | null;
  readonly place: AccessPlace | null;
  /** Only for accounts; a person's follow from the role. */
  readonly scopes: readonly Scope[];
  /** A token of an account, or a session of a person that is kept, as headers of a request. */
  headers(): Promise<CallerHeaders>;
  /** The same, but a person's session is new, for a request that may end it. */
  newHeaders(): Promise<CallerHeaders>;
}

type CallerHeaders = Readonly<Record<string, string>>;

const unnamed = async (): Promise<CallerHeaders> => ({});

/** Who sends no token and no cookie. */
export const nobody: AccessCaller = {
  name: 'nobody',
  kind: 'nobody',
  role: null,
  place: null,
  scopes: [],
  headers: unnamed,
  newHeaders: unnamed,
};

/** Makes a person with a role at a place; null is no role at all. */
export async function makePerson(
  deps: CallerDeps,
  role: RoleName | null,
  place: AccessPlace | null,
): Promise<AccessCaller & { readonly personGuid: string }> {
  const personGuid = await addPerson(deps, role, place);
  const name = role === null ? 'a person without a role' : `${role} of a ${place?.kind}`;
  const newHeaders = async () => {
    const session = await deps.database.transaction((sql) =>
      beginSession(deps, sql, personGuid, sessionOrigin(deps.vault)),
    );
    return {
      cookie: `backoffice_session=${session.token.reveal()}`,
      'x-csrf-token': session.csrfToken,
    };
  };
  let kept: Promise<CallerHeaders> | undefined;
  const headers = () => (kept ??= newHeaders());
  return { personGuid, name, kind: 'person', role, place, scopes: [], headers, newHeaders };
}

let unknownPassword: Promise<string> | null = null;

/** Adds a person with a password that nobody knows, and with a role; gives the GUID. */
export async function addPerson(
  { database: { sql }, realClock }: CallerDeps,
  role: RoleName | null,
  place: AccessPlace | null,
): Promise<string> {
  const guid = newGuid();
  const now = new Date(realClock.nowMs());
  await insertPerson(sql, { guid, email: `${guid}@example.com`, name: 'Ada', createdAt: now });
  unknownPassword ??= hashPassword(newGuid());
  await updatePassword(sql, guid, { passwordHash: await unknownPassword, now });
  if (role === null) return guid;
  const at = (kind: AccessPlace['kind']) => (place?.kind === kind ? place.guid : null);
  await insertRole(sql, guid, {
    guid: newGuid(),
    role,
    managementGroupGuid: at('group'),
    restaurantGuid: at('restaurant'),
    partnerGuid: at('partner'),
    givenAt: now,
    givenBy: 'a test',
  });
  return guid;
}

/** Makes an account with every scope of its kind. */
export async function makeClient(
  deps: CallerDeps,
  kind: 'backOffice' | 'partner' | 'customer',
  place: AccessPlace,
): Promise<AccessCaller> {
  const type = ({ backOffice: 'BACK_OFFICE', partner: 'PARTNER', customer: 'CUSTOMER' } as const)[
    kind
  ];
  // No account of one group may read the metrics, which count what happens in all of them.
  const ofBackOffice = scopesFor('BACK_OFFICE').filter(
    (scope) => place.kind === 'platform' || scope !== 'metrics:read',
  );
  const scopes = kind === 'backOffice' ? ofBackOffice : partnerScopes;
  const authorization = `Bearer ${await tokenOf(deps, {
    name: 'Matrix',
    type,
    scopes,
    ...(kind === 'partner' && { partnerGuid: place.guid }),
    ...(kind !== 'partner' && { managementGroupGuid: place.guid }),
  })}`;
  const name = `a ${type} client of a ${place.kind}`;
  const headers = async () => ({ authorization });
  return { name, kind, role: null, place, scopes, headers, newHeaders: headers };
}

/** Makes an account and gives an access token of it. */
async function tokenOf(deps: CallerDeps, input: NewClientInput): Promise<string> {
  const { database, vault, realClock, url } = deps;
  const { clientId, clientSecret } = await createClient(
    { sql: database.sql, vault },
    input,
    realClock.nowMs(),
  );
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  const response = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { access_token: token } = (await response.json()) as { access_token: string };
  return token;
}
