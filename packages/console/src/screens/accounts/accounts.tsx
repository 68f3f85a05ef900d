import './accounts.css';
import type { ApiClient } from '@servery/contract';
import { useState } from 'preact/hooks';
import { common, accounts as texts } from '../../messages.ts';
import { Button } from '../../parts/button.tsx';
import { Filters, SelectFilter, TextFilter } from '../../parts/filters.tsx';
import { List } from '../../parts/list.tsx';
import { PageHead } from '../../parts/page.tsx';
import { usePaged } from '../../parts/paged.ts';
import type { Column } from '../../parts/table.tsx';
import { hrefOf, useAddress } from '../../platform/address.ts';
import { nowMs } from '../../platform/clock.ts';
import { formatCount, formatNear } from '../../platform/format.ts';
import { call, holds } from '../../platform/session.ts';
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
  const list = usePaged<ApiClient>({
    key: `${type} ${state} ${name}`,
    read: (pageToken) =>
      call('backOffice.clients.list', {
        query: { type, name: name || undefined, revoked, pageSize: PAGE, pageToken },
      }),
    rankOf: ({ createdAt, clientId }) => createdAt + clientId,
    everyMs: EVERY_MS,
  });
  const isFiltered = Boolean(type || name || state);
  return (
    <div class="stack">
      <PageHead title={texts.title} isLive={list.isLive}>
        {holds('clients:write') && (
          <Button kind="main" onClick={() => setCreating(true)}>
            {texts.create}
          </Button>
        )}
      </PageHead>
      <Filters>
        <TextFilter name="name" label={texts.name} />
        <SelectFilter
          name="type"
          label={texts.type}
          options={[['', common.any], ...Object.entries(texts.types)]}
        />
        <SelectFilter
          name="state"
          label={texts.state}
          options={[['', common.any], ...Object.entries(texts.listStates)]}
        />
      </Filters>
      <List
        label={texts.title}
        {...{ list, texts, columns }}
        keyOf={({ clientId }) => clientId}
        onOpen={({ clientId }) => go(`accounts/${clientId}`)}
        onClear={isFiltered ? () => change({ type: null, state: null, name: null }) : null}
      />
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
