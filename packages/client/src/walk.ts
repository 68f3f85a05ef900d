import type { OperationId } from '@servery/contract';
import { Conflict, InvalidInput } from './errors.ts';
import type { Answered, Request, Transport } from './transport.ts';

/** Operations that return one page of a list. */
export type PagedId =
  | (`configuration.${string}.list` & OperationId)
  | 'partners.connectedRestaurants.list'
  | 'orders.listBulk'
  | 'platform.changes.list'
  | 'platform.events.list';

/** The elements of a page. */
export type PageItem<Page> = Page extends { readonly results: readonly (infer Item)[] }
  ? Item
  : Page extends readonly (infer Item)[]
    ? Item extends { readonly results: readonly (infer Inner)[] }
      ? Inner
      : Item
    : never;

export function isPaged(id: string): id is PagedId {
  return /^(configuration\..+\.list|partners\.connectedR.+|orders\.listBulk|platform\.(changes|events)\.list)$/.test(
    id,
  );
}

interface Page<Item> {
  readonly items: readonly Item[];
  /** The query of the next page; null after the last. */
  readonly next: Readonly<Record<string, string>> | null;
  /** Where to continue in a feed. */
  readonly cursor: string | null;
}

/** If somebody keeps publishing, it is better to report it after this many attempts. */
const RESTARTS_AT_MOST = 10;

/**
 * All pages of a list. `for await` reads them as you go, and `all` collects them. Each starts over.
 *
 * All items of a configuration are from one publication. If there is a new one in the meantime, the
 * walk starts over. So its items come after the last page, unless a publication throws.
 */
export class Walk<Item> implements AsyncIterable<Item> {
  /** For feeds: pass it as `after` to continue after the items that you have read. */
  cursor: string | null = null;
  readonly #transport: Transport;
  readonly #id: PagedId;
  readonly #request: Request;
  readonly #onPublication: 'restart' | 'throw';

  constructor(
    transport: Transport,
    id: PagedId,
    request: Request,
    onPublication: 'restart' | 'throw',
  ) {
    this.#transport = transport;
    this.#id = id;
    this.#request = request;
    this.#onPublication = onPublication;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void> {
    if (this.#isRestarted()) yield* await this.all();
    else for await (const { items } of this.#pages()) yield* items;
  }

  /** Reads all pages. */
  async all(): Promise<Item[]> {
    for (let restarts = 0; ; restarts += 1) {
      try {
        const items: Item[] = [];
        for await (const page of this.#pages()) for (const item of page.items) items.push(item);
        return items;
      } catch (error) {
        const isOver = restarts >= RESTARTS_AT_MOST || !this.#isRestarted();
        if (isOver || !(error instanceof Conflict)) throw error;
      }
    }
  }

  #isRestarted(): boolean {
    return this.#id.startsWith('configuration.') && this.#onPublication === 'restart';
  }

  async *#pages(): AsyncGenerator<Page<Item>> {
    let query: Request['query'] = this.#request.query ?? {};
    for (;;) {
      const answer = await this.#transport.send(this.#id, { ...this.#request, query } as never);
      const page = this.#pageOf(answer as Answered<unknown>);
      yield page;
      this.cursor = page.cursor ?? this.cursor;
      if (!page.next) return;
      query = { ...query, ...page.next };
    }
  }

  #pageOf({ body, headers }: Answered<unknown>): Page<Item> {
    // A setting of the platform wraps the page of connected restaurants in a list.
    const [content] = [body].flat() as [Readonly<Record<string, unknown>>?];
    const items = content?.results as readonly Item[];
    if (this.#id.startsWith('platform.')) {
      const cursor = String(content?.nextCursor);
      return { items, cursor, next: content?.hasMore ? { after: cursor } : null };
    }
    if (this.#id === 'orders.listBulk') {
      const next = nextLink(headers.get('link') ?? '');
      return { items: body as readonly Item[], cursor: null, next };
    }
    const isOfBody = this.#id === 'partners.connectedRestaurants.list';
    const token = isOfBody
      ? content?.nextPageToken
      : headers.get(`${this.#transport.brand}-next-page-token`);
    return {
      items: isOfBody ? items : (body as readonly Item[]),
      cursor: null,
      next: token ? { pageToken: String(token) } : null,
    };
  }
}

/** The query of the next page in a Link header. */
function nextLink(link: string): Record<string, string> | null {
  const [, address] = /<([^>]*)>;\s*rel="?next"?/.exec(link) ?? [];
  if (address === undefined) return null;
  return Object.fromEntries(new URL(address, 'http://platform.invalid').searchParams);
}

/** What changed in a collection. */
export interface Changes<Item> {
  /** New and changed objects. You may have seen some before. Archived objects are not included. */
  readonly changed: readonly Item[];
  /** Pass this as `since` the next time. */
  readonly until: Date;
}

/** A change can appear this long after its time, and clocks differ. */
const OVERLAP_MS = 60_000;

/** Objects of a collection that changed since then; with null, all of them. */
export async function changesSince<Item>(
  list: (query: object, options?: object) => Walk<Item>,
  since: Date | null,
  options: object | undefined,
  nowMs: () => number,
): Promise<Changes<Item>> {
  if (since !== null && !(since instanceof Date && Number.isFinite(since.getTime()))) {
    throw new InvalidInput('since', 'must be a Date, or null for everything.');
  }
  const until = new Date(nowMs());
  const lastModified = since && new Date(since.getTime() - OVERLAP_MS).toISOString();
  return { changed: await list(lastModified ? { lastModified } : {}, options).all(), until };
}
