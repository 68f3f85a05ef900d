import type { ButtonHTMLAttributes } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon, type IconName } from './icon.tsx';

type Own = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'icon' | 'onClick'>;

export interface ButtonProps extends Own {
  readonly kind?: 'main' | 'danger' | 'quiet' | 'plain';
  readonly icon?: IconName;
  /** With a promise, the button is busy until it settles: a second click does nothing. */
  readonly onClick?: (event: MouseEvent) => unknown;
  readonly isBusy?: boolean;
}

export function Button(props: ButtonProps) {
  const { kind = 'plain', icon, onClick, isBusy = false, children, class: more, ...rest } = props;
  const [isRunning, setRunning] = useState(false);
  const running = useRef(false);
  const isThere = useRef(true);
  useEffect(() => {
    isThere.current = true;
    return () => {
      isThere.current = false;
    };
  }, []);
  const isWaiting = isBusy || isRunning;
  const press = async (event: MouseEvent) => {
    if (running.current || isBusy) {
      event.preventDefault();
      return;
    }
    const result = onClick?.(event);
    if (!(result instanceof Promise)) return;
    running.current = true;
    setRunning(true);
    try {
      await result;
    } finally {
      running.current = false;
      if (isThere.current) setRunning(false);
    }
  };
  const hasText = children !== undefined;
  const names = ['button', kind, hasText ? '' : 'icon', more].filter(Boolean).join(' ');
  return (
    <button
      type="button"
      {...rest}
      class={names}
      aria-busy={isWaiting}
      aria-disabled={isWaiting || undefined}
      onClick={press}
    >
      {isWaiting ? <span class="spinner" /> : icon && <Icon name={icon} />}
      {children}
    </button>
  );
}
