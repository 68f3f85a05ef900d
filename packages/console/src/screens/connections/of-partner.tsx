import type { Connection } from '@servery/contract';
import { connections as texts } from '../../messages.ts';
import { List } from '../../parts/list.tsx';
import { PageHead } from '../../parts/page.tsx';
import type { Column } from '../../parts/table.tsx';
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
  const list = useLivePages<Connection>(
    partnerGuid,
    (pageToken) =>
      call('backOffice.partners.connections', {
        params: { partnerGuid },
        query: { pageSize: PAGE, pageToken },
      }),
    EVERY_MS,
  );
  return (
    <div class="stack">
      <PageHead title={texts.title} about={texts.ofPartner(name)} isLive={list.isLive} />
      <List
        label={texts.title}
        {...{ list, columns }}
        texts={{ empty: texts.noRestaurants, emptyMore: texts.noRestaurantsMore }}
        keyOf={({ restaurantGuid }) => restaurantGuid}
      />
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
