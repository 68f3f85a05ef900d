import { useRef } from 'preact/hooks';
import { useLive } from './live.ts';

/** One page of a list, as the platform answers it. */
export interface Page<Row> {
  readonly results: readonly Row[];
  readonly nextPageToken: string | null;
}

/** A list that is read by pages. */
export interface Listed<Row> {
  /** Null before the first answer. */
  readonly rows: readonly Row[] | null;
  readonly hasMore: boolean;
  readonly error: unknown;
  readonly isLive: boolean;
  readonly refresh: () => void;
  /** Reads one page more. */
  readonly loadMore: () => void;
}

interface Rows<Row> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
}

/**
 * A list that stays live: reads again all pages that somebody has scrolled to. Pages that have not
 * changed cost no body. A change of `key` starts anew.
 *
 * For lists by name, which change anywhere and have few pages. `usePaged` reads only the top again,
 * for lists of what happened: they can have a thousand pages, and know the order of their rows.
 */
export function useLivePages<Row>(
  key: string,
  readPage: (pageToken: string | undefined) => Promise<Page<Row>>,
  everyMs: number,
): Listed<Row> {
  const pages = useRef({ key, wanted: 1, read: 0 });
  if (pages.current.key !== key) pages.current = { key, wanted: 1, read: 0 };
  const { state, refresh } = useLive<Rows<Row>>(
    key,
    async () => {
      const current = pages.current;
      const { wanted } = current;
      const rows: Row[] = [];
      let next: string | null = null;
      for (let page = 0; page < wanted; page += 1) {
        const answer: Page<Row> = await readPage(next ?? undefined);
        rows.push(...answer.results);
        next = answer.nextPageToken;
        if (next === null) break;
      }
      current.read = wanted;
      return { rows, hasMore: next !== null };
    },
    everyMs,
  );
  const { value, error, isLive } = state.value;
  const { rows = null, hasMore = false } = value ?? {};
  const loadMore = () => {
    const { current } = pages;
    // One more at a time, however often the end comes into sight.
    if (!hasMore || current.read < current.wanted) return;
    current.wanted += 1;
    refresh();
  };
  return { rows, hasMore, error, isLive, refresh, loadMore };
}
