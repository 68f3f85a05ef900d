import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Toasts } from './toast.tsx';

export interface DialogProps {
  readonly title: string;
  /** Absent: the person can't leave it without an answer. */
  readonly onClose?: () => void;
  readonly isWide?: boolean;
  readonly children: ComponentChildren;
}

/** A modal question on the browser's own dialog: it keeps the focus and gives it back. */
export function Dialog({ title, onClose, isWide = false, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = element.current;
    if (dialog && !dialog.open) dialog.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={element}
      class={isWide ? 'dialog wide' : 'dialog'}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose?.();
      }}
    >
      <div class="inside">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
      <Toasts />
    </dialog>
  );
}
