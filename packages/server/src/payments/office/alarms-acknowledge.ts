import type { Clock } from '@servery/support/clock.ts';
import { originOf } from '../../audit/origin.ts';
import { ApiError } from '../../http/errors.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { type AlarmDeps, acknowledgeAlarm } from '../alarms/alarms.ts';
import { alarmOnWire } from './alarm-on-wire.ts';

export interface AcknowledgeAlarmDeps extends AlarmDeps {
  readonly realClock: Clock;
}

export const acknowledgeAlarmHandler =
  (deps: AcknowledgeAlarmDeps): HandlerOf<'backOffice.alarms.acknowledge'> =>
  async (request) => {
    const { params, body, reach } = request;
    const note = { reach, note: body.note, origin: originOf(request, deps.realClock) };
    const alarm = await acknowledgeAlarm(deps, params.alarmGuid, note);
    // The same message for a missing alarm and one out of reach.
    if (alarm) return { json: alarmOnWire(alarm) };
    throw new ApiError(
      'notFound',
      "There is no such alarm, or you don't have access to it: check the path.",
    );
  };
