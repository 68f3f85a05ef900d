import { useEffect, useRef, useState } from 'preact/hooks';
import { useLive } from '../platform/live.ts';
import type { Listed, Page } from '../platform/pages.ts';
import { sayFailed } from './toast.tsx';

export interface PagedOptions<Row> {
  /** Stands for all that the reading depends on; a change of it starts anew. */
  readonly key: string;
  readonly read: (pageToken?: string) => Promise<Page<Row>>;
  /** Grows from the last row of the list to the first, and no two rows have the same. */
  readonly rankOf: (row: Row) => string;
  readonly everyMs: number;
}

interface Older<Row> {
  readonly key: string;
  readonly rows: readonly Row[];
  readonly next: string | null | undefined;
}

/**
 * A list that is live at its top, and whose older pages are read when they come into sight. For
 * lists by time: `useLivePages` is for those by name.
 */
export function usePaged<Row>({ key, read, rankOf, everyMs }: PagedOptions<Row>): Listed<Row> {
  const { state, refresh } = useLive<Page<Row>>(
    key,
    async (before) => {
      const page = await read();
      const last = page.results.at(-1);
      if (page.nextPageToken === null || !last) return page;
      // What has moved behind the first page since the first reading; older pages follow on it.
      const behind = (before?.results ?? []).filter((row) => rankOf(row) < rankOf(last));
      const nextPageToken = before?.nextPageToken ?? page.nextPageToken;
      return { results: [...page.results, ...behind], nextPageToken };
    },
    everyMs,
  );
  const [kept, setOlder] = useState<Older<Row>>({ key, rows: [], next: undefined });
  const older = kept.key === key ? kept : { key, rows: [], next: undefined };
  const loading = useRef<string | null>(null);
  useEffect(() => {
    loading.current = null;
  }, [key]);
  const { value, error, isLive } = state.value;
  const last = value?.results.at(-1);
  const behind = last ? older.rows.filter((row) => rankOf(row) < rankOf(last)) : [];
  const next = older.next === undefined ? (value?.nextPageToken ?? null) : older.next;
  const loadMore = () => {
    if (next === null || loading.current === next) return;
    loading.current = next;
    read(next).then(
      ({ results, nextPageToken }) => {
        if (loading.current !== next) return;
        setOlder({ key, rows: [...older.rows, ...results], next: nextPageToken });
      },
      (failure) => {
        loading.current = null;
        sayFailed(failure);
      },
    );
  };
  return {
    rows: value ? [...value.results, ...behind] : null,
    hasMore: next !== null,
    ...{ error, isLive, refresh, loadMore },
  };
}
