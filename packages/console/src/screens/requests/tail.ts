import { signal } from '@preact/signals';
import type { RequestFor } from '@servery/client/back-office';
import type { LoggedRequest } from '@servery/contract';
import { platformUrl } from '../../platform/address.ts';
import { after } from '../../platform/present.ts';
import { call } from '../../platform/session.ts';

export type RequestFilter = NonNullable<RequestFor<'backOffice.requests.stream'>['query']>;

interface Tail {
  /** Newest first; null before the first answer. */
  readonly rows: readonly LoggedRequest[] | null;
  readonly isLive: boolean;
  readonly error: unknown;
  /** Of the older pages; null when there are no more. */
  readonly next: string | null;
}

const PAGE = 100;
const RETRY_MS = 3_000;
const KEPT = 5_000;

/**
 * The newest requests, as they arrive. A stream that breaks off goes on by itself where it was; one
 * that was refused begins anew, and what came between is read from the log.
 */
export class RequestTail {
  readonly state = signal<Tail>({ rows: null, isLive: false, error: null, next: null });
  readonly #filter: RequestFilter;
  #source: EventSource | null = null;
  #forget = () => {};
  #isReading = false;

  constructor(filter: RequestFilter) {
    this.#filter = filter;
  }

  start(): () => void {
    this.#open();
    return () => {
      this.#forget();
      this.#source?.close();
      this.#source = null;
    };
  }

  readonly retry = (): void => {
    this.#forget();
    this.#source?.close();
    this.#open();
  };

  #open(): void {
    const given = Object.entries(this.#filter).filter(([, value]) => value !== undefined);
    const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
    const source = new EventSource(`${platformUrl}/backoffice/v1/requests/stream?${search}`);
    this.#source = source;
    let isFirst = true;
    source.addEventListener('open', () => {
      this.#change({ isLive: true, error: null });
      // The stream begins now: what is older is read after it, so that nothing falls between.
      if (isFirst) void this.#readNewest();
      isFirst = false;
    });
    source.addEventListener('request', (event: MessageEvent<string>) => {
      this.#add([JSON.parse(event.data) as LoggedRequest]);
    });
    source.addEventListener('error', () => {
      this.#change({ isLive: false });
      if (source.readyState !== EventSource.CLOSED || this.#source !== source) return;
      // Says why, for example that the session has ended.
      void this.#readNewest();
      this.#forget = after(RETRY_MS, () => this.#open());
    });
  }

  async #readNewest(): Promise<void> {
    try {
      const query = { ...this.#filter, pageSize: PAGE };
      const { results, nextPageToken } = await call('backOffice.requests.list', { query });
      const isFirst = this.state.peek().rows === null;
      this.#add(results);
      this.#change({ error: null, ...(isFirst && { next: nextPageToken }) });
    } catch (error) {
      this.#change({ error });
    }
  }

  async readOlder(): Promise<void> {
    const { next } = this.state.peek();
    if (next === null || this.#isReading) return;
    this.#isReading = true;
    try {
      const query = { ...this.#filter, pageSize: PAGE, pageToken: next };
      const { results, nextPageToken } = await call('backOffice.requests.list', { query });
      this.#change({ next: nextPageToken });
      this.#add(results);
    } catch (error) {
      this.#change({ error });
    } finally {
      this.#isReading = false;
    }
  }

  #add(found: readonly LoggedRequest[]): void {
    const rows = this.state.peek().rows ?? [];
    const known = new Set(rows.map(({ requestId }) => requestId));
    const news = found.filter(({ requestId }) => !known.has(requestId));
    const sorted = [...rows, ...news].sort((one, other) => (one.realAt < other.realAt ? 1 : -1));
    // Older ones would not be kept.
    const isFull = sorted.length >= KEPT;
    this.#change({ rows: sorted.slice(0, KEPT), ...(isFull && { next: null }) });
  }

  #change(changes: Partial<Tail>): void {
    this.state.value = { ...this.state.peek(), ...changes };
  }
}
