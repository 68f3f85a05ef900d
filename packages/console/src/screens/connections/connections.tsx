import './connections.css';
import { connections as texts } from '../../messages.ts';
import { RestaurantChoice } from '../../parts/restaurant-choice.tsx';
import { useAddress } from '../../platform/address.ts';
import { chosenRestaurant } from '../../platform/restaurants.ts';
import { who } from '../../platform/session.ts';
import { ConnectionList } from './list.tsx';
import { PartnerConnections } from './of-partner.tsx';
import { OneConnection } from './one.tsx';

/** About one restaurant at a time: who has access to it. */
export default function Connections() {
  const { segments, query } = useAddress();
  const guid = chosenRestaurant(query);
  const [, partnerGuid] = segments;
  if (guid === undefined) {
    const partners = (who.value?.grants ?? []).filter(({ place }) => place === 'partner');
    if (who.value?.restaurants.length === 0 && partners.length > 0) {
      return (
        <div class="stack">
          {partners.map(({ guid: partner, name }) => (
            <PartnerConnections key={partner} partnerGuid={partner ?? ''} name={name ?? ''} />
          ))}
        </div>
      );
    }
    return <RestaurantChoice title={texts.title} about={texts.chooseMore} />;
  }
  if (!partnerGuid) return <ConnectionList key={guid} restaurantGuid={guid} />;
  const id = `${guid}/${partnerGuid}`;
  return <OneConnection key={id} restaurantGuid={guid} partnerGuid={partnerGuid} />;
}
