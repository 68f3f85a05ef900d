import './payments.css';
import { payments as texts } from '../../messages.ts';
import { Tabs } from '../../parts/tabs.tsx';
import { useAddress } from '../../platform/address.ts';
import { Alarms } from './alarms.tsx';
import { PaymentList } from './list.tsx';
import { OnePayment } from './one.tsx';

export default function Payments() {
  const { segments, query, change } = useAddress();
  const [, merchantUuid, paymentUuid] = segments;
  if (merchantUuid && paymentUuid) {
    const id = `${merchantUuid}/${paymentUuid}`;
    return <OnePayment key={id} merchantUuid={merchantUuid} paymentUuid={paymentUuid} />;
  }
  const tab = query.tab === 'alarms' ? 'alarms' : 'list';
  return (
    <Tabs
      label={texts.title}
      tabs={[
        ['list', texts.title],
        ['alarms', texts.alarms.title],
      ]}
      chosen={tab}
      onChoose={(id) => change({ tab: id === 'list' ? null : id })}
    >
      {tab === 'list' ? <PaymentList /> : <Alarms />}
    </Tabs>
  );
}
