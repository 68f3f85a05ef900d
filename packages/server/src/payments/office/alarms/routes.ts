import type { Alarm } from '@servery/contract';
import type { Clock } from '@servery/support/clock.ts';
import { parseGuid } from '@servery/support/ids.ts';
import type { Vault } from '@servery/support/secret.ts';
import { originOf } from '../../../audit/origin.ts';
import { readWords } from '../../../http/body-text.ts';
import { ApiError } from '../../../http/errors.ts';
import { type ListPosition, readListQuery, readPageSize } from '../../../http/list-query.ts';
import type { OperationHandlers } from '../../../http/operation.ts';
import { pageTokens } from '../../../http/paging.ts';
import { isoTimestamp } from '../../../http/timestamps.ts';
import { type AlarmPlace, type AlarmRow, listAlarms } from '../../alarms/alarm-store.ts';
import { type AlarmDeps, acknowledgeAlarm } from '../../alarms/alarms.ts';

/** What the operators’ view of alarms leans on. */
export interface AlarmRouteDeps extends AlarmDeps {
  /** For the record of changes. */
  readonly realClock: Clock;
  /** Authenticates page tokens. */
  readonly vault: Vault;
}

/** The query parameters that say what a list holds. */
const parameters = ['open', 'pageSize'] as const;

type AlarmListPosition = ListPosition<(typeof parameters)[number], AlarmPlace>;

const NOTE_LENGTH = 1_000;

/** The operations of the back office on alarms (design/payments.md, REVIEW). */
export function alarmHandlers(
  deps: AlarmRouteDeps,
): Pick<OperationHandlers, `backOffice.alarms.${'list' | 'acknowledge'}`> {
  const { sql } = deps.database;
  const tokens = pageTokens<AlarmListPosition>(deps.vault, 'backOffice.alarms');
  return {
    'backOffice.alarms.list': async (request) => {
      const { query, after } = readListQuery(parameters, request.query, tokens);
      const pageSize = readPageSize(query.pageSize);
      const filter = { reach: request.reach, isOpen: readOpen(query.open) };
      // One more than the page holds tells whether there is a next page.
      const alarms = await listAlarms(sql, filter, after, pageSize + 1);
      const shown = alarms.slice(0, pageSize);
      const last = alarms.length > pageSize ? shown.at(-1) : undefined;
      return {
        json: {
          results: shown.map(alarmOnWire),
          nextPageToken: last ? tokens.seal({ query, after: placeOf(last) }) : null,
        },
      };
    },
    'backOffice.alarms.acknowledge': async (request) => {
      const { params, body, by, reach } = request;
      const note = readWords(body, 'note', NOTE_LENGTH);
      const guid = parseGuid(params.alarmGuid ?? '');
      const origin = originOf(request, deps.realClock);
      const noted = { by, reach, note, origin };
      const alarm = guid === null ? null : await acknowledgeAlarm(deps, guid, noted);
      if (!alarm) throw noSuchAlarm();
      return { json: alarmOnWire(alarm) };
    },
  };
}

function readOpen(text: string | undefined): boolean | null {
  if (text === undefined) return null;
  if (text === 'true' || text === 'false') return text === 'true';
  throw new ApiError('badRequest', 'open must be true or false.');
}

function placeOf({ raisedAt, guid }: AlarmRow): AlarmPlace {
  return { raisedAt: raisedAt.toISOString(), guid };
}

/** The same words for what does not exist and for what is out of reach. */
function noSuchAlarm(): ApiError {
  return new ApiError('notFound', 'There is no such alarm within your reach: check the path.');
}

function alarmOnWire(alarm: AlarmRow): Alarm {
  const { raisedAt, acknowledgedAt } = alarm;
  return {
    ...alarm,
    raisedAt: isoTimestamp(raisedAt),
    acknowledgedAt: acknowledgedAt && isoTimestamp(acknowledgedAt),
  };
}
