import type { Clock } from '@servery/support/clock.ts';
import { parseGuid } from '@servery/support/ids.ts';
import { originOf } from '../../audit/origin.ts';
import { ApiError } from '../../http/errors.ts';
import {
  type ListPosition,
  type ListQuery,
  readListQuery,
  readPageSize,
} from '../../http/list-query.ts';
import type { Answer, BackOfficeRequest, OperationHandlers } from '../../http/operation.ts';
import { pageTokens } from '../../http/paging.ts';
import { readGuidFilter } from '../../http/read-query.ts';
import type { Reach } from '../../reach/reach.ts';
import { isClientId } from '../../text/client-id.ts';
import { noSuchEndpoint } from '../delivery/refusals.ts';
import { disableEndpoint, pauseEndpoint, resumeEndpoint } from '../endpoints/endpoint-state.ts';
import {
  type EndpointFilter,
  type EndpointPlace,
  type EndpointView,
  listEndpoints,
} from '../endpoints/endpoint-store.ts';
import {
  addWebhookSecret,
  archiveEndpoint,
  createEndpoint,
  type EndpointAuthority,
  type EndpointDeps,
  editEndpoint,
  findManagedEndpoint,
  type IssuedWebhookSecret,
  revokeWebhookSecret,
} from '../endpoints/endpoints.ts';
import { readEndpointEdit, readNewEndpoint, readNextSecret, readReason } from './read-body.ts';
import { showEndpoint, showEndpoints } from './show-endpoints.ts';

/** What looking after webhook endpoints leans on. */
export interface EndpointRouteDeps extends EndpointDeps {
  readonly realClock: Clock;
}

type Read = `endpoints.${'list' | 'get'}`;
type Change =
  | `endpoints.${'create' | 'update' | 'pause' | 'resume' | 'disable' | 'archive'}`
  | `secrets.${'add' | 'revoke'}`;
type Handlers<Name extends Read | Change> = Pick<OperationHandlers, `backOffice.webhooks.${Name}`>;

/** The operations of the back office on webhook endpoints and their secrets. */
export function endpointHandlers(deps: EndpointRouteDeps): Handlers<Read | Change> {
  return { ...readingHandlers(deps), ...changingHandlers(deps), ...secretHandlers(deps) };
}

/** The endpoint that the path names. Throws the 404 of one that is not there. */
export function endpointGuidOf({ params }: Pick<BackOfficeRequest, 'params'>): string {
  const guid = parseGuid(params.endpointGuid ?? '');
  if (guid === null) throw noSuchEndpoint();
  return guid;
}

/** In whose name a request changes something, and where it may. */
export function authorityOf(request: BackOfficeRequest, realClock: Clock): EndpointAuthority {
  return { reach: request.reach, origin: originOf(request, realClock) };
}

const names = ['partnerGuid', 'clientId', 'state', 'pageSize'] as const;
type Name = (typeof names)[number];

function readingHandlers({ database, vault }: EndpointRouteDeps): Handlers<Read> {
  const { sql } = database;
  const tokens = pageTokens<ListPosition<Name, EndpointPlace>>(vault, 'backOffice.webhooks');
  return {
    'backOffice.webhooks.endpoints.list': async (request) => {
      const { query, after } = readListQuery(names, request.query, tokens);
      const pageSize = readPageSize(query.pageSize);
      const filter = readFilter(query, request.reach);
      // One more than the page holds tells whether there is a next page.
      const rows = await listEndpoints(sql, filter, after, pageSize + 1);
      const shown = rows.slice(0, pageSize);
      const last = rows.length > pageSize ? shown.at(-1) : undefined;
      const results = await showEndpoints(sql, shown, request.nowMs);
      const nextPageToken = last ? tokens.seal({ query, after: placeOf(last) }) : null;
      return { json: { results, nextPageToken } };
    },
    'backOffice.webhooks.endpoints.get': async (request) => {
      const endpoint = await findManagedEndpoint(sql, endpointGuidOf(request), request.reach);
      return { json: await showEndpoint(sql, endpoint, request.nowMs) };
    },
  };
}

