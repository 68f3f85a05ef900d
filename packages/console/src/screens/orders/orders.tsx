import './orders.css';
import { orders as texts } from '../../messages.ts';
import { RestaurantChoice } from '../../parts/restaurant-choice.tsx';
import { useAddress } from '../../platform/address.ts';
import { chosenRestaurant } from '../../platform/restaurants.ts';
import { Desk } from './desk.tsx';
import { OneOrder } from './one.tsx';

export default function Orders() {
  const { segments, query } = useAddress();
  const [, restaurantGuid, orderGuid] = segments;
  if (restaurantGuid && orderGuid) {
    return <OneOrder key={orderGuid} restaurantGuid={restaurantGuid} orderGuid={orderGuid} />;
  }
  const guid = chosenRestaurant(query);
  if (guid !== undefined) return <Desk key={guid} restaurantGuid={guid} />;
  return <RestaurantChoice title={texts.title} about={texts.chooseMore} />;
}
