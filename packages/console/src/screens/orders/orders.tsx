import './orders.css';
import { orders as texts } from '../../messages.ts';
import { Button } from '../../parts/button.tsx';
import { Skeleton } from '../../parts/told.tsx';
import { useAddress } from '../../platform/address.ts';
import { restaurants } from '../../platform/restaurants.ts';
import { Desk } from './desk.tsx';
import { OneOrder } from './one.tsx';

export default function Orders() {
  const { segments, query, change } = useAddress();
  const [, restaurantGuid, orderGuid] = segments;
  if (restaurantGuid && orderGuid) {
    return <OneOrder key={orderGuid} restaurantGuid={restaurantGuid} orderGuid={orderGuid} />;
  }
  const all = restaurants.value;
  const guid = query.restaurant ?? (all.length === 1 ? all[0]?.guid : undefined);
  if (guid !== undefined) return <Desk key={guid} restaurantGuid={guid} />;
  if (all.length === 0) return <Skeleton />;
  return (
    <div class="stack">
      <h1>{texts.choose}</h1>
      <p class="soft">{texts.chooseMore}</p>
      <div class="order-places">
        {all
          .filter(({ archived }) => !archived)
          .map((each) => (
            <Button key={each.guid} onClick={() => change({ restaurant: each.guid })}>
              {each.name}
            </Button>
          ))}
      </div>
    </div>
  );
}
