import { signal } from '@preact/signals';
import type { LoggedRequest } from '@servery/contract';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { common, requests as texts } from '../../messages.ts';
import { clientNames } from '../../parts/actor.tsx';
import { Button } from '../../parts/button.tsx';
import { Field, Select } from '../../parts/field.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Badge, Empty, ErrorPanel, LiveMark, Skeleton } from '../../parts/told.tsx';
import { Views } from '../../parts/views.tsx';
import { hrefOf, platformUrl, useAddress } from '../../platform/address.ts';
import { formatSeconds } from '../../platform/format.ts';
import { holdsEverywhere } from '../../platform/session.ts';
import { useTyped } from '../../platform/typed.ts';
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
  return (
    <div class="stack">
      <div class="page-head">
        <h1>{texts.title}</h1>
        <div class="row">
          <Views page="requests" filters={FILTERS} />
          <LiveMark isLive={isLive} />
          <Button aria-pressed={isFollowing} onClick={() => setFollowing(!isFollowing)}>
            {isFollowing ? texts.follow : texts.paused}
          </Button>
        </div>
      </div>
      <Filters />
      {!holdsEverywhere('requests:read') && (isFiltered || shown.length === 0) && (
        <p class="soft small">{texts.ofNobody}</p>
      )}
      {error !== null && <ErrorPanel error={error} onRetry={tail.retry} />}
      {rows === null && error === null && <Skeleton lines={12} />}
      {waiting > 0 && (
        <Button kind="main" class="newer" onClick={release}>
          {texts.newer(waiting)}
        </Button>
      )}
      {rows !== null && shown.length === 0 && next === null && (
        <Empty title={isFiltered ? texts.noneFit : texts.empty}>
          {isFiltered ? (
            <Button
              onClick={() =>
                change({ operation: null, status: null, client: null, restaurant: null })
              }
            >
              {texts.clear}
            </Button>
          ) : (
            <>
              <p>{texts.emptyMore}</p>
              <code>{texts.emptyCommand}</code>
            </>
          )}
        </Empty>
      )}
      {shown.length > 0 && (
        <Table
          label={texts.title}
          columns={columns(restaurant)}
          rows={shown}
          keyOf={({ requestId }) => requestId}
          onOpen={({ requestId }) => go(`requests/${requestId}`, { restaurant })}
          onEnd={() => void tail.readOlder()}
        />
      )}
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

function Filters() {
  const { query, change } = useAddress();
  const [operation, typeOperation] = useTyped('operation', isOperation);
  const [client, typeClient] = useTyped('client');
  const clients = clientNames();
  const isKnown = clients.some(([id]) => id === query.client);
  const options = (labels: Readonly<Record<string, string>>) =>
    Object.entries(labels).map(([value, label]) => ({ value, label }));
  return (
    <search class="filters" aria-label={texts.filters}>
      <Select
        label={texts.status}
        value={query.status ?? ''}
        onValue={(status) => change({ status })}
        options={options(texts.statuses)}
      />
      <Field
        label={texts.operation}
        placeholder={texts.operationHint}
        list="operations"
        onFocus={() => readOperations().catch(() => {})}
        value={operation}
        fault={
          operation === '' || isOperation(operation)
            ? null
            : `${texts.operationFault} ${common.notFiltered}`
        }
        onValue={typeOperation}
      />
      <datalist id="operations">
        {operations.value.map((id) => (
          <option key={id} value={id} />
        ))}
      </datalist>
      {clients.length > 0 ? (
        <Select
          label={texts.client}
          value={query.client ?? ''}
          onValue={(id) => change({ client: id })}
          options={[
            { value: '', label: texts.anyClient },
            ...(query.client && !isKnown ? [{ value: query.client, label: query.client }] : []),
            ...clients.map(([value, label]) => ({ value, label })),
          ]}
        />
      ) : (
        <Field label={texts.client} value={client} onValue={typeClient} />
      )}
      <Select
        label={texts.sender}
        value={query.sender ?? ''}
        onValue={(sender) => change({ sender })}
        options={options(texts.senders)}
      />
    </search>
  );
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