function changingHandlers(
  deps: EndpointRouteDeps,
): Handlers<Exclude<Change, `secrets.${'add' | 'revoke'}`>> {
  const { sql } = deps.database;
  const shown = async (request: BackOfficeRequest, endpoint: EndpointView) => ({
    json: await showEndpoint(sql, endpoint, request.nowMs),
  });
  const authority = (request: BackOfficeRequest) => authorityOf(request, deps.realClock);
  return {
    'backOffice.webhooks.endpoints.create': async (request) => {
      const draft = readNewEndpoint(request.body, request.nowMs);
      return issued(deps, request, await createEndpoint(deps, draft, authority(request)));
    },
    'backOffice.webhooks.endpoints.update': async (request) => {
      const edit = readEndpointEdit(request.body);
      const guid = endpointGuidOf(request);
      return shown(request, await editEndpoint(deps, guid, edit, authority(request)));
    },
    'backOffice.webhooks.endpoints.pause': async (request) => {
      const reason = readReason(request.body);
      const guid = endpointGuidOf(request);
      return shown(request, await pauseEndpoint(deps, guid, reason, authority(request)));
    },
    'backOffice.webhooks.endpoints.disable': async (request) => {
      const reason = readReason(request.body);
      const guid = endpointGuidOf(request);
      return shown(request, await disableEndpoint(deps, guid, reason, authority(request)));
    },
    'backOffice.webhooks.endpoints.resume': async (request) => {
      const guid = endpointGuidOf(request);
      return shown(request, await resumeEndpoint(deps, guid, authority(request)));
    },
    'backOffice.webhooks.endpoints.archive': async (request) => {
      const guid = endpointGuidOf(request);
      return shown(request, await archiveEndpoint(deps, guid, authority(request)));
    },
  };
}

function secretHandlers(deps: EndpointRouteDeps): Handlers<`secrets.${'add' | 'revoke'}`> {
  return {
    'backOffice.webhooks.secrets.add': async (request) => {
      const draft = readNextSecret(request.body, request.nowMs);
      const authority = authorityOf(request, deps.realClock);
      const guid = endpointGuidOf(request);
      return issued(deps, request, await addWebhookSecret(deps, guid, draft, authority));
    },
    'backOffice.webhooks.secrets.revoke': async (request) => {
      const secretGuid = parseGuid(request.params.secretGuid ?? '');
      if (secretGuid === null) throw noSuchEndpoint();
      const authority = authorityOf(request, deps.realClock);
      const guid = endpointGuidOf(request);
      const endpoint = await revokeWebhookSecret(deps, guid, secretGuid, authority);
      return { json: await showEndpoint(deps.database.sql, endpoint, request.nowMs) };
    },
  };
}

async function issued(
  { database }: EndpointRouteDeps,
  { nowMs }: BackOfficeRequest,
  { endpoint, secretGuid, secret }: IssuedWebhookSecret,
): Promise<Answer> {
  const shown = await showEndpoint(database.sql, endpoint, nowMs);
  return { json: { endpoint: shown, secretGuid, secret } };
}

function placeOf({ createdAt, guid }: EndpointView): EndpointPlace {
  return { createdAt: createdAt.toISOString(), guid };
}

const states = ['ACTIVE', 'PAUSED', 'DISABLED', 'ARCHIVED'] as const;

function readFilter(query: ListQuery<Name>, reach: Reach): EndpointFilter {
  const { clientId = null } = query;
  if (clientId !== null && !isClientId(clientId)) {
    throw new ApiError('badRequest', 'clientId is not one that the platform gives out: check it.');
  }
  const state = states.find((one) => one === query.state) ?? null;
  if (query.state !== undefined && state === null) {
    throw new ApiError('badRequest', `state must be one of ${states.join(', ')}.`);
  }
  const partnerGuid = readGuidFilter('partnerGuid', query.partnerGuid);
  return { reach, partnerGuid, clientId, state };
}
