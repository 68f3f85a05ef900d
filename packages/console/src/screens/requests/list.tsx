import { signal } from '@preact/signals';
import type { LoggedRequest } from '@servery/contract';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { common, requests as texts } from '../../messages.ts';
import { clientNames } from '../../parts/actor.tsx';
import { Button } from '../../parts/button.tsx';
import { Filters, SelectFilter, TextFilter } from '../../parts/filters.tsx';
import { List } from '../../parts/list.tsx';
import { PageHead } from '../../parts/page.tsx';
import type { Column } from '../../parts/table.tsx';
import { Badge } from '../../parts/told.tsx';
import { Views } from '../../parts/views.tsx';
import { cleared, hrefOf, platformUrl, useAddress } from '../../platform/address.ts';
import { formatSeconds } from '../../platform/format.ts';
import { holdsEverywhere } from '../../platform/session.ts';
import { type RequestFilter, RequestTail } from './tail.ts';
import { Sender, StatusBadge, tookOf } from './words.tsx';

const FILTERS = ['operation', 'status', 'client', 'restaurant', 'sender'];
/** Rows in sight before older pages are asked for. */
const ENOUGH = 30;

export function RequestList() {
  const { query, change, go } = useAddress();
  const { status, client, restaurant, sender } = query;
  const operation = query.operation && isOperation(query.operation) ? query.operation : undefined;
  const filter: RequestFilter = {
    operation,
    status: status || undefined,
    clientId: client || undefined,
    restaurantGuid: restaurant || undefined,
  };
  const key = JSON.stringify(filter);
  // The key stands for the filter.
  const tail = useMemo(() => new RequestTail(filter), [key]);
  useEffect(() => tail.start(), [tail]);
  const { rows, isLive, error, next } = tail.state.value;
  // People come only with this console.
  const fitting = (rows ?? []).filter(({ personGuid }) => sender === 'all' || personGuid === null);
  const { shown, waiting, release, isFollowing, setFollowing } = useFollowing(fitting, key);
  const isShort = rows !== null && fitting.length < ENOUGH;
  useEffect(() => {
    if (isShort && next !== null) void tail.readOlder();
  }, [isShort, next, tail]);
  const isFiltered = [operation, status, client, restaurant].some(Boolean);
  const clients = clientNames();
  const isKnown = clients.some(([id]) => id === client);
  const list = {
    // Older pages may have some.
    rows: rows === null || (shown.length === 0 && next !== null) ? null : shown,
    ...{ error, refresh: tail.retry, loadMore: () => void tail.readOlder() },
  };
  return (
    <div class="stack">
      <PageHead
        title={texts.title}
        about={!holdsEverywhere('requests:read') && texts.ofNobody}
        isLive={isLive}
        views={<Views page="requests" filters={FILTERS} />}
      >
        <Button aria-pressed={isFollowing} onClick={() => setFollowing(!isFollowing)}>
          {isFollowing ? texts.follow : texts.paused}
        </Button>
      </PageHead>
      <Filters>
        <SelectFilter name="status" label={texts.status} options={Object.entries(texts.statuses)} />
        <TextFilter
          name="operation"
          label={texts.operation}
          placeholder={texts.operationHint}
          list="operations"
          onFocus={() => readOperations().catch(() => {})}
          pattern={{ test: isOperation }}
          wrong={texts.operationFault}
        />
        <datalist id="operations">
          {operations.value.map((id) => (
            <option key={id} value={id} />
          ))}
        </datalist>
        {clients.length > 0 ? (
          <SelectFilter
            name="client"
            label={texts.client}
            options={[
              ['', common.any],
              ...(client && !isKnown ? [[client, client] as const] : []),
              ...clients,
            ]}
          />
        ) : (
          <TextFilter name="client" label={texts.client} />
        )}
        <SelectFilter name="sender" label={texts.sender} options={Object.entries(texts.senders)} />
      </Filters>
      {waiting > 0 && (
        <Button kind="main" class="newer" onClick={release}>
          {texts.newer(waiting)}
        </Button>
      )}
      <List
        label={texts.title}
        list={list}
        texts={texts}
        columns={columns(restaurant)}
        keyOf={({ requestId }) => requestId}
        onOpen={({ requestId }) => go(`requests/${requestId}`, { restaurant })}
        onClear={
          isFiltered ? () => change(cleared(['operation', 'status', 'client', 'restaurant'])) : null
        }
      />
    </div>
  );
}

