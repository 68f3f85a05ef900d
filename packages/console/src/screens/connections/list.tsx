import type { Connection } from '@servery/contract';
import { connections as texts } from '../../messages.ts';
import { Button } from '../../parts/button.tsx';
import { Filters, SelectFilter } from '../../parts/filters.tsx';
import { List } from '../../parts/list.tsx';
import { PageHead } from '../../parts/page.tsx';
import type { Column } from '../../parts/table.tsx';
import { Badge } from '../../parts/told.tsx';
import { hrefOf, useAddress } from '../../platform/address.ts';
import { formatDated } from '../../platform/format.ts';
import { useLivePages } from '../../platform/pages.ts';
import { restaurantOf } from '../../platform/restaurants.ts';
import { call, holds } from '../../platform/session.ts';
import { ConnectDialog } from './connect-dialog.tsx';

const EVERY_MS = 5_000;
const PAGE = 100;

export function ConnectionList({ restaurantGuid }: { readonly restaurantGuid: string }) {
  const { query, change, go } = useAddress();
  const { show = 'CONNECTED' } = query;
  const only = show === 'DISCONNECTED' || show === 'CONNECTED' ? show : undefined;
  const list = useLivePages<Connection>(
    `${restaurantGuid} ${only}`,
    (pageToken) =>
      call('backOffice.connections.list', {
        params: { restaurantGuid },
        query: { state: only, pageSize: PAGE, pageToken },
      }),
    EVERY_MS,
  );
  const restaurant = restaurantOf(restaurantGuid);
  const mayConnect = holds('connections:write', restaurantGuid);
  const pathOf = ({ partnerGuid }: Connection) => `connections/${partnerGuid}`;
  return (
    <div class="stack">
      <PageHead
        title={texts.title}
        about={texts.about(restaurant?.name ?? '…')}
        isLive={list.isLive}
      >
        {mayConnect && (
          <Button kind="main" onClick={() => change({ connect: 'yes' })}>
            {texts.connect.button}
          </Button>
        )}
      </PageHead>
      <Filters>
        <SelectFilter
          name="show"
          initial="CONNECTED"
          label={texts.show}
          options={Object.entries(texts.shows)}
        />
      </Filters>
      <List
        label={texts.title}
        {...{ list, texts }}
        columns={columns(restaurantGuid, restaurant?.timeZone)}
        keyOf={({ partnerGuid }) => partnerGuid}
        onOpen={(connection) => go(pathOf(connection), { restaurant: restaurantGuid })}
        onClear={query.show ? () => change({ show: null }) : null}
      />
      {query.connect && mayConnect && (
        <ConnectDialog
          restaurantGuid={restaurantGuid}
          onDone={list.refresh}
          onClose={() => change({ connect: null })}
        />
      )}
    </div>
  );
}

function columns(restaurant: string, timeZone: string | undefined): readonly Column<Connection>[] {
  return [
    {
      id: 'partner',
      label: texts.partner,
      cell: ({ partnerGuid, partnerName, createdAt }) => (
        <>
          <a href={hrefOf(`connections/${partnerGuid}`, { restaurant })}>{partnerName}</a>
          <span class="under soft small">{texts.since(formatDated(createdAt, timeZone))}</span>
        </>
      ),
    },
    {
      id: 'since',
      label: texts.sinceWhen,
      width: '13rem',
      isWideOnly: true,
      cell: ({ createdAt }) => formatDated(createdAt, timeZone),
    },
    {
      id: 'who',
      label: texts.changedBy,
      isWideOnly: true,
      cell: ({ changedBy }) => nameOf(changedBy),
    },
    {
      id: 'state',
      label: texts.state,
      width: '9rem',
      cell: (connection) => <StateBadge connection={connection} />,
    },
  ];
}

export function StateBadge({ connection }: { readonly connection: Connection }) {
  const { state, restaurantArchived } = connection;
  if (restaurantArchived && state === 'CONNECTED') return <Badge>{texts.archived}</Badge>;
  return <Badge tone={state === 'CONNECTED' ? 'good' : 'plain'}>{texts.states[state]}</Badge>;
}

export function nameOf({ firstName, lastName, email }: Connection['changedBy']): string {
  const name = [firstName, lastName].filter((part) => part !== null).join(' ');
  return name === '' ? (email ?? '') : name;
}
