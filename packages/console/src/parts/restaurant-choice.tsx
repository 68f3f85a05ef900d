import './restaurant-choice.css';
import { common } from '../messages.ts';
import { hrefOf, useAddress } from '../platform/address.ts';
import { restaurants } from '../platform/restaurants.ts';
import { who } from '../platform/session.ts';
import { Button } from './button.tsx';
import { Empty, Skeleton } from './told.tsx';

export interface RestaurantChoiceProps {
  /** Of the screen. */
  readonly title: string;
  /** Why one must be chosen. */
  readonly about: string;
}

/** In the place of a screen that is about one restaurant, until one is chosen. */
export function RestaurantChoice({ title, about }: RestaurantChoiceProps) {
  const { change } = useAddress();
  const all = restaurants.value;
  if (all.length === 0 && who.value?.restaurants.length !== 0) return <Skeleton />;
  if (all.length === 0) {
    return (
      <div class="stack">
        <h1>{title}</h1>
        <Empty title={common.noRestaurants}>
          <p>
            {common.noRestaurantsMore} <a href={hrefOf('restaurants')}>{common.toRestaurants}</a>
          </p>
        </Empty>
      </div>
    );
  }
  return (
    <div class="stack">
      <h1>{common.chooseRestaurant}</h1>
      <p class="soft">{about}</p>
      <div class="choices">
        {all
          .filter(({ archived }) => !archived)
          .map(({ guid, name }) => (
            <Button key={guid} onClick={() => change({ restaurant: guid })}>
              {name}
            </Button>
          ))}
      </div>
    </div>
  );
}
