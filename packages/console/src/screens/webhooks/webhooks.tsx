import './webhooks.css';
import { webhooks as texts } from '../../messages.ts';
import { Tabs } from '../../parts/tabs.tsx';
import { useAddress } from '../../platform/address.ts';
import { DeliveryList } from './deliveries.tsx';
import { OneDelivery } from './delivery.tsx';
import { OneEndpoint } from './endpoint.tsx';
import { EndpointList } from './endpoints.tsx';
import { VerifyForm } from './verify.tsx';

const views = {
  endpoints: EndpointList,
  deliveries: DeliveryList,
  verify: VerifyForm,
} as const;

type Tab = keyof typeof views;

export default function Webhooks() {
  return (
    <div class="webhooks">
      <View />
    </div>
  );
}

function View() {
  const { segments, query, go } = useAddress();
  const [, kind, guid] = segments;
  if (kind === 'endpoints' && guid) return <OneEndpoint key={guid} endpointGuid={guid} />;
  if (kind === 'deliveries' && guid) return <OneDelivery key={guid} deliveryGuid={guid} />;
  const isTab = (name: string | undefined): name is Tab =>
    name !== undefined && Object.hasOwn(views, name);
  const tab: Tab = isTab(query.tab) ? query.tab : 'endpoints';
  const Chosen = views[tab];
  return (
    <Tabs
      label={texts.title}
      tabs={Object.entries(texts.tabs)}
      chosen={tab}
      onChoose={(id) =>
        go('webhooks', { restaurant: query.restaurant, tab: id === 'endpoints' ? null : id })
      }
    >
      <Chosen />
    </Tabs>
  );
}
