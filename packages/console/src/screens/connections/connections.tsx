import './connections.css';
import { connections as texts } from '../../messages.ts';
import { Button } from '../../parts/button.tsx';
import { Empty, Skeleton } from '../../parts/told.tsx';
import { useAddress } from '../../platform/address.ts';
import { restaurants } from '../../platform/restaurants.ts';
import { who } from '../../platform/session.ts';
import { ConnectionList } from './list.tsx';
import { PartnerConnections } from './of-partner.tsx';
import { OneConnection } from './one.tsx';

/** About one restaurant at a time: who has access to it. */
export default function Connections() {
  const { segments, query, change } = useAddress();
  const all = restaurants.value;
  const guid = query.restaurant ?? (all.length === 1 ? all[0]?.guid : undefined);
  const [, partnerGuid] = segments;
  if (guid === undefined) {
    const partners = (who.value?.grants ?? []).filter(({ place }) => place === 'partner');
    if (who.value?.restaurantCount === 0 && partners.length > 0) {
      return (
        <div class="stack">
          {partners.map(({ guid: partner, name }) => (
            <PartnerConnections key={partner} partnerGuid={partner ?? ''} name={name ?? ''} />
          ))}
        </div>
      );
    }
    if (all.length === 0 && who.value?.restaurantCount !== 0) return <Skeleton />;
    if (all.length === 0) {
      return (
        <div class="stack">
          <h1>{texts.title}</h1>
          <Empty title={texts.noneYet}>
            <p>{texts.noneYetMore}</p>
          </Empty>
        </div>
      );
    }
    return (
      <div class="stack">
        <h1>{texts.choose}</h1>
        <p class="soft">{texts.chooseMore}</p>
        <div class="places">
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
  if (!partnerGuid) return <ConnectionList key={guid} restaurantGuid={guid} />;
  const id = `${guid}/${partnerGuid}`;
  return <OneConnection key={id} restaurantGuid={guid} partnerGuid={partnerGuid} />;
}
