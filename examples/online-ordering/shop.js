import { OrderUnknown } from '@servery/client';
import { guestMenu, priceOf } from '@servery/client/menu';

const guest = { identifier: 'guest-1', ipAddress: '203.0.113.7' };

/** What a guest can order at an instant. `copy` is the result of `syncMenus`. */
export function listItems(copy, stock, at = new Date()) {
  const { menus } = guestMenu(copy.document, { at, stock });
  const groups = menus.flatMap((menu) => menu.groups);
  return groups.flatMap(({ items }) => items).filter(({ canOrder }) => canOrder);
}

/** One portion to take out, with its default options, and the first of those that it needs. */
export function cartOf(item, copy, customer) {
  const modifiers = item.modifierGroups.flatMap(({ guid, options, minSelections }) => {
    const offered = options.filter(({ canOrder }) => canOrder);
    const defaults = offered.filter(({ isDefault }) => isDefault);
    const chosen = defaults.length > 0 ? defaults : offered.slice(0, minSelections);
    return chosen.map((option) => ({ optionGroup: { guid }, item: { guid: option.guid } }));
  });
  const selection = {
    itemGroup: { guid: item.itemGroup },
    item: { guid: item.guid },
    quantity: 1,
    modifiers,
  };
  const takeOut = copy.configuration.diningOptions.find(({ behavior }) => behavior === 'TAKE_OUT');
  return {
    diningOption: { guid: takeOut.guid },
    checks: [{ selections: [selection], customer }],
  };
}

/** What the guest pays, with tax: what the platform will say, without asking it. */
export function totalOf(cart, copy) {
  const price = priceOf(cart, copy);
  if (!price.isPriced) throw new Error(`${price.faults[0].place}: ${price.faults[0].reason}`);
  return price.checks[0].totalAmount;
}

/** Has the card pay for the cart, and places the order. Throws an Error if nothing was ordered. */
export async function buy(servery, cart, amount, card) {
  const payment = await servery.payments.prepare({ amount, card, guest });
  let answer = await servery.payments.authorize(payment);
  // Money may be on hold: find out, and never start another payment.
  while (answer.outcome === 'unknown') answer = await servery.payments.resolve(payment);
  if (answer.outcome === 'declined') throw new Error(answer.reason ?? 'The card was declined.');
  let order = cart;
  let options = { payment: answer };
  for (;;) {
    try {
      return await servery.orders.place(order, options);
    } catch (error) {
      if (!(error instanceof OrderUnknown)) throw error;
      // It may be placed: find out, and never place another order.
      order = error.order;
      options = { again: true };
    }
  }
}
