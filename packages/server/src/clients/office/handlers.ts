import type { ClientType } from '@servery/contract';
import type { Clock } from '@servery/support/clock.ts';
import { parseGuid } from '@servery/support/ids.ts';
import { originOf } from '../../audit/origin.ts';
import type { Sql } from '../../database/database.ts';
import { ApiError } from '../../http/errors.ts';
import type { ListPosition, ListQuery } from '../../http/list-query.ts';
import {
  type Answer,
  type BackOfficeRequest,
  grantsOf,
  type OperationHandlers,
} from '../../http/operation.ts';
import { answerPage } from '../../http/page.ts';
import { pageTokens } from '../../http/paging.ts';
import { readFlagFilter, readGuidFilter, readNameFilter } from '../../http/read-query.ts';
import type { Reach } from '../../reach/reach.ts';
import { isClientId } from '../../text/client-id.ts';
import {
  type ClientFilter,
  type ClientPlace,
  type ClientView,
  listClientViews,
  listSecretViews,
} from '../client-view-store.ts';
import {
  addManagedSecret,
  type ClientAuthority,
  createManagedClient,
  editManagedClient,
  findManaged,
  type IssuedSecret,
  type ManageClientsDeps,
  noSuchManagedClient,
  revokeManagedClient,
  revokeManagedSecret,
} from '../managed-client.ts';
import { readUsage } from './usage.ts';
import { clientOnWire, usageOnWire } from './on-wire.ts';
import { readClientEdit, readDays, readNewClient, readNextSecret } from './read-body.ts';

/** What the administration of API accounts leans on. */
export interface ClientRouteDeps extends ManageClientsDeps {
  readonly realClock: Clock;
}

type Read = 'list' | 'get' | 'usage';
type Change = 'create' | 'update' | 'addSecret' | 'revokeSecret' | 'revoke';
type Handlers<Name extends Read | Change> = Pick<OperationHandlers, `backOffice.clients.${Name}`>;

/** The operations of the back office on API accounts (AUTH-7, AUTH-8, AUTH-9). */
export function clientHandlers(deps: ClientRouteDeps): Handlers<Read | Change> {
  return { ...readingHandlers(deps), ...changingHandlers(deps) };
}

const names = [
  'type',
  'partnerGuid',
  'managementGroupGuid',
  'revoked',
  'name',
  'pageSize',
] as const;
type Name = (typeof names)[number];

function readingHandlers({ database, vault }: ClientRouteDeps): Handlers<Read> {
  const { sql } = database;
  const tokens = pageTokens<ListPosition<Name, ClientPlace>>(vault, 'backOffice.clients');
  return {
    'backOffice.clients.list': ({ query, reach, nowMs }) =>
      answerPage(query, {
        names,
        tokens,
        list: async (asked, after, limit) =>
          withSecrets(sql, await listClientViews(sql, readFilter(asked, reach), after, limit)),
        placeOf: ({ createdAt, clientId }) => ({ createdAt: createdAt.toISOString(), clientId }),
        onWire: (client) => clientOnWire(client, nowMs),
      }),
    'backOffice.clients.get': async (request) => {
      const client = await findManaged(sql, clientIdOf(request), request.reach);
      return { json: clientOnWire(client, request.nowMs) };
    },
    'backOffice.clients.usage': async (request) => {
      const { query, nowMs, reach } = request;
      const days = readDays(query, nowMs);
      const { clientId } = await findManaged(sql, clientIdOf(request), reach);
      return { json: usageOnWire(await readUsage(sql, clientId, days, nowMs)) };
    },
  };
}

function changingHandlers(deps: ClientRouteDeps): Handlers<Change> {
  const authorityOf = (request: BackOfficeRequest): ClientAuthority => ({
    grants: grantsOf(request.caller),
    reach: request.reach,
    origin: originOf(request, deps.realClock),
  });
  return {
    'backOffice.clients.create': async (request) => {
      const draft = readNewClient(request.body, request.nowMs);
      return issued(await createManagedClient(deps, draft, authorityOf(request)), request);
    },
    'backOffice.clients.update': async (request) => {
      const edit = readClientEdit(request.body);
      const clientId = clientIdOf(request);
      const client = await editManagedClient(deps, clientId, edit, authorityOf(request));
      return { json: clientOnWire(client, request.nowMs) };
    },
    'backOffice.clients.addSecret': async (request) => {
      const draft = readNextSecret(request.body, request.nowMs);
      const authority = authorityOf(request);
      return issued(await addManagedSecret(deps, clientIdOf(request), draft, authority), request);
    },
    'backOffice.clients.revokeSecret': async (request) => {
      const secretGuid = parseGuid(request.params.secretGuid ?? '');
      if (secretGuid === null) throw noSuchManagedClient();
      const authority = authorityOf(request);
      const clientId = clientIdOf(request);
      const client = await revokeManagedSecret(deps, clientId, secretGuid, authority);
      return { json: clientOnWire(client, request.nowMs) };
    },
    'backOffice.clients.revoke': async (request) => {
      const authority = authorityOf(request);
      const client = await revokeManagedClient(deps, clientIdOf(request), authority);
      return { json: clientOnWire(client, request.nowMs) };
    },
  };
}

function issued(
  { client, secretGuid, clientSecret }: IssuedSecret,
  { nowMs }: BackOfficeRequest,
): Answer {
  return { json: { client: clientOnWire(client, nowMs), secretGuid, clientSecret } };
}

function readFilter(query: ListQuery<Name>, reach: Reach): ClientFilter {
  return {
    reach,
    type: readType(query.type),
    partnerGuid: readGuidFilter('partnerGuid', query.partnerGuid),
    managementGroupGuid: readGuidFilter('managementGroupGuid', query.managementGroupGuid),
    isRevoked: readFlagFilter('revoked', query.revoked),
    name: readNameFilter(query.name),
  };
}

function readType(text: string | undefined): ClientType | null {
  if (text === undefined) return null;
  if (text === 'PARTNER' || text === 'CUSTOMER' || text === 'BACK_OFFICE') return text;
  throw new ApiError('badRequest', 'type must be PARTNER, CUSTOMER or BACK_OFFICE.');
}

async function withSecrets(sql: Sql, clients: readonly ClientView[]) {
  const ids = clients.map(({ clientId }) => clientId);
  const secrets = Map.groupBy(await listSecretViews(sql, ids), ({ clientId }) => clientId);
  return clients.map((client) => ({ ...client, secrets: secrets.get(client.clientId) ?? [] }));
}

function clientIdOf({ params }: BackOfficeRequest): string {
  const { clientId = '' } = params;
  if (!isClientId(clientId)) throw noSuchManagedClient();
  return clientId;
}
