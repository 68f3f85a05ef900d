import type { Static } from 'typebox';
import {
  answer,
  decimal,
  flag,
  identifier,
  limits,
  list,
  orNull,
  text,
  uuid,
  whole,
} from './field.ts';
import { Type } from './type.ts';

const { line, words, address } = limits;

export const Restaurant = answer('A restaurant, by its identifier.', {
  guid: uuid('The restaurant.'),
});
export type Restaurant = Static<typeof Restaurant>;

export const General = answer('What the restaurant is and where it belongs.', {
  name: text('Name that guests see.', line),
  locationName: orNull(text('Name that lets guests distinguish the locations of a group.', line)),
  locationCode: orNull(identifier('Internal code of the location, commonly 3 or 4 letters.')),
  description: orNull(text('Description of the restaurant.', words)),
  timeZone: identifier('Time zone by its IANA name.', { examples: ['America/New_York'] }),
  closeoutHour: whole('Hour in the time zone of the restaurant that separates business days.', {
    maximum: 12,
    default: 4,
  }),
  managementGroupGuid: uuid('The management group that the restaurant belongs to.'),
  currencyCode: text(
    'ISO 4217 code of the currency of all amounts of the restaurant, for example EUR.',
    {
      pattern: '^[A-Z]{3}$',
      '~must': 'be an ISO 4217 code, for example EUR',
    },
  ),
  firstBusinessDate: orNull(
    whole('First day on the platform, as the number yyyyMMdd; null before that day.'),
  ),
  archived: flag(
    'True if the restaurant was archived, for example because it was created by mistake.',
    {
      default: false,
    },
  ),
});
export type General = Static<typeof General>;

/** Named like in the spec. */
export const URLs = answer('Web addresses of the restaurant; null if not set.', {
  website: orNull(identifier('Its website.', address)),
  facebook: orNull(identifier('Its social media page.', address)),
  twitter: orNull(identifier('Its social media handle.', address)),
  orderOnline: orNull(identifier('Where guests order.', address)),
  purchaseGiftCard: orNull(identifier('Where guests buy a gift card.', address)),
  checkGiftCard: orNull(identifier('Where guests check the balance of a gift card.', address)),
});
export type URLs = Static<typeof URLs>;

export const Location = answer('Where the restaurant is.', {
  address1: orNull(text('First line of the address.', line)),
  address2: orNull(text('Second line of the address.', line)),
  city: orNull(text('City.', line)),
  stateCode: orNull(
    identifier('Code of the state. Deprecated: use administrativeArea.', { deprecated: true }),
  ),
  administrativeArea: orNull(text('Name of the state, province, or county.', line)),
  zipCode: orNull(identifier('Postal code.')),
  country: orNull(text('Country.', line)),
  phone: orNull(identifier('Phone number without the country code.')),
  phoneCountryCode: orNull(identifier('Phone country code, digits only.')),
  latitude: orNull(decimal('Decimal degrees, north positive.', { minimum: -90, maximum: 90 })),
  longitude: orNull(decimal('Decimal degrees, east positive.', { minimum: -180, maximum: 180 })),
});
export type Location = Static<typeof Location>;

/** No operation answers it yet. */
export const RestaurantImage = answer('A picture with its size.', {
  width: whole('Width in pixels.'),
  height: whole('Height in pixels.'),
  url: text('Address of the picture.', { format: 'uri' }),
  heightWidthRatio: decimal('Height divided by width.', { format: 'float' }),
});
export type RestaurantImage = Static<typeof RestaurantImage>;

const timeOfDay = (description: string) =>
  text(`${description} Local time, HH:mm:ss.SSS.`, {
    pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\\.[0-9]{3}$',
    '~must': 'be a local time HH:mm:ss.SSS, for example 09:30:00.000',
  });

export const Hours = answer('A start time and an end time.', {
  startTime: timeOfDay('Start.'),
  endTime: timeOfDay('End.'),
});
export type Hours = Static<typeof Hours>;

export const Service = answer('A meal service on a type of day.', {
  name: text('Name of the service, for example Lunch.', line),
  hours: Hours,
  overnight: flag(
    'True if it ends after midnight and before the closeoutHour: two calendar dates, one ' +
      'business day.',
  ),
});
export type Service = Static<typeof Service>;

export const DaySchedule = answer('The schedule of a type of day.', {
  scheduleName: text('Name of the type of day.', line),
  services: list(Service, 'The services of the day, sorted by start.', { maxItems: 100 }),
  openTime: orNull(timeOfDay('Start of the first service.')),
  closeTime: orNull(timeOfDay('End of the last service.')),
});
export type DaySchedule = Static<typeof DaySchedule>;

