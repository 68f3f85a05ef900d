import type { RestaurantOverview } from '@servery/contract';
import { restaurants as texts } from '../../messages.ts';
import { Button } from '../../parts/button.tsx';
import { Field, Select } from '../../parts/field.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Badge, Empty, ErrorPanel, LiveMark, Skeleton } from '../../parts/told.tsx';
import { hrefOf, useAddress } from '../../platform/address.ts';
import { nowMs } from '../../platform/clock.ts';
import { formatNear } from '../../platform/format.ts';
import { useLivePages } from '../../platform/pages.ts';
import { call } from '../../platform/session.ts';
import { useTyped } from '../../platform/typed.ts';
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
  const { state, refresh, more } = useLivePages<RestaurantOverview>(
    JSON.stringify(filter),
    (pageToken) =>
      call('backOffice.restaurants.list', { query: { ...filter, pageSize: PAGE, pageToken } }),
    EVERY_MS,
  );
  const { value, error, isLive } = state.value;
  const isFiltered = find !== '' || archived !== 'false';
  const open = ({ guid }: RestaurantOverview) => go('restaurants', { restaurant: guid });
  const mayCreate = groupsToCreateIn() !== 'none';
  return (
    <div class="stack">
      <div class="page-head">
        <h1>{texts.title}</h1>
        <div class="row">
          <LiveMark isLive={isLive} />
          {mayCreate && (
            <Button kind="main" onClick={() => change({ new: 'yes' })}>
              {texts.create.button}
            </Button>
          )}
        </div>
      </div>
      <Filters />
      {error !== null && <ErrorPanel error={error} onRetry={refresh} />}
      {!value && error === null && <Skeleton lines={10} />}
      {value?.rows.length === 0 && (
        <Empty title={isFiltered ? texts.noneFit : texts.empty}>
          {isFiltered ? (
            <Button onClick={() => change({ find: null, archived: null })}>{texts.clear}</Button>
          ) : (
            <>
              <p>{texts.emptyMore}</p>
              <code>{texts.emptyCommand}</code>
            </>
          )}
        </Empty>
      )}
      {value && value.rows.length > 0 && (
        <Table
          label={texts.title}
          columns={columns}
          rows={value.rows}
          keyOf={({ guid }) => guid}
          onOpen={open}
          onEnd={more}
        />
      )}
      {query.new && mayCreate && <CreateDialog onClose={() => change({ new: null })} />}
    </div>
  );
}

function Filters() {
  const { query, change } = useAddress();
  const { archived = 'false' } = query;
  const [typed, type] = useTyped('find');
  return (
    <search class="filters" aria-label={texts.filters}>
      <Field label={texts.find} type="search" value={typed} onValue={type} />
      <Select
        label={texts.show}
        value={archived}
        onValue={(value) => change({ archived: value === 'false' ? null : value })}
        options={Object.entries(texts.shows).map(([value, label]) => ({ value, label }))}
      />
    </search>
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
