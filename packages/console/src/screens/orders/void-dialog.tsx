import type { BackOfficeOrder } from '@servery/contract';
import { useState } from 'preact/hooks';
import { common, orders as texts } from '../../messages.ts';
import { Confirm, FaultyForm } from '../../parts/confirm.tsx';
import { Field, type Option, Select } from '../../parts/field.tsx';
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
  const isItem = kind === 'selection';
  const title = isItem ? texts.voidSelection : texts.voidPayment;
  const submit = async () => {
    const isMissing = !isItem && reason.trim() === '';
    setFault(isMissing ? texts.reasonFault : null);
    if (isMissing) throw new FaultyForm();
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
      onConflict();
      throw error;
    }
  };
  return (
    <Confirm
      title={`${title}: ${name}`}
      text={texts.confirm[kind]}
      action={title}
      kind="danger"
      run={submit}
      sayFailure={sayRefusal}
      onClose={onClose}
    >
      {isItem ? (
        <Select
          label={common.optional(texts.voidReason)}
          value={reason}
          onValue={setReason}
          options={[
            ['', common.none],
            ...place.voidReasons.map((each): Option => [each.guid, each.name]),
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
    </Confirm>
  );
}