const day = orNull(
  text('Key in daySchedules; null if the restaurant is closed that day.', {
    pattern: '^[0-9]+$',
    ...line,
  }),
);

export const WeekSchedule = answer('The type of day of each weekday.', {
  monday: day,
  tuesday: day,
  wednesday: day,
  thursday: day,
  friday: day,
  saturday: day,
  sunday: day,
});
export type WeekSchedule = Static<typeof WeekSchedule>;

export const Schedules = answer('When the restaurant is open.', {
  daySchedules: Type.Unsafe<Record<string, DaySchedule>>({
    type: 'object',
    description: 'The types of day. Each key consists of digits.',
    propertyNames: { pattern: '^[0-9]+$', ...line },
    maxProperties: 1_000,
    additionalProperties: DaySchedule,
  }),
  weekSchedule: WeekSchedule,
});
export type Schedules = Static<typeof Schedules>;

export const Delivery = answer('How the restaurant delivers.', {
  enabled: flag('Whether delivery is offered and enabled in the back office.', {
    default: false,
  }),
  minimum: orNull(decimal('Minimum order price, in currency units.', { minimum: 0 })),
  area: orNull(
    identifier(
      'Delivery area as an encoded polyline of latitude and longitude in decimal degrees.',
      {
        maxLength: 16_384,
      },
    ),
  ),
});
export type Delivery = Static<typeof Delivery>;

const ccSameDay = flag('Credit card, if the order is for the same day.', { default: false });
const ccFuture = flag('Credit card, if the order is for a later day.', { default: false });
const cash = flag('Cash.', { default: false });

export const DeliveryPaymentOptions = answer('How a delivery can be paid.', {
  cash,
  ccSameDay,
  ccFuture,
});
export type DeliveryPaymentOptions = Static<typeof DeliveryPaymentOptions>;

export const TakeoutPaymentOptions = answer('How a takeout order can be paid.', {
  cash,
  ccSameDay,
  ccFuture,
  ccInStore: flag('Credit card at pickup.', { default: false }),
});
export type TakeoutPaymentOptions = Static<typeof TakeoutPaymentOptions>;

export const PaymentOptions = answer('How online orders can be paid.', {
  delivery: DeliveryPaymentOptions,
  takeout: TakeoutPaymentOptions,
  ccTip: flag('Whether guests can tip by credit card.', { default: false }),
});
export type PaymentOptions = Static<typeof PaymentOptions>;

export const OnlineOrdering = answer('What guests can do online.', {
  enabled: flag(
    'True if online ordering was ever enabled. It does not mean that orders are accepted ' + 'now.',
    { default: false },
  ),
  scheduling: flag(
    'Whether guests may order ahead. Otherwise orders are prepared as soon as possible.',
    {
      default: false,
    },
  ),
  specialRequests: flag('Whether guests may add a written note.', { default: false }),
  specialRequestsMessage: orNull(
    text('The text that guests see next to the field for the note.', words),
  ),
  paymentOptions: PaymentOptions,
});
export type OnlineOrdering = Static<typeof OnlineOrdering>;

const minutes = (description: string) => orNull(whole(`${description} In minutes.`));

export const PrepTimes = answer('How long orders take.', {
  deliveryPrepTime: minutes('Preparation time of a delivery order.'),
  deliveryTimeAfterOpen: minutes('Time from opening to the first delivery.'),
  deliveryTimeBeforeClose: minutes('Time from the last delivery to closing.'),
  takeoutPrepTime: minutes('Preparation time of a takeout order.'),
  takeoutTimeAfterOpen: minutes('Time from opening to the first takeout.'),
  takeoutTimeBeforeClose: minutes('Time from the last takeout to closing.'),
  takeoutThrottlingTime: minutes('Delay before the kitchen receives an online takeout order.'),
  deliveryThrottlingTime: minutes('Delay before the kitchen receives an online delivery order.'),
});
export type PrepTimes = Static<typeof PrepTimes>;

export const RestaurantInfo = answer('All information about a restaurant.', {
  guid: uuid('The restaurant.'),
  general: General,
  urls: URLs,
  location: Location,
  schedules: Schedules,
  delivery: Delivery,
  onlineOrdering: OnlineOrdering,
  prepTimes: PrepTimes,
});
export type RestaurantInfo = Static<typeof RestaurantInfo>;
