import type { BackOfficeOrder } from '@servery/contract';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { orders as texts } from '../../messages.ts';
import { say } from '../../parts/toast.tsx';
import { CancelDialog } from './cancel-dialog.tsx';
import { takeStep } from './decide.ts';
import type { Place } from './place.ts';
import { isEcho } from './press.ts';
import { moneyOfOrder, type Step, stateOf } from './state.ts';
import { UnpaidDialog } from './unpaid-dialog.tsx';
import { sayRefusal } from './words.tsx';

export interface Acts {
  /** Does it once, or asks first if money is missing. */
  readonly take: (order: BackOfficeOrder, step: Step, event: MouseEvent) => unknown;
  readonly askCancel: (order: BackOfficeOrder) => void;
  /** What is asked now. */
  readonly dialog: JSX.Element | null;
}

export interface ActsOptions {
  readonly place: Place;
  /** As it is now. */
  readonly orderOf: (guid: string) => BackOfficeOrder | undefined;
  readonly onDone: (order: BackOfficeOrder, isByKey: boolean) => void;
  /** An order is not what the page thought. */
  readonly onConflict: () => void;
}

export function useActs({ place, orderOf, onDone, onConflict }: ActsOptions): Acts {
  const [asked, setAsked] = useState<{ kind: 'cancel' | 'unpaid'; guid: string } | null>(null);
  const close = () => setAsked(null);
  const done = (order: BackOfficeOrder, isByKey: boolean) => {
    close();
    onDone(order, isByKey);
    say(texts.changed(order.order.displayNumber, texts.states[stateOf(order)]));
  };
  const take = (order: BackOfficeOrder, step: Step, event: MouseEvent) => {
    const { guid } = order.order;
    if (guid === null || isEcho(event)) return;
    if (step === 'fulfil' && moneyOfOrder(order.order).due > 0) {
      setAsked({ kind: 'unpaid', guid });
      return;
    }
    return takeStep(step, place.guid, guid).then(
      (changed) => done(changed, event.detail === 0),
      (error: unknown) => {
        say(sayRefusal(error));
        onConflict();
      },
    );
  };
  const askCancel = ({ order: { guid } }: BackOfficeOrder) => {
    if (guid !== null) setAsked({ kind: 'cancel', guid });
  };
  const order = asked && orderOf(asked.guid);
  const shared = { place, onClose: close, onConflict, onDone: done };
  const Asked = asked?.kind === 'cancel' ? CancelDialog : UnpaidDialog;
  return { take, askCancel, dialog: order ? <Asked order={order} {...shared} /> : null };
}
