import { signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { common } from '../messages.ts';
import { after } from '../platform/present.ts';
import { Button } from './button.tsx';
import { sayError } from './told.tsx';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly undo: (() => Promise<unknown>) | null;
}

const TEN_SECONDS_MS = 10_000;

const toasts = signal<readonly Toast[]>([]);
let made = 0;

/** Says what was done, for ten seconds: as long as it can be undone with one tap. */
export function say(text: string, undo: (() => Promise<unknown>) | null = null): void {
  made += 1;
  const toast = { id: made, text, undo };
  toasts.value = [...toasts.value.slice(-2), toast];
  after(TEN_SECONDS_MS, () => remove(toast.id));
}

const NEXT = 'console-said';

/** Says it on the page that this one is about to make room for. */
export function sayNext(text: string): void {
  sessionStorage.setItem(NEXT, text);
}

export function sayFailed(error: unknown): void {
  say(sayError(error));
}

function remove(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

/** The last one shows what was said since it opened: a modal dialog makes all outside of it inert. */
const places = signal<readonly symbol[]>([]);

/** The page has one, and each dialog has one in its flow: there, they lie over no button. */
export function Toasts() {
  const [place] = useState(Symbol);
  // A dialog asks about something else than what was said before.
  const [madeBefore] = useState(made);
  useLayoutEffect(() => {
    places.value = [...places.value, place];
    return () => {
      places.value = places.value.filter((each) => each !== place);
    };
  }, []);
  useEffect(() => {
    const text = sessionStorage.getItem(NEXT);
    sessionStorage.removeItem(NEXT);
    if (text !== null) say(text);
  }, []);
  const isLast = places.value.at(-1) === place;
  const shown = isLast ? toasts.value.filter(({ id }) => id > madeBefore) : [];
  return (
    <div class="toasts" role="status" aria-live="polite">
      {shown.map(({ id, text, undo }) => (
        <div key={id} class="toast">
          <span>{text}</span>
          {undo && (
            <Button
              onClick={() => {
                remove(id);
                return undo().catch(sayFailed);
              }}
            >
              {common.undo}
            </Button>
          )}
          <Button kind="quiet" icon="close" aria-label={common.close} onClick={() => remove(id)} />
        </div>
      ))}
    </div>
  );
}