/** What arrives while somebody reads further down, or has paused, waits until they ask. */
function useFollowing(rows: readonly LoggedRequest[], key: string) {
  const [isFollowing, setFollowing] = useState(true);
  const [isAtTop, setAtTop] = useState(true);
  const seen = useRef<{ key: string; newest: string | null }>({ key, newest: null });
  useEffect(() => {
    const look = () => setAtTop(scrollY < 120);
    addEventListener('scroll', look, { passive: true });
    return () => removeEventListener('scroll', look);
  }, []);
  const [, again] = useState(0);
  const newest = rows[0]?.realAt ?? null;
  const isHeld = seen.current.key === key && seen.current.newest !== null;
  if (!isHeld || (isFollowing && isAtTop)) seen.current = { key, newest };
  const limit = seen.current.newest;
  const shown = limit === null ? rows : rows.filter(({ realAt }) => realAt <= limit);
  return {
    shown,
    waiting: rows.length - shown.length,
    isFollowing,
    setFollowing,
    release: () => {
      seen.current = { key, newest };
      scrollTo({ top: 0 });
      again((count) => count + 1);
    },
  };
}

/** Empty until they are known. */
const operations = signal<readonly string[]>([]);

/** The document of the platform has all of them; this console knows only those that it calls. */
async function readOperations(): Promise<void> {
  if (operations.peek().length > 0) return;
  const document = await fetch(`${platformUrl}/openapi/servery.json`);
  const found = (await document.text()).matchAll(/"operationId": *"([^"]+)/g);
  operations.value = [...found].map(([, id = '']) => id).sort();
}

function isOperation(text: string): boolean {
  const known = operations.value;
  return known.length === 0 || known.includes(text.trim());
}

const columns = (restaurant: string | undefined): readonly Column<LoggedRequest>[] => [
  {
    id: 'status',
    label: texts.columns.status,
    width: '5rem',
    cell: ({ status, fault }) => (
      <>
        <StatusBadge status={status} />
        {fault && <span class="visually-hidden">{texts.faulty}</span>}
      </>
    ),
  },
  {
    id: 'what',
    label: texts.columns.what,
    cell: (row) => (
      <a href={hrefOf(`requests/${row.requestId}`, { restaurant })} class="mono">
        {row.method} {row.path}
        <span class="under soft small">
          {formatSeconds(row.realAt)}, {tookOf(row)}
        </span>
      </a>
    ),
  },
  {
    id: 'operation',
    label: texts.columns.operation,
    width: '21%',
    isWideOnly: true,
    cell: ({ operation, fault }) => (
      <span class="small">
        {operation ?? '–'} {fault && <Badge tone="bad">{fault}</Badge>}
      </span>
    ),
  },
  {
    id: 'who',
    label: texts.columns.who,
    width: '14%',
    isWideOnly: true,
    cell: (row) => (
      <span class="soft small">
        <Sender request={row} />
      </span>
    ),
  },
  {
    id: 'duration',
    label: texts.columns.duration,
    width: '6rem',
    isAtEnd: true,
    isWideOnly: true,
    cell: tookOf,
  },
  {
    id: 'when',
    label: texts.columns.when,
    width: '8rem',
    isAtEnd: true,
    isWideOnly: true,
    cell: ({ realAt }) => formatSeconds(realAt),
  },
];
