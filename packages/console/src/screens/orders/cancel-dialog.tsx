import type { BackOfficeOrder } from '@servery/contract';
import { useState } from 'preact/hooks';
import { common, orders as texts } from '../../messages.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { type Option, Select } from '../../parts/field.tsx';
import { useRequired } from '../../parts/required.tsx';
import { formatMoney } from '../../platform/format.ts';
import { call } from '../../platform/session.ts';
import type { Place } from './place.ts';
import { cancelMove, isReleased, selectionsOf } from './state.ts';
import { paymentName, sayRefusal } from './words.tsx';

export interface OrderDialogProps {
  readonly order: BackOfficeOrder;
  readonly place: Place;
  readonly onDone: (order: BackOfficeOrder, isByKey: boolean) => void;
  readonly onClose: () => void;
  readonly onConflict: () => void;
}

const REASON_AT_MOST = 200;

/** Says what happens to the payments and the items, before it happens once. */
export function CancelDialog({ order, place, onDone, onClose, onConflict }: OrderDialogProps) {
  const [reason, readReason] = useRequired({
    label: texts.reason,
    hint: texts.reasonHint,
    fault: texts.reasonFault,
    maxLength: REASON_AT_MOST,
    autofocus: true,
  });
  const [voidReason, setVoidReason] = useState('');
  const move = cancelMove(order);
  const { guid, displayNumber, checks } = order.order;
  const title = move === 'reject' ? texts.reject : texts.cancel;
  const payments = checks
    .flatMap((check) => check.payments)
    .filter(({ paymentStatus }) => !isReleased(paymentStatus));
  const isCooked = selectionsOf(order.order).some(
    ({ voided, fulfillmentStatus: status }) => !voided && (status === 'SENT' || status === 'READY'),
  );
  const submit = async (event: MouseEvent) => {
    const body = { reason: readReason() };
    if (guid === null) return;
    const params = { restaurantGuid: place.guid, orderGuid: guid };
    try {
      const changed =
        move === 'reject'
          ? await call('backOffice.orders.reject', { params, body })
          : await call('backOffice.orders.void', {
              params,
              body: { ...body, ...(voidReason && { voidReasonGuid: voidReason }) },
            });
      onDone(changed, event.detail === 0);
    } catch (error) {
      onConflict();
      throw error;
    }
  };
  return (
    <Confirm
      title={texts.about(title, displayNumber)}
      action={title}
      kind="danger"
      keep={texts.keep}
      isDisabled={move === null}
      run={submit}
      sayFailure={sayRefusal}
      onClose={onClose}
    >
      <div class="stack consequences">
        <p>{texts.confirm.cancel}</p>
        <ul>
          {payments.map((payment) => (
            <li key={payment.guid}>
              {(payment.type === 'CREDIT' ? texts.confirm.release : texts.confirm.takeOff)(
                paymentName(payment, place),
                formatMoney(payment.amount + payment.tipAmount, place.currencyCode),
              )}
            </li>
          ))}
          {payments.length === 0 && <li>{texts.confirm.noPayment}</li>}
          <li>{isCooked ? texts.confirm.cooked : texts.confirm.toStock}</li>
        </ul>
      </div>
      {reason}
      {move !== 'reject' && place.voidReasons.length > 0 && (
        <Select
          label={common.optional(texts.voidReason)}
          value={voidReason}
          onValue={setVoidReason}
          options={[
            ['', common.none],
            ...place.voidReasons.map(({ guid: value, name }): Option => [value, name]),
          ]}
        />
      )}
    </Confirm>
  );
}
