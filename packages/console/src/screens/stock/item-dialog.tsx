import type { StockItem, StockSetting } from '@servery/contract';
import { useState } from 'preact/hooks';
import { common, stock as texts } from '../../messages.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { say } from '../../parts/toast.tsx';
import { Fault, sayError } from '../../parts/told.tsx';
import { nowMs } from '../../platform/clock.ts';
import { dayOf, formatNear, instantAt } from '../../platform/format.ts';
import type { Board } from './board.ts';
import { describeStock } from './words.ts';

export interface ItemDialogProps {
  readonly board: Board;
  readonly item: StockItem;
  readonly timeZone: string;
  readonly mayChange: boolean;
  readonly onClose: () => void;
}

type Setting = Omit<StockSetting, 'guid'>;

/** What a tap on a tile asks. Out until close is the first answer: two taps, and one to undo. */
export function ItemDialog({ board, item, timeZone, mayChange, onClose }: ItemDialogProps) {
  const [asked, setAsked] = useState<'time' | 'quantity' | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const set = async (setting: Setting) => {
    setFailure(null);
    try {
      const changed = await board.set({ guid: item.guid, ...setting });
      const change = changed.lastChange?.guid;
      const undo = async () => {
        await board.undo(change ?? '');
        say(texts.undone(item.name));
      };
      onClose();
      say(texts.changed(item.name, describeStock(changed, timeZone)), change ? undo : null);
    } catch (error) {
      setFailure(sayError(error));
    }
  };
  const { lastChange } = item;
  const isOut = item.status !== 'IN_STOCK';
  return (
    <Dialog title={item.name} onClose={onClose}>
      <div>
        <p>{describeStock(item, timeZone)}</p>
        {lastChange && (
          <p class="soft small">
            {texts.lastChange(
              lastChange.byName ?? texts.system,
              formatNear(lastChange.at, nowMs.value, timeZone),
            )}
          </p>
        )}
      </div>
      {mayChange ? (
        <div class="answers">
          {isOut && (
            <Button kind="main" onClick={() => set({ status: 'IN_STOCK' })}>
              {texts.backIn}
            </Button>
          )}
          <Button
            kind={isOut ? 'plain' : 'main'}
            onClick={() => set({ status: 'OUT_OF_STOCK', until: 'closeOut' })}
          >
            {texts.untilClose}
          </Button>
          <Button onClick={() => set({ status: 'OUT_OF_STOCK' })}>{texts.untilSaid}</Button>
          <Button
            aria-expanded={asked === 'time'}
            onClick={() => setAsked(asked === 'time' ? null : 'time')}
          >
            {texts.untilTime}
          </Button>
          {asked === 'time' && (
            <TimeForm
              timeZone={timeZone}
              onSet={(until) => set({ status: 'OUT_OF_STOCK', until })}
            />
          )}
          <Button
            aria-expanded={asked === 'quantity'}
            onClick={() => setAsked(asked === 'quantity' ? null : 'quantity')}
          >
            {texts.quantity}
          </Button>
          {asked === 'quantity' && (
            <QuantityForm
              known={item.quantity}
              onSet={(quantity) => set({ status: 'QUANTITY', quantity })}
            />
          )}
        </div>
      ) : (
        <p class="soft">{texts.readOnly}</p>
      )}
      <Fault>{failure}</Fault>
      <div class="actions">
        <Button kind="quiet" onClick={onClose}>
          {common.cancel}
        </Button>
      </div>
    </Dialog>
  );
}

interface TimeFormProps {
  readonly timeZone: string;
  readonly onSet: (until: string) => Promise<void>;
}

const HOUR_MS = 3_600_000;

/** In the time of the restaurant, an hour from now at first. */
function TimeForm({ timeZone, onSet }: TimeFormProps) {
  const soon = nowMs.peek() + HOUR_MS;
  const [date, setDate] = useState(() => dayOf(soon, timeZone));
  const [time, setTime] = useState(() => clockOf(soon, timeZone));
  const [fault, setFault] = useState<string | null>(null);
  const submit = () => {
    const until = date && time ? instantAt(date, time, timeZone) : Number.NaN;
    if (!(until > nowMs.peek())) {
      setFault(texts.timeFault);
      return;
    }
    setFault(null);
    return onSet(new Date(until).toISOString());
  };
  return (
    <div class="more">
      <Field label={texts.date} type="date" value={date} onValue={setDate} />
      <Field label={texts.time} type="time" value={time} onValue={setTime} fault={fault} />
      <Button kind="main" onClick={submit}>
        {texts.save}
      </Button>
    </div>
  );
}

function clockOf(instant: number, timeZone: string): string {
  const options = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone } as const;
  return new Intl.DateTimeFormat('en-GB', options).format(instant);
}

interface QuantityFormProps {
  readonly known: number | null;
  readonly onSet: (quantity: number) => Promise<void>;
}

function QuantityForm({ known, onSet }: QuantityFormProps) {
  const [text, setText] = useState(known === null ? '' : String(known));
  const [fault, setFault] = useState<string | null>(null);
  const submit = () => {
    const quantity = Number(text.replace(',', '.'));
    if (!(quantity > 0)) {
      setFault(texts.quantityFault);
      return;
    }
    setFault(null);
    return onSet(quantity);
  };
  return (
    <form
      class="more"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Field
        label={texts.howMany}
        inputmode="decimal"
        autofocus
        value={text}
        onValue={setText}
        fault={fault}
      />
      <Button kind="main" onClick={submit}>
        {texts.save}
      </Button>
    </form>
  );
}
