import type { Static } from 'typebox';
import { choice, flag, limits, line, orNull, text, whole } from './field.ts';
import { ExternalReference, externallyReferenced, Reference, referenced } from './reference.ts';

/** A resource that has a name and nothing else. */
const named = <const Name extends string>(name: Name, description: string) =>
  referenced(name, description, { name: line('Its name.') });

/** A kind of break that employees can take. */
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
/** A kind of break that employees can take. */
export type BreakType = Static<typeof BreakType>;

/** A drawer for cash. */
export const CashDrawer = referenced('CashDrawer', 'A drawer for cash.', {
  printer: orNull(Reference, 'The printer that opens the drawer.'),
});
/** A drawer for cash. */
export type CashDrawer = Static<typeof CashDrawer>;

/** A way to get the food: at the table, taken along or delivered. */
export const DiningOption = externallyReferenced('DiningOption', 'How the guest gets the food.', {
  name: line('Name of the dining option.'),
  behavior: choice(
    'TAKE_OUT and DELIVERY require a customer on the order. DELIVERY also requires ' +
      'delivery information.',
    ['DINE_IN', 'TAKE_OUT', 'DELIVERY'],
  ),
  curbside: flag("Whether the order is brought to the guest's car.", { default: false }),
});
/** A way to get the food: at the table, taken along or delivered. */
export type DiningOption = Static<typeof DiningOption>;

/** Why a drawer is opened without a sale. */
export const NoSaleReason = named('NoSaleReason', 'Why a drawer is opened without a sale.');
/** Why a drawer is opened without a sale. */
export type NoSaleReason = Static<typeof NoSaleReason>;

/** A cash expense that comes again and again. */
export const PayoutReason = named('PayoutReason', 'A recurring cash expense.');
/** A cash expense that comes again and again. */
export type PayoutReason = Static<typeof PayoutReason>;

/** A printer. */
export const Printer = named('Printer', 'A printer of the restaurant.');
/** A printer. */
export type Printer = Static<typeof Printer>;

/** A meal service such as lunch. */
export const RestaurantService = named('RestaurantService', 'A meal service, for example lunch.');
/** A meal service such as lunch. */
export type RestaurantService = Static<typeof RestaurantService>;

/** Service areas and devices whose revenue is reported apart. */
export const RevenueCenter = referenced(
  'RevenueCenter',
  'Service areas and devices whose revenue is reported separately.',
  {
    name: line('Name of the revenue center.'),
    description: orNull(text('What it is for; null if not set.', limits.words)),
  },
);
/** Service areas and devices whose revenue is reported apart. */
export type RevenueCenter = Static<typeof RevenueCenter>;

/** A part of the restaurant with tables (CFG-2). */
export const ServiceArea = referenced('ServiceArea', 'A part of the restaurant with tables.', {
  name: line('Name of the service area.'),
  revenueCenter: orNull(ExternalReference, 'The revenue center that its sales count for.'),
});
/** A part of the restaurant with tables (CFG-2). */
export type ServiceArea = Static<typeof ServiceArea>;

/** A table (CFG-3). */
export const Table = referenced('Table', 'A table.', {
  name: line('Name or number of the table.'),
  serviceArea: orNull(Reference, 'The service area of the table.'),
  revenueCenter: orNull(ExternalReference, 'The revenue center that its sales count for.'),
});
/** A table (CFG-3). */
export type Table = Static<typeof Table>;

/** Why something was taken off a check. */
export const VoidReason = named('VoidReason', 'Why something was removed from a check.');
/** Why something was taken off a check. */
export type VoidReason = Static<typeof VoidReason>;
