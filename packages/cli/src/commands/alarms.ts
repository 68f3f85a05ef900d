import type { Alarm } from '@servery/contract';
import { command, type Family } from '../command.ts';
import { words } from '../readers.ts';
import { type Columns, row } from '../shown.ts';
import { guid, limit, required, switchTo, text } from '../values.ts';

const columns: Columns<Alarm> = {
  alarm: 'guid',
  kind: 'kind',
  raised: 'raisedAt',
  restaurant: 'merchantGuid',
  payment: 'paymentUuid',
  explanation: 'explanation',
  acknowledged: ({ acknowledgedAt, acknowledgedBy, note }) =>
    acknowledgedAt === null ? '' : `${acknowledgedAt} by ${acknowledgedBy}: ${note}`,
};
const ACKNOWLEDGE = 'servery alarms acknowledge 0192… --note "called the bank"';

export const alarms: Family = {
  name: 'alarms',
  summary: 'View and acknowledge alarms: payments that a person must look at',
  examples: [ACKNOWLEDGE],
  commands: [
    command({
      name: 'list',
      summary: 'List open alarms, newest first',
      examples: ['servery alarms --all'],
      isDefault: true,
      options: {
        all: {
          ...switchTo('open', undefined, 'include acknowledged alarms'),
          otherwise: () => true,
        },
        limit,
      },
      operation: 'backOffice.alarms.list',
      pages: {
        columns,
        empty: ({ request }) =>
          request.query?.open ? 'No alarm is open.' : 'There are no alarms.',
      },
    }),
    command({
      name: 'acknowledge',
      summary: 'Acknowledge an alarm, with a note',
      examples: [ACKNOWLEDGE],
      arguments: { alarm: guid('alarmGuid', 'an alarm', 'servery alarms') },
      options: { note: required(text('<text>', 'what you found out', words)) },
      operation: 'backOffice.alarms.acknowledge',
      show: (alarm) => row(columns, alarm),
    }),
  ],
};
