import './restaurants.css';
import { Skeleton } from '../../parts/told.tsx';
import { useAddress } from '../../platform/address.ts';
import { chosenRestaurant, restaurants } from '../../platform/restaurants.ts';
import { who } from '../../platform/session.ts';
import { RestaurantList } from './list.tsx';
import { OneRestaurant } from './one.tsx';

/** The chosen restaurant, as on every page; without one, the list to choose from. */
export default function Restaurants() {
  const { query } = useAddress();
  const guid = chosenRestaurant(query);
  if (guid !== undefined) return <OneRestaurant key={guid} guid={guid} />;
  // A new platform has none, which the list says.
  const isLoading = restaurants.value.length === 0 && who.value?.restaurants.length !== 0;
  return isLoading ? <Skeleton /> : <RestaurantList />;
}
