import type { Connection } from '@servery/contract';
import { connections as texts } from '../../messages.ts';
import { type Column, Table } from '../../parts/table.tsx';
import { Empty, ErrorPanel, LiveMark, Skeleton } from '../../parts/told.tsx';
import { formatDated } from '../../platform/format.ts';
import { useLivePages } from '../../platform/pages.ts';
import { call } from '../../platform/session.ts';
import { StateBadge } from './list.tsx';

const EVERY_MS = 5_000;
const PAGE = 100;

export interface PartnerConnectionsProps {
  readonly partnerGuid: string;
  readonly name: string;
}

/** For the people of a partner: which restaurants it has access to. They can't change that. */
export function PartnerConnections({ partnerGuid, name }: PartnerConnectionsProps) {
  const { state, refresh, more } = useLivePages<Connection>(
    partnerGuid,
    (pageToken) =>
      call('backOffice.partners.connections', {
        params: { partnerGuid },
        query: { pageSize: PAGE, pageToken },
      }),
    EVERY_MS,
  );
  const { value, error, isLive } = state.value;
  return (
    <div class="stack">
      <div class="page-head">
        <div>
          <h1>{texts.title}</h1>
          <p class="soft small">{texts.ofPartner(name)}</p>
        </div>
        <LiveMark isLive={isLive} />
      </div>
      {error !== null && <ErrorPanel error={error} onRetry={refresh} />}
      {!value && error === null && <Skeleton lines={8} />}
      {value?.rows.length === 0 && (
        <Empty title={texts.noRestaurants}>
          <p>{texts.noRestaurantsMore}</p>
        </Empty>
      )}
      {value && value.rows.length > 0 && (
        <Table
          label={texts.title}
          columns={columns}
          rows={value.rows}
          keyOf={({ restaurantGuid }) => restaurantGuid}
          onEnd={more}
        />
      )}
    </div>
  );
}

const columns: readonly Column<Connection>[] = [
  {
    id: 'restaurant',
    label: texts.restaurant,
    cell: ({ restaurantName, createdAt }) => (
      <>
        <strong>{restaurantName}</strong>
        <span class="under soft small">{texts.since(formatDated(createdAt))}</span>
      </>
    ),
  },
  {
    id: 'since',
    label: texts.sinceWhen,
    width: '13rem',
    isWideOnly: true,
    cell: ({ createdAt }) => formatDated(createdAt),
  },
  {
    id: 'reference',
    label: texts.reference,
    isWideOnly: true,
    cell: ({ externalRestaurantRef }) => externalRestaurantRef,
  },
  {
    id: 'reason',
    label: texts.fact.reason,
    isWideOnly: true,
    cell: ({ disconnectReason }) => disconnectReason,
  },
  {
    id: 'state',
    label: texts.state,
    width: '9rem',
    cell: (connection) => <StateBadge connection={connection} />,
  },
];
