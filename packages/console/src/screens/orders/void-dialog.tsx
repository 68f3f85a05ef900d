import type { BackOfficeOrder } from '@servery/contract';
import { useState } from 'preact/hooks';
import { common, orders as texts } from '../../messages.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, Select } from '../../parts/field.tsx';
import { call } from '../../platform/session.ts';
import type { Place } from './place.ts';
import { sayRefusal } from './words.tsx';

/** A part of an order that is to be taken off it. */
export interface Voidable {
  readonly kind: 'selection' | 'card' | 'payment';
  readonly guid: string;
  readonly name: string;
}

export interface VoidDialogProps {
  readonly voiding: Voidable;
  readonly order: BackOfficeOrder;
  readonly place: Place;
  readonly onDone: () => void;
  readonly onClose: () => void;
  readonly onConflict: () => void;
}

const REASON_AT_MOST = 200;

export function VoidDialog(props: VoidDialogProps) {
  const { voiding, order, place, onDone, onClose, onConflict } = props;
  const { kind, guid, name } = voiding;
  const [reason, setReason] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const isItem = kind === 'selection';
  const title = isItem ? texts.voidSelection : texts.voidPayment;
  const submit = async () => {
    const isMissing = !isItem && reason.trim() === '';
    setFault(isMissing ? texts.reasonFault : null);
    setFailure(null);
    if (isMissing) return;
    const about = { restaurantGuid: place.guid, orderGuid: order.order.guid ?? '' };
    try {
      if (isItem) {
        const params = { ...about, selectionGuid: guid };
        const body = reason === '' ? {} : { voidReasonGuid: reason };
        await call('backOffice.orders.selections.void', { params, body });
      } else {
        const params = { ...about, paymentGuid: guid };
        await call('backOffice.orders.payments.void', { params, body: { reason: reason.trim() } });
      }
      onDone();
    } catch (error) {
      setFailure(sayRefusal(error));
      onConflict();
    }
  };
  return (
    <Dialog title={`${title}: ${name}`} onClose={onClose}>
      <p>{texts.confirm[kind]}</p>
      <form class="stack" id="void" onSubmit={(event) => event.preventDefault()}>
        {isItem ? (
          <Select
            label={texts.voidReason}
            value={reason}
            onValue={setReason}
            options={[
              { value: '', label: common.none },
              ...place.voidReasons.map((each) => ({ value: each.guid, label: each.name })),
            ]}
          />
        ) : (
          <Field
            label={texts.reason}
            hint={texts.reasonHint}
            maxLength={REASON_AT_MOST}
            value={reason}
            fault={fault}
            onValue={setReason}
          />
        )}
      </form>
      {failure && (
        <p class="fault" role="alert">
          {failure}
        </p>
      )}
      <div class="actions">
        <Button kind="quiet" onClick={onClose}>
          {common.cancel}
        </Button>
        <Button kind="danger" type="submit" form="void" onClick={submit}>
          {title}
        </Button>
      </div>
    </Dialog>
  );
}
