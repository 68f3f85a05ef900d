import { payments } from '../../messages.ts';
import { hrefOf } from '../../platform/address.ts';
import { formatMoney, parseAmount } from '../../platform/format.ts';
import { call } from '../../platform/session.ts';
import type { Screen } from '../../screens.ts';

const LAST_FOUR = /^\d{4}$/;
/** A number alone is nobody's amount. */
const LIKE_AMOUNT = /^\p{Sc}|\d[.,]\d{2,3}$/u;

export default {
  id: 'payments',
  label: payments.title,
  icon: 'payments',
  order: 20,
  scope: 'payments.lifecycle:read',
  load: () => import('./payments.tsx'),
  find: async (text, restaurantGuid) => {
    const amount = LIKE_AMOUNT.test(text) ? parseAmount(text) : null;
    if (amount === null && !LAST_FOUR.test(text)) return [];
    const sought = amount === null ? { cardLast4: text } : { amount };
    const filter = restaurantGuid === null ? {} : { merchantUuid: restaurantGuid };
    const query = { ...filter, ...sought, pageSize: 8 };
    const { results } = await call('backOffice.payments.list', { query });
    return results.map((payment) => ({
      label: `${formatMoney(payment.amount + payment.tipAmount, payment.currencyCode)} · •${payment.cardLast4 ?? ''}`,
      detail: payments.found(payments.states[payment.paymentState]),
      href: hrefOf(`payments/${payment.merchantGuid}/${payment.paymentUuid}`),
    }));
  },
} satisfies Screen;
