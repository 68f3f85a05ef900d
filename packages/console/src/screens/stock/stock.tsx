import './stock.css';
import type { StockChange, StockItem } from '@servery/contract';
import { useEffect, useMemo } from 'preact/hooks';
import { common, stock as texts } from '../../messages.ts';
import { Button } from '../../parts/button.tsx';
import { SelectFilter, TextFilter } from '../../parts/filters.tsx';
import { PageHead } from '../../parts/page.tsx';
import { RestaurantChoice } from '../../parts/restaurant-choice.tsx';
import { say, sayFailed } from '../../parts/toast.tsx';
import { Empty, ErrorPanel, Skeleton } from '../../parts/told.tsx';
import { useAddress } from '../../platform/address.ts';
import { nowMs } from '../../platform/clock.ts';
import { formatNear } from '../../platform/format.ts';
import { useLive } from '../../platform/live.ts';
import {
  chosenRestaurant,
  type KnownRestaurant,
  restaurantOf,
} from '../../platform/restaurants.ts';
import { holds, who } from '../../platform/session.ts';
import { Board } from './board.ts';
import { ItemDialog } from './item-dialog.tsx';
import { RanOutToday } from './ran-out.tsx';
import { describeStock } from './words.ts';

const CHANGES_EVERY_MS = 2_000;

export default function Stock() {
  const { query } = useAddress();
  const guid = chosenRestaurant(query);
  if (guid === undefined) return <RestaurantChoice title={texts.title} about={texts.chooseMore} />;
  const restaurant = restaurantOf(guid);
  if (!restaurant) return <Skeleton />;
  return <BoardOf key={guid} restaurant={restaurant} />;
}

function BoardOf({ restaurant }: { readonly restaurant: KnownRestaurant }) {
  const { guid, timeZone } = restaurant;
  const { query, change } = useAddress();
  const board = useMemo(() => new Board(guid, (made) => tell(made, timeZone)), [guid, timeZone]);
  const { state, refresh } = useLive(
    guid,
    () => board.refresh().then(() => true),
    CHANGES_EVERY_MS,
  );
  const { value: isLoaded, error, isLive } = state.value;
  const mayChange = holds('stock.admin:write', guid);
  const find = query.find ?? '';
  useEffect(() => {
    board.search(find).catch(sayFailed);
  }, [board, find]);
  const items = board.items.value;
  const open = query.item ? items.get(query.item) : undefined;
  if (!isLoaded) {
    return error ? <ErrorPanel error={error} onRetry={refresh} /> : <Skeleton lines={12} />;
  }
  const show = query.show ?? 'all';
  const counts = countStates(items);
  return (
    <div class="stack">
      <PageHead title={texts.title} about={texts.summary(counts.out, counts.low)} isLive={isLive} />
      {!mayChange && <p class="soft">{texts.readOnly}</p>}
      <div class="stock-tools">
        <TextFilter name="find" label={texts.filter} type="search" />
        <SelectFilter
          name="show"
          initial="all"
          label={texts.show}
          options={Object.entries(texts.shows)}
        />
      </div>
      {error !== null && <ErrorPanel error={error} onRetry={refresh} />}
      {items.size === 0 ? (
        <Empty title={texts.empty}>
          <p>{texts.emptyMore}</p>
          <code>{texts.emptyCommand}</code>
        </Empty>
      ) : (
        <div class="stock-columns">
          <Tiles
            board={board}
            find={find}
            show={show}
            timeZone={timeZone}
            onOpen={(item) => change({ item })}
          />
          <RanOutToday restaurant={restaurant} items={items} onOpen={(item) => change({ item })} />
        </div>
      )}
      {open && (
        <ItemDialog
          key={open.guid}
          board={board}
          item={open}
          timeZone={timeZone}
          mayChange={mayChange}
          onClose={() => change({ item: null })}
        />
      )}
    </div>
  );
}

interface TilesProps {
  readonly board: Board;
  readonly find: string;
  readonly show: string;
  readonly timeZone: string;
  readonly onOpen: (itemGuid: string) => void;
}

/** By menu and group; a search or a choice of states shows each fitting item once. */
function Tiles({ board, find, show, timeZone, onOpen }: TilesProps) {
  const { query, change } = useAddress();
  const items = board.items.value;
  const menus = board.menus.value;
  const tile = (item: StockItem) => (
    <Tile key={item.guid} item={item} timeZone={timeZone} onOpen={onOpen} />
  );
  if (find !== '' || show !== 'all') {
    const wanted = find.trim().toLocaleLowerCase();
    const fitting = [...items.values()]
      .filter(({ name, plu, sku }) =>
        [name, plu, sku].some((text) => text?.toLocaleLowerCase().includes(wanted)),
      )
      .filter((item) => show === 'all' || kindOf(item) === show)
      .sort((one, other) => one.name.localeCompare(other.name));
    if (fitting.length === 0) return <p class="soft">{texts.noneFit}</p>;
    return <div class="tiles">{fitting.map(tile)}</div>;
  }
  const onMenus = new Set(menus.flatMap(({ groups }) => groups.flatMap((group) => group.items)));
  const others = [...items.values()].filter(({ guid }) => !onMenus.has(guid));
  const sections = [
    ...menus,
    {
      guid: 'others',
      name: texts.others,
      groups: [{ guid: 'others', name: '', items: others.map(({ guid }) => guid) }],
    },
  ].filter(({ groups }) => groups.some((group) => group.items.some((guid) => items.has(guid))));
  const menu = sections.find(({ guid }) => guid === query.menu) ?? sections[0];
  return (
    <div class="stack">
      <div class="chips" role="group" aria-label={texts.title}>
        {sections.map(({ guid, name }) => (
          <Button
            key={guid}
            aria-pressed={guid === menu?.guid}
            onClick={() => change({ menu: guid })}
          >
            {name}
          </Button>
        ))}
      </div>
      {menu?.groups.map((group) => (
        <section key={group.guid} class="stack group">
          {group.name !== '' && <h2>{group.name}</h2>}
          <div class="tiles">
            {group.items.flatMap((guid) => {
              const item = items.get(guid);
              return item ? [tile(item)] : [];
            })}
          </div>
        </section>
      ))}
    </div>
  );
}

function Tile({
  item,
  timeZone,
  onOpen,
}: {
  readonly item: StockItem;
  readonly timeZone: string;
  readonly onOpen: (itemGuid: string) => void;
}) {
  return (
    <button type="button" class={`tile ${kindOf(item)}`} onClick={() => onOpen(item.guid)}>
      <span class="name">{item.name}</span>
      <span class="state">{describeStock(item, timeZone)}</span>
    </button>
  );
}

function kindOf({ status }: StockItem): 'all' | 'out' | 'low' {
  if (status === 'OUT_OF_STOCK') return 'out';
  return status === 'QUANTITY' ? 'low' : 'all';
}

function countStates(items: ReadonlyMap<string, StockItem>) {
  const kinds = [...items.values()].map(kindOf);
  const count = (kind: string) => kinds.filter((each) => each === kind).length;
  return { out: count('out'), low: count('low') };
}

/** Says what others changed; orders take stock all the time, so they don't count. */
function tell({ itemName, after: state, by, byName, cause, at }: StockChange, timeZone: string) {
  if (cause === 'ORDER' || cause === 'ORDER_VOID' || by === `person:${who.value?.id}`) return;
  const when = formatNear(at, nowMs.value, timeZone);
  const name = byName ?? texts.system;
  say(
    texts.changedElsewhere(
      itemName ?? common.none,
      describeStock(state, timeZone),
      `${name}, ${when}`,
    ),
  );
}
