import './menus.css';
import type { ConfigurationDraft } from '@servery/contract';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { menus as texts } from '../../messages.ts';
import { PageHead } from '../../parts/page.tsx';
import { RestaurantChoice } from '../../parts/restaurant-choice.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { Empty, ErrorPanel, Skeleton } from '../../parts/told.tsx';
import { useAddress } from '../../platform/address.ts';
import { useLive } from '../../platform/live.ts';
import {
  chosenRestaurant,
  type KnownRestaurant,
  restaurantOf,
} from '../../platform/restaurants.ts';
import { call, holds } from '../../platform/session.ts';
import { Catalog } from './catalog.ts';
import { Drafts } from './drafts.tsx';
import { Editor } from './editor.tsx';
import { Exchange } from './exchange.tsx';
import { Guests } from './guests.tsx';
import { History } from './history.tsx';
import { ListPane } from './list-pane.tsx';

const EVERY_MS = 3_000;

export default function Menus() {
  const { query } = useAddress();
  const guid = chosenRestaurant(query);
  if (guid === undefined) return <RestaurantChoice title={texts.title} about={texts.chooseMore} />;
  const restaurant = restaurantOf(guid);
  if (!restaurant) return <Skeleton />;
  return <MenusOf key={guid} restaurant={restaurant} />;
}

function MenusOf({ restaurant }: { readonly restaurant: KnownRestaurant }) {
  const { guid, timeZone } = restaurant;
  const { segments, query, go } = useAddress();
  const catalog = useMemo(() => new Catalog(guid), [guid]);
  const params = { restaurantGuid: guid };
  const { state, refresh } = useLive<ConfigurationDraft>(
    guid,
    async () => {
      const draft = await call('backOffice.configuration.draft.get', { params });
      catalog.follow(draft);
      return draft;
    },
    EVERY_MS,
  );
  const currency = useCurrency(guid);
  useEffect(() => {
    // Nothing typed is lost by a closed window without a question.
    const ask = (event: BeforeUnloadEvent) => {
      if (catalog.unsaved.size > 0) event.preventDefault();
    };
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [catalog]);
  const { value: draft, error, isLive } = state.value;
  if (!draft || currency === null) {
    return error ? <ErrorPanel error={error} onRetry={refresh} /> : <Skeleton lines={12} />;
  }
  const [, collection, objectGuid] = segments;
  const place = collection && objectGuid ? { collection, guid: objectGuid } : null;
  const tab = query.tab ?? 'edit';
  const count = draft.results.length;
  const mayChange = holds('configuration:write', guid);
  const shared = { catalog, currency, timeZone, onChanged: refresh };
  return (
    <div class={place ? 'stack menus with-object' : 'stack menus'}>
      <PageHead title={texts.title} isLive={isLive} />
      {error !== null && <ErrorPanel error={error} onRetry={refresh} />}
      <Tabs
        label={texts.title}
        chosen={tab}
        onChoose={(id) =>
          go('menus', { restaurant: query.restaurant, tab: id === 'edit' ? null : id })
        }
        tabs={Object.entries({
          ...texts.tabs,
          ...(count > 0 && { drafts: texts.draftsTab(count) }),
        })}
      >
        {tab === 'drafts' && <Drafts {...shared} draft={draft} />}
        {tab === 'guests' && <Guests restaurantGuid={guid} draft={draft} currency={currency} />}
        {tab === 'history' && <History {...shared} publishNumber={draft.publishNumber} />}
        {tab === 'files' && <Exchange {...shared} />}
        {tab === 'edit' && (
          <div class="menus-columns">
            <ListPane
              {...{ catalog, currency, mayChange }}
              draftState={draft.state}
              chosen={place && `${place.collection}/${place.guid}`}
            />
            <div class="menus-object">
              {place ? (
                <Editor {...shared} place={place} mayChange={mayChange} />
              ) : (
                <Empty title={texts.nothingOpen}>
                  <p>{mayChange ? texts.nothingOpenMore : texts.readOnly}</p>
                </Empty>
              )}
            </div>
          </div>
        )}
      </Tabs>
    </div>
  );
}

/** Null until it is known. */
function useCurrency(restaurantGuid: string): string | null {
  const [currency, setCurrency] = useState<string | null>(null);
  useEffect(() => {
    const params = { restaurantGuid };
    call('backOffice.restaurants.get', { params }).then(
      ({ general }) => setCurrency(general.currencyCode),
      // Without it, amounts are shown as in most places.
      () => setCurrency(FALLBACK_CURRENCY),
    );
  }, [restaurantGuid]);
  return currency;
}

const FALLBACK_CURRENCY = 'USD';
