import { type ReadonlySignal, signal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { after } from './present.ts';
import { session } from './session.ts';

/** What is read again and again. */
interface Live<Value> {
  /** Null until the first answer. */
  readonly value: Value | null;
  /** Of the newest attempt; null if it was answered. */
  readonly error: unknown;
  /** Whether the value is that of a moment ago. */
  readonly isLive: boolean;
}

export interface LiveSource<Value> {
  readonly state: ReadonlySignal<Live<Value>>;
  /** Reads at once. */
  readonly refresh: () => void;
}

/**
 * Reads now, every few seconds while somebody looks, and when the page wakes up. Answers that have
 * not changed cost no body: the browser sends their entity tag. A change of `key` starts anew.
 */
export function useLive<Value>(
  key: string,
  read: (before: Value | null) => Promise<Value>,
  everyMs: number,
): LiveSource<Value> {
  const latest = useRef(read);
  latest.current = read;
  // The key stands for all that the reading depends on.
  const reader = useMemo(
    () => new Reader<Value>((before) => latest.current(before), everyMs),
    [key],
  );
  useEffect(() => reader.start(), [reader]);
  return reader;
}

class Reader<Value> implements LiveSource<Value> {
  readonly state = signal<Live<Value>>({ value: null, error: null, isLive: false });
  readonly #read: (before: Value | null) => Promise<Value>;
  readonly #everyMs: number;
  #isReading = false;
  #isAskedAgain = false;
  #isStopped = true;
  #forget = () => {};

  constructor(read: (before: Value | null) => Promise<Value>, everyMs: number) {
    this.#read = read;
    this.#everyMs = everyMs;
  }

  start(): () => void {
    this.#isStopped = false;
    const wake = () => {
      if (document.visibilityState === 'visible') this.refresh();
    };
    const lose = () => {
      this.state.value = { ...this.state.value, isLive: false };
    };
    document.addEventListener('visibilitychange', wake);
    addEventListener('online', wake);
    addEventListener('offline', lose);
    // A person who signs in again wants to see what is there now.
    const forgetSession = session.subscribe(({ kind }) => {
      if (kind === 'signedIn') wake();
    });
    this.refresh();
    return () => {
      this.#isStopped = true;
      this.#forget();
      forgetSession();
      document.removeEventListener('visibilitychange', wake);
      removeEventListener('online', wake);
      removeEventListener('offline', lose);
    };
  }

  readonly refresh = (): void => {
    if (this.#isReading) this.#isAskedAgain = true;
    else void this.#readOnce();
  };

  async #readOnce(): Promise<void> {
    this.#forget();
    this.#isReading = true;
    try {
      const value = await this.#read(this.state.peek().value);
      if (!this.#isStopped) this.state.value = { value, error: null, isLive: true };
    } catch (error) {
      const { value } = this.state.peek();
      if (!this.#isStopped) this.state.value = { value, error, isLive: false };
    }
    this.#isReading = false;
    if (this.#isStopped) return;
    if (this.#isAskedAgain) {
      this.#isAskedAgain = false;
      this.refresh();
      return;
    }
    this.#forget = after(this.#everyMs, () => {
      // A page that nobody sees reads nothing; when it is seen again, it reads at once.
      if (document.visibilityState === 'visible' && session.peek().kind === 'signedIn') {
        this.refresh();
      } else this.state.value = { ...this.state.peek(), isLive: false };
    });
  }
}
