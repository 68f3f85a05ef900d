import { parseGuid } from '@servery/support/ids.ts';
import type { Vault } from '@servery/support/secret.ts';
import type { Database } from '../../database/database.ts';
import { ApiError } from '../../http/errors.ts';
import {
  type ListPosition,
  readInstantParameter,
  readListQuery,
  readPageSize,
} from '../../http/list-query.ts';
import type { BackOfficeRequest, OperationHandlers } from '../../http/operation.ts';
import { pageTokens } from '../../http/paging.ts';
import { readGuid, readText } from '../../http/query-values.ts';
import { isClientId } from '../../text/client-id.ts';
import {
  findRequest,
  type LogFilter,
  type LogPlace,
  type LogRow,
  listRequests,
} from '../log-store.ts';
import { logDetailsOnWire, logRowOnWire } from '../on-wire.ts';
import type { RequestStreams, StreamPlace } from '../streams.ts';

/** What reading the log of requests leans on. */
export interface RequestRouteDeps {
  readonly database: Pick<Database, 'sql'>;
  /** Authenticates page tokens. */
  readonly vault: Vault;
  readonly requestStreams: RequestStreams;
}

const filters = ['clientId', 'personGuid', 'restaurantGuid', 'operation', 'status'] as const;
const parameters = ['requestId', ...filters, 'from', 'to', 'pageSize'] as const;
type Name = (typeof parameters)[number];
type SentFilters = Readonly<Partial<Record<(typeof filters)[number], string | undefined>>>;

const STATUS = /^[1-5](?:[0-9]{2}|xx)$/;
const EVENT_ID = /^(\d{1,15})-(.+)$/;

/** The operations of the back office on the log of requests. */
export function requestHandlers(
  deps: RequestRouteDeps,
): Pick<OperationHandlers, `backOffice.requests.${'list' | 'get' | 'stream'}`> {
  const { sql } = deps.database;
  const tokens = pageTokens<ListPosition<Name, LogPlace>>(deps.vault, 'backOffice.requests');
  return {
    'backOffice.requests.list': async (request) => {
      const { query, after } = readListQuery(parameters, request.query, tokens);
      const pageSize = readPageSize(query.pageSize);
      const filter = {
        ...readFilter(query, request),
        requestId: readGuid('requestId', query.requestId),
        from: readInstantParameter('from', query.from),
        to: readInstantParameter('to', query.to),
      };
      // One more than the page holds tells whether there is a next page.
      const rows = await listRequests(sql, filter, after, pageSize + 1);
      const shown = rows.slice(0, pageSize);
      const last = rows.length > pageSize ? shown.at(-1) : undefined;
      return {
        json: {
          results: shown.map((row) => logRowOnWire(row, request.reach)),
          nextPageToken: last ? tokens.seal({ query, after: placeOf(last) }) : null,
        },
      };
    },
    'backOffice.requests.get': async ({ params, reach }) => {
      const requestId = parseGuid(params.requestId ?? '');
      const row = requestId === null ? null : await findRequest(sql, requestId, reach);
      if (!row) throw noSuchRequest();
      return { json: logDetailsOnWire(row, reach) };
    },
    'backOffice.requests.stream': async (request) => {
      const from = readPlace(request.headers['last-event-id']);
      const { by, reachNow } = request;
      const watch = { by, reachNow, filter: readFilter(request.query, request) };
      return { stream: deps.requestStreams.open(watch, from) };
    },
  };
}

function readFilter(query: SentFilters, { reach }: BackOfficeRequest): LogFilter {
  return {
    reach,
    clientId: readClientId(query.clientId),
    personGuid: readGuid('personGuid', query.personGuid),
    restaurantGuid: readGuid('restaurantGuid', query.restaurantGuid),
    operation: readText('operation', query.operation),
    statuses: readStatuses(query.status),
  };
}

function readClientId(text: string | undefined): string | null {
  if (text === undefined || isClientId(text)) return text ?? null;
  throw new ApiError('badRequest', 'clientId is not one that the platform gives out: check it.');
}

function readStatuses(text: string | undefined): [from: number, to: number] | null {
  if (text === undefined) return null;
  if (!STATUS.test(text)) {
    throw new ApiError('badRequest', 'status must be one such as 403, or a class such as 4xx.');
  }
  const first = Number(text.replace('xx', '00'));
  return [first, text.endsWith('xx') ? first + 99 : first];
}

/** Throws ApiError `badRequest` for what is no identifier of an event of ours. */
function readPlace(header: string | readonly string[] | undefined): StreamPlace | null {
  if (header === undefined || header === '') return null;
  const [, loggedAtMs, rest = ''] = EVENT_ID.exec(String(header)) ?? [];
  const requestId = parseGuid(rest);
  if (requestId !== null) return { loggedAtMs: Number(loggedAtMs), requestId };
  throw new ApiError('badRequest', 'Last-Event-ID is not the id of an event of this stream.');
}

function placeOf({ realAt, requestId }: LogRow): LogPlace {
  return { realAt: realAt.toISOString(), requestId };
}

/** The same words for what does not exist and for what is out of reach. */
function noSuchRequest(): ApiError {
  return new ApiError(
    'notFound',
    'The log has no such request within your reach: check the identifier. Old ones are removed.',
  );
}
