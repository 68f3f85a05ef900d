import './accounts.css';
import type { ApiClient } from '@servery/contract';
import { useState } from 'preact/hooks';
import { accounts as texts } from '../../messages.ts';
import { Button } from '../../parts/button.tsx';
import { Field, Select } from '../../parts/field.tsx';
import { usePaged } from '../../parts/paged.ts';
import { type Column, Table } from '../../parts/table.tsx';
import { Empty, ErrorPanel, LiveMark, Skeleton } from '../../parts/told.tsx';
import { hrefOf, useAddress } from '../../platform/address.ts';
import { nowMs } from '../../platform/clock.ts';
import { formatCount, formatNear } from '../../platform/format.ts';
import { call, holds } from '../../platform/session.ts';
import { useTyped } from '../../platform/typed.ts';
import { OneAccount } from './account.tsx';
import { CreateAccount } from './account-form.tsx';
import { AccountBadge, liveSecrets, ownerOf } from './words.tsx';

const EVERY_MS = 10_000;
const PAGE = 100;

export default function Accounts() {
  const { segments } = useAddress();
  const [, clientId] = segments;
  return (
    <div class="accounts">
      {clientId ? <OneAccount key={clientId} clientId={clientId} /> : <AccountList />}
    </div>
  );
}

function AccountList() {
  const { query, change, go } = useAddress();
  const [isCreating, setCreating] = useState(false);
  const { name, state } = query;
  const type = isType(query.type) ? query.type : undefined;
  const revoked = { live: false, revoked: true }[state ?? ''];
  const { rows, error, isLive, refresh, loadMore } = usePaged<ApiClient>({
    key: `${type} ${state} ${name}`,
    read: (pageToken) =>
      call('backOffice.clients.list', {
        query: { type, name: name || undefined, revoked, pageSize: PAGE, pageToken },
      }),
    rankOf: ({ createdAt, clientId }) => createdAt + clientId,
    everyMs: EVERY_MS,
  });
  const isFiltered = Boolean(type || name || state);
  const create = holds('clients:write') && (
    <Button kind="main" onClick={() => setCreating(true)}>
      {texts.create}
    </Button>
  );
  return (
    <div class="stack">
      <div class="page-head">
        <h1>{texts.title}</h1>
        <div class="row">
          <LiveMark isLive={isLive} />
          {create}
        </div>
      </div>
      <Filters />
      {error !== null && <ErrorPanel error={error} onRetry={refresh} />}
      {rows === null && error === null && <Skeleton lines={12} />}
      {rows?.length === 0 && (
        <Empty title={isFiltered ? texts.noneFit : texts.empty}>
          {isFiltered ? (
            <Button onClick={() => change({ type: null, state: null, name: null })}>
              {texts.clear}
            </Button>
          ) : (
            <p>{texts.emptyMore}</p>
          )}
        </Empty>
      )}
      {rows !== null && rows.length > 0 && (
        <Table
          label={texts.title}
          columns={columns}
          rows={rows}
          keyOf={({ clientId }) => clientId}
          onOpen={({ clientId }) => go(`accounts/${clientId}`)}
          onEnd={loadMore}
        />
      )}
      {isCreating && (
        <CreateAccount
          onDone={({ clientId }) => {
            setCreating(false);
            go(`accounts/${clientId}`);
          }}
          onClose={() => setCreating(false)}
        />
      )}
    </div>
  );
}

function isType(text: string | undefined): text is ApiClient['type'] {
  return text !== undefined && Object.hasOwn(texts.types, text);
}

function Filters() {
  const { query, change } = useAddress();
  const [name, typeName] = useTyped('name');
  const options = (labels: Readonly<Record<string, string>>) =>
    Object.entries(labels).map(([value, label]) => ({ value, label }));
  return (
    <search class="filters" aria-label={texts.filters}>
      <Field label={texts.name} value={name} onValue={typeName} />
      <Select
        label={texts.type}
        value={query.type ?? ''}
        onValue={(type) => change({ type })}
        options={[{ value: '', label: texts.any }, ...options(texts.types)]}
      />
      <Select
        label={texts.state}
        value={query.state ?? ''}
        onValue={(state) => change({ state })}
        options={[{ value: '', label: texts.any }, ...options(texts.listStates)]}
      />
    </search>
  );
}

const columns: readonly Column<ApiClient>[] = [
  {
    id: 'name',
    label: texts.name,
    cell: (client) => (
      <a href={hrefOf(`accounts/${client.clientId}`)}>
        {client.name}
        <span class="under soft small">{ownerOf(client)}</span>
      </a>
    ),
  },
  { id: 'owner', label: texts.owner, isWideOnly: true, cell: ownerOf },
  {
    id: 'state',
    label: texts.state,
    width: '8.5rem',
    cell: (client) => <AccountBadge client={client} />,
  },
  {
    id: 'scopes',
    label: texts.scopes,
    width: '5.5rem',
    isAtEnd: true,
    isWideOnly: true,
    cell: ({ scopes }) => formatCount(scopes.length),
  },
  {
    id: 'secrets',
    label: texts.secrets.column,
    width: '7rem',
    isAtEnd: true,
    isWideOnly: true,
    cell: (client) => formatCount(liveSecrets(client).length),
  },
  {
    id: 'last',
    label: texts.lastUsed,
    width: '9.5rem',
    isAtEnd: true,
    isWideOnly: true,
    cell: ({ lastUsedAt }) => (lastUsedAt ? formatNear(lastUsedAt, nowMs.peek()) : texts.never),
  },
];
