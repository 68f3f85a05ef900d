import { type AuditEntry, subjectKinds } from '@servery/contract';
import type { Vault } from '@servery/support/secret.ts';
import { ApiError } from '../../http/errors.ts';
import {
  type ListPosition,
  type ListQuery,
  readInstantParameter,
  readListQuery,
  readPageSize,
} from '../../http/list-query.ts';
import type { BackOfficeRequest, OperationHandlers } from '../../http/operation.ts';
import { pageTokens } from '../../http/paging.ts';
import { readGuid, readText } from '../../http/query-values.ts';
import { isoTimestamp } from '../../http/timestamps.ts';
import { type EntryPlace, type EntryRow, listEntries } from '../entry-store.ts';
import { exportAudit } from '../export.ts';
import { type VerifyDeps, verifyAudit } from '../verify.ts';

/** What reading the record of changes leans on. */
export interface AuditRouteDeps extends VerifyDeps {
  /** Authenticates page tokens as well. */
  readonly vault: Vault;
}

const parameters = [
  'actor',
  'operation',
  'subjectKind',
  'subjectId',
  'restaurantGuid',
  'requestId',
  'from',
  'to',
  'pageSize',
] as const;
type Name = (typeof parameters)[number];

/** The operations of the back office on the record of changes. */
export function auditHandlers(
  deps: AuditRouteDeps,
): Pick<OperationHandlers, `backOffice.audit.${'list' | 'export' | 'verify'}`> {
  const { sql } = deps.database;
  const tokens = pageTokens<ListPosition<Name, EntryPlace>>(deps.vault, 'backOffice.audit');
  return {
    'backOffice.audit.list': async (request) => {
      const { query, after } = readListQuery(parameters, request.query, tokens);
      const pageSize = readPageSize(query.pageSize);
      // One more than the page holds tells whether there is a next page.
      const entries = await listEntries(sql, readFilter(query, request), after, pageSize + 1);
      const shown = entries.slice(0, pageSize);
      const last = entries.length > pageSize ? shown.at(-1) : undefined;
      return {
        json: {
          results: shown.map(entryOnWire),
          nextPageToken: last ? tokens.seal({ query, after: placeOf(last) }) : null,
        },
      };
    },
    'backOffice.audit.export': async ({ query }) => ({
      stream: exportAudit(sql, readAfter(query.after)),
    }),
    'backOffice.audit.verify': async () => ({ json: await verifyAudit(deps) }),
  };
}

function readFilter(query: ListQuery<Name>, { reach }: BackOfficeRequest) {
  return {
    reach,
    actor: readText('actor', query.actor),
    operation: readText('operation', query.operation),
    subjectKind: readSubjectKind(query.subjectKind),
    subjectId: readText('subjectId', query.subjectId),
    restaurantGuid: readGuid('restaurantGuid', query.restaurantGuid),
    requestId: readGuid('requestId', query.requestId),
    from: readInstantParameter('from', query.from),
    to: readInstantParameter('to', query.to),
  };
}

function readSubjectKind(text: string | undefined) {
  if (text === undefined) return null;
  const kind = subjectKinds.find((candidate) => candidate === text);
  if (kind) return kind;
  throw new ApiError('badRequest', `subjectKind must be one of ${subjectKinds.join(', ')}.`);
}

function readAfter(text: string | undefined): number {
  const after = /^\d{1,16}$/.test(text ?? '0') ? Number(text ?? '0') : Number.NaN;
  if (Number.isSafeInteger(after)) return after;
  throw new ApiError('badRequest', 'after must be a position of the chain: a whole number from 0.');
}

function placeOf({ at, guid }: EntryRow): EntryPlace {
  return { at: at.toISOString(), guid };
}

function entryOnWire({ at, realAt, ...facts }: EntryRow): AuditEntry {
  return { ...facts, at: isoTimestamp(at), realAt: isoTimestamp(realAt) };
}
