import type { Alarm } from '@servery/contract';
import { readPages, segment } from '../back-office.ts';
import { openSession, type RemoteDeps, type RemoteFlags, showJson, showTable } from '../session.ts';
import type { Column } from '../table.ts';
import { moreNotes } from '../verbs/limit.ts';

/** The options of `servery alarms list`. */
export interface AlarmListFlags extends RemoteFlags {
  /** Also the ones that somebody took note of. */
  readonly all?: boolean;
  readonly limit: number;
}

/** The options of `servery alarms acknowledge`. */
export interface AcknowledgeFlags extends RemoteFlags {
  readonly note: string;
}

const columns: readonly Column<Alarm>[] = [
  { title: 'alarm', cell: ({ guid }) => guid },
  { title: 'kind', cell: ({ kind }) => kind },
  { title: 'raised', cell: ({ raisedAt }) => raisedAt },
  { title: 'restaurant', cell: ({ merchantGuid }) => merchantGuid },
  { title: 'payment', cell: ({ paymentUuid }) => paymentUuid },
  { title: 'explanation', cell: ({ explanation }) => explanation, breaks: true },
  { title: 'acknowledged', cell: acknowledgedText, breaks: true },
];

/** `servery alarms list`: what a person has to look at, newest first. */
export async function runAlarmsList(deps: RemoteDeps, flags: AlarmListFlags): Promise<void> {
  const { remote } = await openSession(deps, flags);
  const query = { open: flags.all ? undefined : 'true' };
  const path = '/backoffice/v1/alarms';
  const { results, hasMore } = await readPages<Alarm>(remote, path, query, flags.limit);
  if (flags.json) showJson(deps, results);
  else showTable(deps, columns, results, flags.all ? 'There is no alarm.' : 'No alarm is open.');
  for (const note of moreNotes(hasMore, results.length)) deps.terminal.err.write(`${note}\n`);
}

/** `servery alarms acknowledge ALARM`: says that somebody took note of an alarm. */
export async function runAlarmsAcknowledge(
  deps: RemoteDeps,
  alarmGuid: string,
  flags: AcknowledgeFlags,
): Promise<void> {
  const { remote } = await openSession(deps, flags);
  const path = `/backoffice/v1/alarms/${segment(alarmGuid)}/acknowledge`;
  const alarm = await remote.post<Alarm>(path, { note: flags.note });
  if (flags.json) showJson(deps, alarm);
  else showTable(deps, columns, [alarm], '');
}

function acknowledgedText({ acknowledgedAt, acknowledgedBy, note }: Alarm): string {
  return acknowledgedAt === null ? '' : `${acknowledgedAt} by ${acknowledgedBy}: ${note}`;
}
