import type { Alarm } from '@servery/contract';
import { useState } from 'preact/hooks';
import { payments as texts } from '../../messages.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { PageHead } from '../../parts/page.tsx';
import { useRequired } from '../../parts/required.tsx';
import { say } from '../../parts/toast.tsx';
import { Badge, Empty, Reading } from '../../parts/told.tsx';
import { hrefOf } from '../../platform/address.ts';
import { formatInstant } from '../../platform/format.ts';
import { useLive } from '../../platform/live.ts';
import { restaurantOf } from '../../platform/restaurants.ts';
import { call, holds } from '../../platform/session.ts';

const EVERY_MS = 5_000;
const PAGE = 200;
const NOTE_AT_MOST = 1_000;

/** What a person must decide or look into, newest first. */
export function Alarms() {
  const { state, refresh } = useLive(
    'alarms',
    () => call('backOffice.alarms.list', { query: { open: true, pageSize: PAGE } }),
    EVERY_MS,
  );
  const [chosen, setChosen] = useState<Alarm | null>(null);
  const { value, error, isLive } = state.value;
  return (
    <div class="stack">
      <PageHead title={texts.alarms.title} isLive={isLive} />
      <Reading value={value} error={error} onRetry={refresh} lines={6} />
      {value?.results.length === 0 && (
        <Empty title={texts.alarms.empty}>
          <p>{texts.alarms.emptyMore}</p>
        </Empty>
      )}
      <ol class="stack">
        {value?.results.map((alarm) => (
          <li key={alarm.guid} class="card stack">
            <div class="row">
              <Badge tone="bad">{texts.alarms.kinds[alarm.kind]}</Badge>
              <span class="soft small">
                {restaurantOf(alarm.merchantGuid)?.name ?? '…'},{' '}
                {formatInstant(alarm.raisedAt, restaurantOf(alarm.merchantGuid)?.timeZone)}
              </span>
            </div>
            <p>{alarm.explanation}</p>
            <div class="row">
              <a
                class="button"
                href={hrefOf(`payments/${alarm.merchantGuid}/${alarm.paymentUuid}`)}
              >
                {texts.alarms.open}
              </a>
              {holds('payments.lifecycle:write', alarm.merchantGuid) && (
                <Button onClick={() => setChosen(alarm)}>{texts.alarms.acknowledge}</Button>
              )}
            </div>
          </li>
        ))}
      </ol>
      {chosen && (
        <AcknowledgeDialog alarm={chosen} onDone={refresh} onClose={() => setChosen(null)} />
      )}
    </div>
  );
}

export interface AcknowledgeDialogProps {
  readonly alarm: Alarm;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

export function AcknowledgeDialog({ alarm, onDone, onClose }: AcknowledgeDialogProps) {
  const [note, readNote] = useRequired({
    label: texts.alarms.note,
    hint: texts.alarms.noteHint,
    fault: texts.alarms.noteFault,
    maxLength: NOTE_AT_MOST,
  });
  const acknowledge = async () => {
    const params = { alarmGuid: alarm.guid };
    await call('backOffice.alarms.acknowledge', { params, body: { note: readNote() } });
    say(texts.alarms.acknowledged);
    onDone();
    onClose();
  };
  return (
    <Confirm
      title={texts.alarms.acknowledge}
      text={alarm.explanation}
      run={acknowledge}
      onClose={onClose}
    >
      {note}
    </Confirm>
  );
}
