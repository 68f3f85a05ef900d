import type { BackOfficePayment } from '@servery/contract';
import { useState } from 'preact/hooks';
import { payments as texts } from '../../messages.ts';
import { Confirm, FaultyForm } from '../../parts/confirm.tsx';
import { Field } from '../../parts/field.tsx';
import { say } from '../../parts/toast.tsx';
import { sayError } from '../../parts/told.tsx';
import { formatMoney, parseAmount } from '../../platform/format.ts';
import { GUID } from '../../platform/guid.ts';
import { call, isRefused } from '../../platform/session.ts';

export type Move = BackOfficePayment['legalMoves'][number];

export interface MoveDialogProps {
  readonly move: Move;
  readonly payment: BackOfficePayment;
  readonly onDone: () => void;
  readonly onClose: () => void;
  /** The payment is not what it was: it must be read again. */
  readonly onConflict: () => void;
}

const REASON_AT_MOST = 200;

/** Says what will happen, to how much, and whether it can be undone, before it happens once. */
export function MoveDialog({ move, payment, onDone, onClose, onConflict }: MoveDialogProps) {
  const [text, setText] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const { currencyCode, amount, tipAmount, authorizedAmount } = payment;
  const money = (value: number) => formatMoney(value, currencyCode);
  const tip = parseAmount(text);
  const isLegal = payment.legalMoves.includes(move);
  const total = amount + (move === 'tip' ? (tip ?? tipAmount) : tipAmount);
  // Rounded to what the currency has: 12.3 − 10.1 is not 2.2 in floating point.
  const mostTip = Math.round(((authorizedAmount ?? amount) - amount) * 10_000) / 10_000;
  const submit = async () => {
    const wrong = faultOf(move, text, mostTip, money(mostTip));
    setFault(wrong);
    if (wrong !== null) throw new FaultyForm();
    try {
      const { paymentState } = await send(move, payment, text);
      say(texts.doneSoFar[paymentState] ?? texts.done[move]);
      onDone();
    } catch (error) {
      if (isRefused(error, 409)) onConflict();
      throw error;
    }
  };
  const sayFailure = (error: unknown) =>
    isRefused(error, 409) ? `${texts.changedMeanwhile} ${error.message}` : sayError(error);
  return (
    <Confirm
      title={`${texts.moves[move]}: ${money(total)}`}
      text={texts.confirm[move](money(move === 'void' ? (authorizedAmount ?? total) : total))}
      action={texts.moves[move]}
      kind={move === 'void' ? 'danger' : 'main'}
      isDisabled={!isLegal}
      run={submit}
      sayFailure={sayFailure}
      onClose={onClose}
    >
      {move === 'void' && (
        <Field
          label={texts.reason}
          hint={texts.reasonHint}
          maxLength={REASON_AT_MOST}
          value={text}
          fault={fault}
          onValue={setText}
        />
      )}
      {move === 'apply' && (
        <Field label={texts.checkGuid} value={text} fault={fault} onValue={setText} />
      )}
      {move === 'tip' && (
        <Field
          label={texts.newTip}
          inputmode="decimal"
          value={text}
          fault={fault}
          onValue={setText}
        />
      )}
    </Confirm>
  );
}

function faultOf(move: Move, text: string, mostTip: number, most: string): string | null {
  if (move === 'void' && text.trim() === '') return texts.reasonFault;
  if (move === 'apply' && !GUID.test(text.trim())) return texts.checkFault;
  const isFitting = (parseAmount(text) ?? Number.POSITIVE_INFINITY) <= mostTip;
  return move === 'tip' && !isFitting ? texts.tipFault(most) : null;
}

function send(
  move: Move,
  payment: BackOfficePayment,
  text: string,
): Promise<Pick<BackOfficePayment, 'paymentState'>> {
  const params = { merchantUuid: payment.merchantGuid, paymentUuid: payment.paymentUuid };
  switch (move) {
    case 'void':
      return call('backOffice.payments.void', { params, body: { reason: text.trim() } });
    case 'apply':
      return call('backOffice.payments.apply', { params, body: { checkGuid: text.trim() } });
    case 'tip': {
      const body = { tipAmount: parseAmount(text) ?? 0 };
      return call('backOffice.payments.tip', { params, body });
    }
    case 'fulfil':
      return call('backOffice.payments.fulfil', { params });
    case 'capture':
      return call('backOffice.payments.capture', { params });
  }
}
