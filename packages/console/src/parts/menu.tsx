import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { Button, type ButtonProps } from './button.tsx';

export interface MenuProps extends Pick<ButtonProps, 'kind' | 'icon' | 'class' | 'isBusy'> {
  readonly label: string;
  readonly children: ComponentChildren;
  /** What the button shows; the label if it is absent. */
  readonly shown?: ComponentChildren;
  readonly onOpen?: () => void;
}

/** A button that opens a list of things to do or to choose, on the browser's own popover. */
export function Menu({ label, children, shown, onOpen, ...button }: MenuProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const place = (event: ToggleEvent) => {
    const opens = event.newState === 'open';
    setOpen(opens);
    if (!opens || !list.current) return;
    const opener = document.querySelector(`[popovertarget="${id}"]`)?.getBoundingClientRect();
    if (!opener) return;
    const { offsetWidth: width, offsetHeight: height } = list.current;
    const isBelow = opener.bottom + height + 8 < innerHeight || opener.top < height;
    const left = Math.max(
      8,
      Math.min(opener.left, document.documentElement.clientWidth - width - 8),
    );
    list.current.style.left = `${left}px`;
    list.current.style.top = `${isBelow ? opener.bottom + 4 : opener.top - height - 4}px`;
    items(list.current)[0]?.focus();
    onOpen?.();
  };
  return (
    <>
      <Button {...button} popovertarget={id} aria-haspopup="true" aria-expanded={isOpen}>
        {shown === undefined ? (
          <span class="text">{label}</span>
        ) : (
          <>
            <span class="visually-hidden">{label}: </span>
            {shown}
          </>
        )}
      </Button>
      <div
        ref={list}
        id={id}
        class="menu"
        popover="auto"
        role="group"
        aria-label={label}
        onToggle={(event) => place(event as unknown as ToggleEvent)}
        onKeyDown={(event) => list.current && move(list.current, event)}
        onClick={(event) => {
          if ((event.target as Element).closest('.item')) list.current?.hidePopover();
        }}
      >
        {isOpen && children}
      </div>
    </>
  );
}

function items(list: HTMLElement): HTMLElement[] {
  return [...list.querySelectorAll<HTMLElement>('input, .item:not(:disabled)')];
}

function move(list: HTMLElement, event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  const all = items(list);
  const at = all.indexOf(document.activeElement as HTMLElement);
  all[(at + step + all.length) % all.length]?.focus();
  event.preventDefault();
}
