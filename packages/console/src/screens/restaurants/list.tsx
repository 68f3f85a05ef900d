import type { RestaurantOverview } from '@servery/contract';
import { restaurants as texts } from '../../messages.ts';
import { Button } from '../../parts/button.tsx';
import { Filters, SelectFilter, TextFilter } from '../../parts/filters.tsx';
import { List } from '../../parts/list.tsx';
import { PageHead } from '../../parts/page.tsx';
import type { Column } from '../../parts/table.tsx';
import { Badge } from '../../parts/told.tsx';
import { hrefOf, useAddress } from '../../platform/address.ts';
import { nowMs } from '../../platform/clock.ts';
import { formatNear } from '../../platform/format.ts';
import { useLivePages } from '../../platform/pages.ts';
import { call } from '../../platform/session.ts';
import { CreateDialog } from './create-dialog.tsx';
import { groupsToCreateIn } from './groups.ts';

const EVERY_MS = 10_000;
const PAGE = 100;

export function RestaurantList() {
  const { query, change, go } = useAddress();
  const { find = '', archived = 'false' } = query;
  const filter = {
    ...(find.trim() !== '' && { search: find.trim() }),
    ...(archived !== 'all' && { archived: archived === 'true' }),
  };
  const list = useLivePages<RestaurantOverview>(
    JSON.stringify(filter),
    (pageToken) =>
      call('backOffice.restaurants.list', { query: { ...filter, pageSize: PAGE, pageToken } }),
    EVERY_MS,
  );
  const isFiltered = find !== '' || archived !== 'false';
  const open = ({ guid }: RestaurantOverview) => go('restaurants', { restaurant: guid });
  const mayCreate = groupsToCreateIn() !== 'none';
  return (
    <div class="stack">
      <PageHead title={texts.title} isLive={list.isLive}>
        {mayCreate && (
          <Button kind="main" onClick={() => change({ new: 'yes' })}>
            {texts.create.button}
          </Button>
        )}
      </PageHead>
      <Filters>
        <TextFilter name="find" label={texts.find} type="search" />
        <SelectFilter
          name="archived"
          initial="false"
          label={texts.show}
          options={Object.entries(texts.shows)}
        />
      </Filters>
      <List
        label={texts.title}
        {...{ list, texts, columns }}
        keyOf={({ guid }) => guid}
        onOpen={open}
        onClear={isFiltered ? () => change({ find: null, archived: null }) : null}
      />
      {query.new && mayCreate && <CreateDialog onClose={() => change({ new: null })} />}
    </div>
  );
}

const columns: readonly Column<RestaurantOverview>[] = [
  {
    id: 'name',
    label: texts.columns.name,
    cell: ({ guid, name, locationName, archived }) => (
      <>
        <a href={hrefOf('restaurants', { restaurant: guid })}>{name}</a>{' '}
        {archived && <Badge>{texts.archived}</Badge>}
        {locationName && <span class="under soft small">{locationName}</span>}
      </>
    ),
  },
  {
    id: 'location',
    label: texts.columns.location,
    isWideOnly: true,
    cell: ({ locationName }) => locationName,
  },
  {
    id: 'code',
    label: texts.columns.code,
    width: '6rem',
    isWideOnly: true,
    cell: ({ locationCode }) => locationCode,
  },
  {
    id: 'zone',
    label: texts.columns.zone,
    width: '13rem',
    isWideOnly: true,
    cell: ({ timeZone }) => timeZone,
  },
  {
    id: 'currency',
    label: texts.columns.currency,
    width: '5.5rem',
    isWideOnly: true,
    cell: ({ currencyCode }) => currencyCode,
  },
  {
    id: 'changed',
    label: texts.columns.changed,
    width: '10rem',
    cell: ({ modifiedAt, timeZone }) => (
      <span class="number">{formatNear(modifiedAt, nowMs.peek(), timeZone)}</span>
    ),
  },
];
