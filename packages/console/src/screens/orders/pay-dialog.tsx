import type { BackOfficeOrder, Check } from '@servery/contract';
import { useState } from 'preact/hooks';
import { orders as texts } from '../../messages.ts';
import { Confirm, FaultyForm } from '../../parts/confirm.tsx';
import { Field, type Option, Select } from '../../parts/field.tsx';
import { formatMoney } from '../../platform/format.ts';
import { newGuid } from '../../platform/guid.ts';
import { call } from '../../platform/session.ts';
import type { Place } from './place.ts';
import { moneyOf } from './state.ts';
import { sayRefusal } from './words.tsx';

export interface PayDialogProps {
  readonly order: BackOfficeOrder;
  readonly check: Check;
  readonly place: Place;
  readonly onDone: () => void;
  readonly onClose: () => void;
  readonly onConflict: () => void;
}

const CASH = 'CASH';

/** Records what a guest gave at the counter. */
export function PayDialog({ order, check, place, onDone, onClose, onConflict }: PayDialogProps) {
  const { due } = moneyOf(check);
  // The same for each attempt, so that it is recorded once.
  const [guid] = useState(newGuid);
  const [kind, setKind] = useState(CASH);
  const [amount, setAmount] = useState(due > 0 ? String(due) : '');
  const [tip, setTip] = useState('');
  const [given, setGiven] = useState('');
  const [isTold, setTold] = useState(false);
  const money = (value: number) => formatMoney(value, place.currencyCode);
  const sum = numberOf(amount) + (tip === '' ? 0 : numberOf(tip));
  const isGiven = kind === CASH && given !== '';
  const faults = {
    amount: numberOf(amount) > 0 ? null : texts.pay.amountFault,
    tip: tip === '' || numberOf(tip) >= 0 ? null : texts.pay.tipFault,
    given: !isGiven || numberOf(given) >= sum ? null : texts.pay.givenFault,
  };
  const shown = (fault: string | null) => (isTold ? fault : null);
  const change = isGiven ? numberOf(given) - sum : 0;
  const submit = async () => {
    setTold(true);
    if (faults.amount ?? faults.tip ?? faults.given) throw new FaultyForm();
    const { guid: orderGuid } = order.order;
    try {
      await call('backOffice.orders.payments.add', {
        params: {
          restaurantGuid: place.guid,
          orderGuid: orderGuid ?? '',
          checkGuid: check.guid ?? '',
        },
        body: {
          guid,
          amount: numberOf(amount),
          ...(tip !== '' && { tipAmount: numberOf(tip) }),
          ...(isGiven && { amountTendered: numberOf(given) }),
          ...(kind === CASH
            ? { type: 'CASH' as const }
            : { type: 'OTHER' as const, otherPaymentGuid: kind }),
        },
      });
      onDone();
    } catch (error) {
      onConflict();
      throw error;
    }
  };
  return (
    <Confirm
      title={texts.pay.title}
      text={due > 0 ? texts.pay.about(money(due)) : texts.pay.nothingDue}
      action={texts.pay.submit(sum > 0 ? money(sum) : '')}
      run={submit}
      sayFailure={sayRefusal}
      onClose={onClose}
    >
      <Select
        label={texts.pay.kind}
        value={kind}
        onValue={setKind}
        options={[
          [CASH, texts.paymentTypes.CASH],
          ...place.otherPayments.map(({ guid: value, name }): Option => [value, name]),
        ]}
      />
      <Field
        label={texts.pay.amount}
        inputmode="decimal"
        value={amount}
        fault={shown(faults.amount)}
        onValue={setAmount}
      />
      <Field
        label={texts.pay.tip}
        inputmode="decimal"
        value={tip}
        fault={shown(faults.tip)}
        onValue={setTip}
      />
      {kind === CASH && (
        <Field
          label={texts.pay.given}
          hint={change > 0 ? texts.pay.change(money(change)) : undefined}
          inputmode="decimal"
          value={given}
          fault={shown(faults.given)}
          onValue={setGiven}
        />
      )}
    </Confirm>
  );
}

function numberOf(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text.replace(',', '.'));
}
