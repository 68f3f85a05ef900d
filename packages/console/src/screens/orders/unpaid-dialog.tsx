import { orders as texts } from '../../messages.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { formatMoney } from '../../platform/format.ts';
import type { OrderDialogProps } from './cancel-dialog.tsx';
import { takeStep } from './decide.ts';
import { heldOf, moneyOfOrder } from './state.ts';
import { sayRefusal } from './words.tsx';

/** Nobody gives food away by a tap. */
export function UnpaidDialog({ order, place, onDone, onClose, onConflict }: OrderDialogProps) {
  const { guid, displayNumber } = order.order;
  const money = (amount: number) => formatMoney(amount, place.currencyCode);
  const held = heldOf(order.order);
  const submit = async (event: MouseEvent) => {
    if (guid === null) return;
    try {
      onDone(await takeStep('fulfil', place.guid, guid), event.detail === 0);
    } catch (error) {
      onConflict();
      throw error;
    }
  };
  return (
    <Confirm
      title={texts.about(texts.steps.fulfil, displayNumber)}
      text={texts.confirm.unpaid(money(moneyOfOrder(order.order).due))}
      action={texts.steps.fulfil}
      isDisabled={!order.legalMoves.includes('fulfil')}
      run={submit}
      sayFailure={sayRefusal}
      onClose={onClose}
    >
      {held > 0 && <p>{texts.captures(money(held))}</p>}
    </Confirm>
  );
}
