import type { RequestOf } from '@servery/contract';
import type { Vault } from '@servery/support/secret.ts';
import type { Database } from '../../database/database.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { answerPage, type ListPosition } from '../../http/page.ts';
import { pageTokens } from '../../http/paging.ts';
import { type AlarmPlace, listAlarms } from '../alarms/alarm-store.ts';
import { alarmOnWire } from './alarm-on-wire.ts';

type Query = RequestOf<'backOffice.alarms.list'>['query'];

interface ListAlarmsDeps {
  readonly database: Pick<Database, 'sql'>;
  readonly vault: Vault;
}

export function listAlarmsHandler({
  database: { sql },
  vault,
}: ListAlarmsDeps): HandlerOf<'backOffice.alarms.list'> {
  const tokens = pageTokens<ListPosition<Query, AlarmPlace>>(vault, 'backOffice.alarms');
  return ({ query: sent, reach }) =>
    answerPage(sent, {
      tokens,
      list: ({ open: isOpen = null }, after, limit) =>
        listAlarms(sql, { reach, isOpen }, after, limit),
      placeOf: ({ raisedAt, guid }) => ({ raisedAt: raisedAt.toISOString(), guid }),
      onWire: alarmOnWire,
    });
}
