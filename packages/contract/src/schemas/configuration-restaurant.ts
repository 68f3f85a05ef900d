import type { Static } from 'typebox';
import { choice, flag, limits, line, orNull, text, whole } from './field.ts';
import { ExternalReference, externallyReferenced, Reference, referenced } from './reference.ts';

const named = <const Name extends string>(name: Name, description: string) =>
  referenced(name, description, { name: line('Its name.') });

export const BreakType = referenced('BreakType', 'A kind of break that employees can take.', {
  name: line('Name of the break.'),
  active: flag('Whether employees can take the break.', { default: true }),
  paid: flag('Whether the break counts as working time.', { default: false }),
  duration: whole('Length of the break in minutes.'),
  enforceMinimumTime: flag('Whether employees must take the full length.', { default: false }),
  trackMissedBreaks: flag('Whether missed breaks are recorded.', { default: false }),
  breakIntervalHrs: orNull(
    whole(
      'Hours of work after which the break is due. May be null if missed breaks are not ' +
        'tracked.',
    ),
  ),
  breakIntervalMins: orNull(
    whole('Minutes added to breakIntervalHrs. May be null if missed breaks are not tracked.'),
  ),
  trackBreakAcknowledgement: flag(
    'Whether employees confirm their breaks. Has no effect if trackMissedBreaks is false.',
    { default: false },
  ),
});
export type BreakType = Static<typeof BreakType>;

export const CashDrawer = referenced('CashDrawer', 'A drawer for cash.', {
  printer: orNull(Reference, 'The printer that opens the drawer.'),
});
export type CashDrawer = Static<typeof CashDrawer>;

export const DiningOption = externallyReferenced('DiningOption', 'How the guest gets the food.', {
  name: line('Name of the dining option.'),
  behavior: choice(
    'TAKE_OUT and DELIVERY require a customer on the order. DELIVERY also requires ' +
      'delivery information.',
    ['DINE_IN', 'TAKE_OUT', 'DELIVERY'],
  ),
  curbside: flag("Whether the order is brought to the guest's car.", { default: false }),
});
export type DiningOption = Static<typeof DiningOption>;

export const NoSaleReason = named('NoSaleReason', 'Why a drawer is opened without a sale.');
export type NoSaleReason = Static<typeof NoSaleReason>;

export const PayoutReason = named('PayoutReason', 'A recurring cash expense.');
export type PayoutReason = Static<typeof PayoutReason>;

export const Printer = named('Printer', 'A printer of the restaurant.');
export type Printer = Static<typeof Printer>;

export const RestaurantService = named('RestaurantService', 'A meal service, for example lunch.');
export type RestaurantService = Static<typeof RestaurantService>;

export const RevenueCenter = referenced(
  'RevenueCenter',
  'Service areas and devices whose revenue is reported separately.',
  {
    name: line('Name of the revenue center.'),
    description: orNull(text('What it is for; null if not set.', limits.words)),
  },
);
export type RevenueCenter = Static<typeof RevenueCenter>;

export const ServiceArea = referenced('ServiceArea', 'A part of the restaurant with tables.', {
  name: line('Name of the service area.'),
  revenueCenter: orNull(ExternalReference, 'The revenue center that its sales count for.'),
});
export type ServiceArea = Static<typeof ServiceArea>;

export const Table = referenced('Table', 'A table.', {
  name: line('Name or number of the table.'),
  serviceArea: orNull(Reference, 'The service area of the table.'),
  revenueCenter: orNull(ExternalReference, 'The revenue center that its sales count for.'),
});
export type Table = Static<typeof Table>;

export const VoidReason = named('VoidReason', 'Why something was removed from a check.');
export type VoidReason = Static<typeof VoidReason>;
