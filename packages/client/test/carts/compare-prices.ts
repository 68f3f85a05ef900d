import type { MenuItemSelection, Order, OrderRequest } from '@servery/contract';
import { lotsOf } from '../../../../tools/verify/crash/random.ts';
import { ErrorAnswer } from '../../src/errors.ts';
import {
  type CartPrice,
  guestMenu,
  type MenusCopy,
  type ModifierPrice,
  priceOf,
  type SelectionPrice,
  syncMenus,
} from '../../src/menu.ts';
import type { Sandbox } from '../sandbox.ts';
import { randomCart, withoutExtras } from './random-cart.ts';

/** What came of pricing carts with the client and with the platform. */
export interface Comparison {
  /** Carts that both priced, to the same amounts. */
  equal: number;
  /** Carts that they priced differently, as the client said that they might. */
  unsure: number;
  /** Carts that the platform refused, and why. */
  readonly refused: Map<string, number>;
  /** Carts that they priced differently, although the client was sure, with both prices. */
  readonly different: string[];
}

const CHANNELS = ['ORDERING_PARTNERS', 'POS', 'KIOSK'];
/** Instants that are far apart, with whole menus at each. */
const CARTS_OF_AN_INSTANT = 250;
const AT_ONCE = 8;

/**
 * Fills random carts from the menus of every restaurant, at instants all over a week, until `count`
 * of them were priced by both. The same seed fills the same carts.
 */
export async function comparePrices(
  { platform, operator, open }: Sandbox,
  count: number,
  seed: number,
  tell: (comparison: Comparison) => void = () => {},
): Promise<Comparison> {
  const lots = lotsOf(seed);
  const found: Comparison = { equal: 0, unsure: 0, refused: new Map(), different: [] };
  const restaurants = platform.demo.restaurants.filter(({ archived }) => !archived);
  const copies = await Promise.all(
    restaurants.map(async ({ guid, currencyCode }) => {
      const servery = open().at(guid, currencyCode);
      return { servery, copy: await syncMenus(servery) };
    }),
  );
  const orderable = copies.filter(({ copy }) => copy.document !== null);
  const startMs = Date.parse((await operator.call('backOffice.clock.get')).now);
  while (found.equal < count && found.different.length === 0) {
    const atMs = startMs + lots.between(0, 7 * 24 * 60) * 60_000;
    const at = new Date(atMs);
    await operator.call('backOffice.clock.freeze');
    await operator.call('backOffice.clock.set', { body: { now: at.toISOString() } });
    const carts = Array.from({ length: Math.min(CARTS_OF_AN_INSTANT, count) }, () => {
      const { servery, copy } = lots.pick(orderable);
      const channel = lots.pick(CHANNELS);
      const menu = guestMenu(copy.document as NonNullable<MenusCopy['document']>, { at, channel });
      const cart = menu.menus.length === 0 ? null : randomCart(lots, menu, copy);
      return { servery, copy, cart };
    });
    const waiting = carts.flatMap(({ cart, ...rest }) => (cart ? [{ cart, ...rest }] : []));
    const work = async () => {
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        const { servery, copy, cart } = next;
        const isPriced = await compare(servery, copy, cart, at, found);
        if (!isPriced) await compare(servery, copy, withoutExtras(cart), at, found);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    tell(found);
  }
  return found;
}

/** False if the platform refused the cart. */
async function compare(
  servery: ReturnType<Sandbox['open']>,
  copy: MenusCopy,
  cart: OrderRequest,
  at: Date,
  found: Comparison,
): Promise<boolean> {
  const price = priceOf(cart, copy, { at });
  let order: Order;
  try {
    order = await servery.orders.price(cart);
  } catch (error) {
    if (!(error instanceof ErrorAnswer) || error.status >= 500) throw error;
    const reason = (error.faults[0]?.message ?? error.message).replaceAll(/\d+/g, 'N');
    found.refused.set(reason, (found.refused.get(reason) ?? 0) + 1);
    return false;
  }
  const isEqual = JSON.stringify(shownPrice(price)) === JSON.stringify(shownOrder(order));
  const isUnsure = price.isPriced && price.unsure.length > 0;
  if (isEqual) found.equal += 1;
  else if (isUnsure) found.unsure += 1;
  else {
    const [client, platform] = [shownPrice(price), shownOrder(order)].map((one) =>
      JSON.stringify(one),
    );
    found.different.push(
      `${at.toISOString()} ${copy.restaurant}\n${JSON.stringify(cart)}\n${client}\n${platform}`,
    );
  }
  return true;
}

function shownPrice(price: CartPrice): unknown {
  if (!price.isPriced) return price.faults;
  return price.checks.map(({ selections, appliedServiceCharges, ...check }) => ({
    ...{ amount: check.amount, taxAmount: check.taxAmount, totalAmount: check.totalAmount },
    charges: appliedServiceCharges.map(({ chargeAmount }) => chargeAmount),
    selections: selections.map(shownSelection),
  }));
}

function shownSelection({ receiptLinePrice, preDiscountPrice, ...one }: SelectionPrice): unknown {
  const { price, tax, modifiers } = one;
  return {
    receiptLinePrice,
    preDiscountPrice,
    price,
    tax,
    modifiers: modifiers.map(shownModifier),
  };
}

function shownModifier({ receiptLinePrice, price, modifiers }: ModifierPrice): unknown {
  return { receiptLinePrice, price, modifiers: modifiers.map(shownModifier) };
}

function shownOrder({ checks }: Order): unknown {
  return checks.map(({ amount, taxAmount, totalAmount, ...check }) => ({
    ...{ amount, taxAmount, totalAmount },
    charges: check.appliedServiceCharges.map(({ chargeAmount }) => chargeAmount),
    selections: check.selections.map(({ receiptLinePrice, preDiscountPrice, ...one }) => ({
      ...{ receiptLinePrice, preDiscountPrice, price: one.price, tax: one.tax },
      modifiers: one.modifiers.map(shownOrdered),
    })),
  }));
}

function shownOrdered({ receiptLinePrice, price, modifiers }: MenuItemSelection): unknown {
  return { receiptLinePrice, price, modifiers: modifiers.map(shownOrdered) };
}
