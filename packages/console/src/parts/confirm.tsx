import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { common } from '../messages.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { sayError } from './told.tsx';

export interface ConfirmProps {
  readonly title: string;
  /** What the button says; the title if it is absent. */
  readonly action?: string;
  readonly isDanger?: boolean;
  /** Done once, however often the button is pressed. A failure is told, and the dialog stays. */
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
  /** What will happen, and whether it can be undone; fields, if the person must say more. */
  readonly children: ComponentChildren;
}

/** Asks before something happens that changes access or can't be undone. */
export function Confirm(props: ConfirmProps) {
  const { title, action = title, isDanger = false, onConfirm, onClose, children } = props;
  const [failure, setFailure] = useState<string | null>(null);
  const form = useId();
  const confirm = async () => {
    setFailure(null);
    try {
      await onConfirm();
    } catch (error) {
      setFailure(sayError(error));
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form id={form} class="stack" onSubmit={(event) => event.preventDefault()}>
        {children}
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
        <Button kind={isDanger ? 'danger' : 'main'} type="submit" form={form} onClick={confirm}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
