import { useState } from 'preact/hooks';
import { common, orders as texts } from '../../messages.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { formatMoney } from '../../platform/format.ts';
import type { OrderDialogProps } from './cancel-dialog.tsx';
import { takeStep } from './decide.ts';
import { heldOf, moneyOfOrder } from './state.ts';
import { sayRefusal } from './words.tsx';

/** Nobody gives food away by a tap. */
export function UnpaidDialog({ order, place, onDone, onClose, onConflict }: OrderDialogProps) {
  const [failure, setFailure] = useState<string | null>(null);
  const { guid, displayNumber } = order.order;
  const money = (amount: number) => formatMoney(amount, place.currencyCode);
  const held = heldOf(order.order);
  const submit = async (event: MouseEvent) => {
    if (guid === null) return;
    setFailure(null);
    try {
      onDone(await takeStep('fulfil', place.guid, guid), event.detail === 0);
    } catch (error) {
      setFailure(sayRefusal(error));
      onConflict();
    }
  };
  return (
    <Dialog title={texts.about(texts.steps.fulfil, displayNumber)} onClose={onClose}>
      <p>{texts.confirm.unpaid(money(moneyOfOrder(order.order).due))}</p>
      {held > 0 && <p>{texts.captures(money(held))}</p>}
      {failure && (
        <p class="fault" role="alert">
          {failure}
        </p>
      )}
      <div class="actions">
        <Button kind="quiet" onClick={onClose}>
          {common.cancel}
        </Button>
        <Button
          kind="main"
          disabled={!order.legalMoves.includes('fulfil')}
          onClick={(event) => submit(event)}
        >
          {texts.steps.fulfil}
        </Button>
      </div>
    </Dialog>
  );
}
