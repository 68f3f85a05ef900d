import type { ReplayWebhooks, WebhookReplay } from '@servery/contract';
import { useState } from 'preact/hooks';
import { webhooks as texts } from '../../messages.ts';
import { Confirm, FaultyForm } from '../../parts/confirm.tsx';
import { Field, Select } from '../../parts/field.tsx';
import { say } from '../../parts/toast.tsx';
import { nowMs } from '../../platform/clock.ts';
import { type Faults, faultsOf } from '../../platform/faults.ts';
import { dayOf, formatCount, instantAt, localZone } from '../../platform/format.ts';
import { newGuid } from '../../platform/guid.ts';
import { call } from '../../platform/session.ts';
import type { EndpointDialogProps } from './endpoint-dialogs.tsx';

type Which = keyof typeof texts.replay.whiches;
type Selection = Pick<ReplayWebhooks, 'which' | 'since' | 'fromPosition' | 'toPosition'>;

const WHOLE = /^\d{1,15}$/;

/** Counts first. What is sent is exactly what was counted, and once, however often it is asked. */
export function ReplayDialog({ endpoint, onDone, onClose }: EndpointDialogProps) {
  const { replay } = texts;
  const [which, setWhich] = useState<Which>('FAILED');
  const [date, setDate] = useState(() => dayOf(nowMs.peek(), localZone));
  const [time, setTime] = useState('00:00');
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [faults, setFaults] = useState<Faults>({});
  const [counted, setCounted] = useState<WebhookReplay | null>(null);
  const [requestGuid] = useState(newGuid);
  const params = { endpointGuid: endpoint.guid };
  const select = (): Selection | null => {
    if (which === 'FAILED') return { which };
    if (which === 'SINCE') {
      const at = date && time ? instantAt(date, time, localZone) : Number.NaN;
      setFaults(Number.isNaN(at) ? { since: replay.since.fault } : {});
      return Number.isNaN(at) ? null : { which, since: new Date(at).toISOString() };
    }
    const isRange = WHOLE.test(from) && WHOLE.test(to) && Number(from) <= Number(to);
    setFaults(isRange ? {} : { toPosition: replay.range.fault });
    return isRange ? { which, fromPosition: Number(from), toPosition: Number(to) } : null;
  };
  const ask = async (isDryRun: boolean) => {
    const selection = select();
    if (selection === null) throw new FaultyForm();
    try {
      const rest = isDryRun ? {} : { requestGuid, expectedCount: counted?.count ?? null };
      const body = { ...selection, dryRun: isDryRun, ...rest };
      const answer = await call('backOffice.webhooks.replay', { params, body });
      if (isDryRun) setCounted(answer);
      else {
        say(replay.sent(answer.count));
        onDone();
      }
    } catch (error) {
      setFaults(faultsOf(error));
      // Another number than the one that was counted: it must be counted again.
      setCounted(null);
      throw error;
    }
  };
  const changed =
    <Value,>(set: (value: Value) => void) =>
    (value: Value) => {
      set(value);
      setCounted(null);
    };
  const mayLeave = counted === null || counted.count === 0;
  return (
    <Confirm
      title={replay.title}
      action={mayLeave ? replay.count : replay.send(counted.count)}
      kind={mayLeave ? 'main' : 'danger'}
      run={() => ask(mayLeave)}
      onClose={onClose}
    >
      <Select
        label={replay.which}
        value={which}
        onValue={changed((value: string) => isWhich(value) && setWhich(value))}
        options={Object.entries(replay.whiches)}
      />
      {which === 'SINCE' && (
        <div class="pair-of-fields">
          <Field
            label={replay.since.date}
            type="date"
            value={date}
            fault={faults.since}
            onValue={changed(setDate)}
          />
          <Field label={replay.since.time} type="time" value={time} onValue={changed(setTime)} />
        </div>
      )}
      {which === 'RANGE' && (
        <div class="pair-of-fields">
          <Field
            label={replay.range.from}
            inputmode="numeric"
            value={from}
            fault={faults.fromPosition}
            onValue={changed(setFrom)}
          />
          <Field
            label={replay.range.to}
            inputmode="numeric"
            value={to}
            fault={faults.toPosition}
            onValue={changed(setTo)}
          />
        </div>
      )}
      {counted && (
        <div class="counted" role="status">
          <strong>{counted.count === 0 ? replay.nothing : replay.counted(counted.count)}</strong>
          {counted.count > 0 && (
            <span>
              {counted.firstPosition !== null &&
                counted.lastPosition !== null &&
                replay.positions(
                  formatCount(counted.firstPosition),
                  formatCount(counted.lastPosition),
                )}{' '}
              {replay.cannotUndo}
            </span>
          )}
        </div>
      )}
    </Confirm>
  );
}

function isWhich(value: string): value is Which {
  return Object.hasOwn(texts.replay.whiches, value);
}
