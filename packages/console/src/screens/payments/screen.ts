import { payments } from '../../messages.ts';
import { hrefOf } from '../../platform/address.ts';
import { formatMoney } from '../../platform/format.ts';
import { call } from '../../platform/session.ts';
import type { Screen } from '../../screens.ts';

const LAST_FOUR = /^\d{4}$/;

export default {
  id: 'payments',
  label: payments.title,
  icon: 'payments',
  order: 20,
  scope: 'payments.lifecycle:read',
  load: () => import('./payments.tsx'),
  find: async (text, restaurantGuid) => {
    if (!LAST_FOUR.test(text)) return [];
    const filter = restaurantGuid === null ? {} : { merchantUuid: restaurantGuid };
    const query = { ...filter, cardLast4: text, pageSize: 8 };
    const { results } = await call('backOffice.payments.list', { query });
    return results.map((payment) => ({
      label: `${formatMoney(payment.amount + payment.tipAmount, payment.currencyCode)} · •${text}`,
      detail: payments.found(payments.states[payment.paymentState]),
      href: hrefOf(`payments/${payment.merchantGuid}/${payment.paymentUuid}`),
    }));
  },
} satisfies Screen;
