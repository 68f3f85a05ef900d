import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { common } from '../messages.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Fault, sayError } from './told.tsx';

export interface ConfirmProps {
  readonly title: string;
  /** What will happen, and whether it can be undone. */
  readonly text?: ComponentChildren;
  /** What the button says that does it; the title if it is absent. */
  readonly action?: string;
  readonly kind?: 'main' | 'danger';
  /** What the button says that does nothing. */
  readonly keep?: string;
  readonly isDisabled?: boolean;
  /** Throws what is wrong, or `FaultyForm` if that stands at its field: the dialog then stays. */
  readonly run: (event: MouseEvent) => Promise<unknown>;
  readonly sayFailure?: (error: unknown) => string;
  readonly onClose: () => void;
  /** Fields that it needs. */
  readonly children?: ComponentChildren;
  readonly isWide?: boolean;
}

/** Asks before something is done; it is done once, and a refusal is told in place. */
export function Confirm(props: ConfirmProps) {
  const {
    title,
    text,
    action = title,
    kind = 'main',
    keep = common.cancel,
    isDisabled = false,
    run,
    sayFailure = sayError,
    onClose,
    children,
    isWide = false,
  } = props;
  const [failure, setFailure] = useState<string | null>(null);
  const submit = async (event: MouseEvent) => {
    // What `run` does may remove the form before the browser submits it.
    event.preventDefault();
    setFailure(null);
    try {
      await run(event);
    } catch (error) {
      if (!(error instanceof FaultyForm)) setFailure(sayFailure(error));
    }
  };
  return (
    <Dialog title={title} onClose={onClose} isWide={isWide}>
      <form class="stack">
        {text && <p>{text}</p>}
        {children}
        <Fault>{failure}</Fault>
        <div class="actions">
          <Button kind="quiet" onClick={onClose}>
            {keep}
          </Button>
          <Button kind={kind} type="submit" disabled={isDisabled} onClick={submit}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Thrown by `run` where each fault stands at its field already. */
export class FaultyForm extends Error {}
