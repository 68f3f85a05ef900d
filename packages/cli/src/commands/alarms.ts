import type { Alarm } from '@servery/contract';
import { command, type Family } from '../command.ts';
import { guidOf, words } from '../readers.ts';
import { type Columns, rows } from '../shown.ts';
import { argument, as, limit, required, text, toggle } from '../values.ts';

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

/** `servery alarms`. */
export const alarms: Family = {
  name: 'alarms',
  summary: 'View and acknowledge what a person has to look at',
  examples: [ACKNOWLEDGE],
  commands: [
    command({
      name: 'list',
      summary: 'List open alarms, newest first',
      examples: ['servery alarms --all'],
      isDefault: true,
      options: { all: as(null, toggle('acknowledged alarms too')), limit },
      run: async ({ client, options: { all, limit: most } }) => {
        const query = { open: all ? undefined : true };
        const page = await client.list('backOffice.alarms.list', { query }, most);
        const empty = all ? 'There are no alarms.' : 'No alarm is open.';
        return rows(columns, page.results, empty, page.hasMore);
      },
    }),
    command({
      name: 'acknowledge',
      summary: 'Record that you took care of an alarm',
      examples: [ACKNOWLEDGE],
      arguments: {
        alarm: as('alarmGuid', argument('its GUID', guidOf('an alarm', 'servery alarms'))),
      },
      options: { note: required(text('<text>', 'what you found out', words)) },
      operation: 'backOffice.alarms.acknowledge',
      show: (alarm) => ({ ...rows(columns, [alarm], ''), json: alarm }),
    }),
  ],
};
