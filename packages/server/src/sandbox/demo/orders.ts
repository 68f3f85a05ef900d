/** When an order is placed: at a local time of the business day before, or minutes ago. */
type DemoTime = { readonly yesterday: string } | { readonly minutesAgo: number };

export interface DemoItem {
  readonly item: string;
  readonly quantity?: number;
  readonly options?: readonly string[];
}

/** What becomes of an order, so many minutes after it was placed. */
export type DemoStep = { readonly minutes: number } & (
  | { readonly does: 'ready' | 'fulfil' | 'payCash' }
  | { readonly does: 'reject' | 'void'; readonly reason: string }
);

/** Objects of the restaurant have their names. */
export interface DemoOrder {
  readonly externalId: string;
  readonly restaurant: string;
  readonly placed: DemoTime;
  readonly diningOption: string;
  /** For the noon of the next day. */
  readonly isForTomorrow?: boolean;
  readonly table?: string;
  readonly numberOfGuests?: number;
  readonly customer?: object;
  readonly deliveryInfo?: object;
  readonly curbsidePickupInfo?: object;
  readonly items: readonly DemoItem[];
  /** Paid at once by a test card, with this tip. */
  readonly card?: { readonly tip: number };
  /** Paid at once by an alternate payment type. */
  readonly voucher?: string;
  readonly steps?: readonly DemoStep[];
}

const wren = { restaurant: 'The Early Wren' };
const hudhud = { restaurant: 'Hudhud Kitchens هدهد' };

/** One of each state that lasts. The phone numbers can't be dialed. */
export const demoOrders: readonly DemoOrder[] = [
  {
    ...wren,
    externalId: 'orderwhistle:1001',
    placed: { yesterday: '12:20' },
    diningOption: 'Table Service',
    table: 'Booth 3',
    numberOfGuests: 2,
    items: [
      {
        item: 'The Wren Burger',
        options: ['A Little Pink', 'Pretzel Bun', 'Sharp Cheddar', 'Onion Rings, Side'],
      },
      { item: 'Italian Beef', options: ['Dipped', 'Steak Fries'] },
      { item: 'Iced Tea, Fresh-Brewed', quantity: 2 },
    ],
    steps: [
      { minutes: 18, does: 'ready' },
      { minutes: 50, does: 'payCash' },
      { minutes: 51, does: 'fulfil' },
    ],
  },
  {
    ...wren,
    externalId: 'orderwhistle:1002',
    placed: { yesterday: '18:40' },
    diningOption: 'To Go',
    customer: { firstName: 'Rosa', lastName: 'Calloway', phone: '312-555-0142' },
    items: [
      { item: 'Loaded Potato Skins' },
      { item: 'Chicago-Style Hot Dog', quantity: 2, options: ['Coleslaw'] },
    ],
    card: { tip: 5 },
    steps: [
      { minutes: 15, does: 'ready' },
      { minutes: 22, does: 'fulfil' },
    ],
  },
  {
    ...wren,
    externalId: 'orderwhistle:1003',
    placed: { yesterday: '19:30' },
    diningOption: 'Delivery',
    customer: { firstName: 'Emil', lastName: 'Novak', phone: '312-555-0177' },
    deliveryInfo: {
      ...{ address1: '4700 Wren Street', city: 'Chicago', state: 'IL', zipCode: '60625' },
      notes: 'Third floor, the bell is broken.',
    },
    items: [{ item: 'Wisconsin Cheese Curds' }, { item: 'Chili Cheese Fries' }],
    voucher: 'Meal Voucher, Ravenswood Theater',
    steps: [{ minutes: 6, does: 'void', reason: 'The guest called: the play was canceled.' }],
  },
  {
    ...wren,
    externalId: 'orderwhistle:1004',
    placed: { minutesAgo: 40 },
    diningOption: 'Table Service',
    table: 'Booth 5',
    items: [
      { item: 'Francheezie', options: ['Crinkle-Cut Fries'] },
      { item: 'Cappuccino', options: ['Oat Milk'] },
    ],
    steps: [{ minutes: 25, does: 'ready' }],
  },
  {
    ...wren,
    externalId: 'orderwhistle:1005',
    placed: { minutesAgo: 12 },
    diningOption: 'To Go',
    customer: { firstName: 'June', lastName: 'Okafor', phone: '312-555-0119' },
    items: [
      { item: 'Toasted Ravioli' },
      { item: 'Chicken Wings by the Dozen', options: ['Honey Garlic'] },
      { item: 'Cold Brew', quantity: 2 },
    ],
    card: { tip: 0 },
  },
  {
    ...wren,
    externalId: 'orderwhistle:1006',
    placed: { minutesAgo: 5 },
    diningOption: 'Curbside on Larkin',
    isForTomorrow: true,
    customer: { firstName: 'Theo', lastName: 'Lindqvist', phone: '312-555-0163' },
    curbsidePickupInfo: { transportDescription: 'Pickup truck', transportColor: 'Green' },
    items: [{ item: 'Deviled Eggs with Paprika', quantity: 3 }, { item: 'Onion Ring Tower' }],
  },
  {
    ...hudhud,
    externalId: 'orderwhistle:2001',
    placed: { minutesAgo: 35 },
    diningOption: 'Pickup Hatch استلام',
    customer: {
      firstName: 'Noura',
      lastName: 'Al-Salem',
      phone: '50000123',
      phoneCountryCode: '965',
    },
    items: [{ item: 'Hummus Beiruti حمص بيروتي', quantity: 2 }],
    steps: [{ minutes: 4, does: 'reject', reason: 'The mezze counter is closed.' }],
  },
  {
    ...hudhud,
    externalId: 'orderwhistle:2002',
    placed: { minutesAgo: 1 },
    diningOption: 'Pickup Hatch استلام',
    customer: {
      firstName: 'Faisal',
      lastName: 'Haddad',
      phone: '50000456',
      phoneCountryCode: '965',
    },
    items: [{ item: 'Tabbouleh تبولة' }, { item: 'Batata Harra بطاطا حرة', quantity: 2 }],
  },
];
