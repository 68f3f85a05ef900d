import { useEffect, useState } from 'preact/hooks';
import { shell as texts } from '../messages.ts';
import { Menu } from '../parts/menu.tsx';
import { useAddress } from '../platform/address.ts';
import {
  type KnownRestaurant,
  restaurantOf,
  restaurants,
  searchRestaurants,
} from '../platform/restaurants.ts';

const SHOWN = 50;

/** Which restaurant the pages are about: it is in the address, and stays from page to page. */
export function PlaceMenu() {
  const { query, change } = useAddress();
  const chosen = query.restaurant ?? null;
  const [text, setText] = useState('');
  const [found, setFound] = useState<readonly KnownRestaurant[]>([]);
  const all = restaurants.value;
  useEffect(() => {
    let isCurrent = true;
    searchRestaurants(text).then(
      (results) => isCurrent && setFound(results),
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [text, all]);
  const name = chosen ? (restaurantOf(chosen)?.name ?? '…') : texts.allRestaurants;
  if (all.length === 1 && !chosen) return <span class="place">{all[0]?.name}</span>;
  const choose = (guid: string | null) => {
    setText('');
    change({ restaurant: guid });
  };
  return (
    <Menu
      label={texts.chooseRestaurant}
      shown={<span class="clip">{name}</span>}
      icon="place"
      kind="quiet"
      class="place"
    >
      <input
        type="search"
        aria-label={texts.findRestaurant}
        placeholder={texts.findRestaurant}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button
        type="button"
        class="item"
        aria-current={chosen === null ? 'true' : undefined}
        onClick={() => choose(null)}
      >
        {texts.allRestaurants}
      </button>
      {found.slice(0, SHOWN).map((each) => (
        <button
          key={each.guid}
          type="button"
          class="item"
          aria-current={chosen === each.guid ? 'true' : undefined}
          onClick={() => choose(each.guid)}
        >
          {each.name}
          {each.archived && <span class="soft small">{texts.archived}</span>}
        </button>
      ))}
    </Menu>
  );
}
