import type { restaurants as texts } from '../../messages.ts';

export type TabId = 'general' | 'location' | 'hours' | 'ordering' | 'delivery';

export const tabIds: readonly TabId[] = ['general', 'location', 'hours', 'ordering', 'delivery'];

export type FieldPath = keyof (typeof texts)['fields'];

export type FieldKind =
  | 'text'
  | 'long'
  | 'phone'
  | 'address'
  | 'zone'
  | 'currency'
  | 'whole'
  | 'decimal'
  | 'day'
  | 'hour'
  | 'approval'
  | 'flag';

interface FieldSpec {
  readonly path: FieldPath;
  readonly kind: FieldKind;
}

export interface FieldGroup {
  readonly id: keyof (typeof texts)['groups'];
  readonly fields: readonly FieldSpec[];
}

const of = (kind: FieldKind, ...paths: FieldPath[]): readonly FieldSpec[] =>
  paths.map((path) => ({ path, kind }));

/** What the forms ask, in their order. Hours and the delivery area have editors of their own. */
export const formOf: Readonly<Record<TabId, readonly FieldGroup[]>> = {
  general: [
    {
      id: 'name',
      fields: [
        ...of('text', 'general.name', 'general.locationName', 'general.locationCode'),
        ...of('long', 'general.description'),
      ],
    },
    {
      id: 'business',
      fields: [
        ...of('zone', 'general.timeZone'),
        ...of('hour', 'general.closeoutHour'),
        ...of('currency', 'general.currencyCode'),
        ...of('day', 'general.firstBusinessDate'),
      ],
    },
    {
      id: 'urls',
      fields: [
        ...of('address', 'urls.website', 'urls.orderOnline', 'urls.purchaseGiftCard'),
        ...of('address', 'urls.checkGiftCard'),
        ...of('text', 'urls.facebook', 'urls.twitter'),
      ],
    },
  ],
  location: [
    {
      id: 'address',
      fields: of(
        'text',
        ...(['location.address1', 'location.address2', 'location.zipCode'] as const),
        ...(['location.city', 'location.administrativeArea', 'location.country'] as const),
      ),
    },
    { id: 'phone', fields: of('phone', 'location.phoneCountryCode', 'location.phone') },
    { id: 'place', fields: of('decimal', 'location.latitude', 'location.longitude') },
  ],
  hours: [],
  ordering: [
    {
      id: 'orders',
      fields: [
        ...of('approval', 'orders.approval'),
        ...of('flag', 'onlineOrdering.enabled', 'onlineOrdering.scheduling'),
        ...of('flag', 'onlineOrdering.specialRequests'),
        ...of('long', 'onlineOrdering.specialRequestsMessage'),
      ],
    },
    {
      id: 'takeoutPayment',
      fields: of(
        'flag',
        'onlineOrdering.paymentOptions.takeout.cash',
        'onlineOrdering.paymentOptions.takeout.ccInStore',
        'onlineOrdering.paymentOptions.takeout.ccSameDay',
        'onlineOrdering.paymentOptions.takeout.ccFuture',
      ),
    },
    {
      id: 'deliveryPayment',
      fields: of(
        'flag',
        'onlineOrdering.paymentOptions.delivery.cash',
        'onlineOrdering.paymentOptions.delivery.ccSameDay',
        'onlineOrdering.paymentOptions.delivery.ccFuture',
      ),
    },
    { id: 'tip', fields: of('flag', 'onlineOrdering.paymentOptions.ccTip') },
    {
      id: 'takeoutTimes',
      fields: of(
        'whole',
        'prepTimes.takeoutPrepTime',
        'prepTimes.takeoutTimeAfterOpen',
        'prepTimes.takeoutTimeBeforeClose',
        'prepTimes.takeoutThrottlingTime',
      ),
    },
    {
      id: 'deliveryTimes',
      fields: of(
        'whole',
        'prepTimes.deliveryPrepTime',
        'prepTimes.deliveryTimeAfterOpen',
        'prepTimes.deliveryTimeBeforeClose',
        'prepTimes.deliveryThrottlingTime',
      ),
    },
  ],
  delivery: [
    {
      id: 'delivery',
      fields: [...of('flag', 'delivery.enabled'), ...of('decimal', 'delivery.minimum')],
    },
  ],
};

/** The values that a form edits as a whole. */
export const SCHEDULES = 'schedules';
export const AREA = 'delivery.area';

const kinds = new Map(
  Object.values(formOf)
    .flat()
    .flatMap(({ fields }) => fields)
    .map(({ path, kind }) => [path as string, kind]),
);

/** Where a field or a fault is shown; null if no form has it. */
export function tabOf(place: string): TabId | null {
  if (place.startsWith(SCHEDULES)) return 'hours';
  if (place.startsWith(AREA)) return 'delivery';
  return (
    tabIds.find((id) =>
      formOf[id].some(({ fields }) => fields.some(({ path }) => place === path)),
    ) ?? null
  );
}

const EMPTY_TO_NULL: readonly FieldKind[] = ['text', 'long', 'phone', 'address'];
const WHOLE = /^\d{1,9}$/;
const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

/** What a field shows of a value of the platform. */
export function typedOf(path: string, value: unknown): unknown {
  const kind = kinds.get(path);
  if (kind === 'day' && typeof value === 'number') {
    return String(value).replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3');
  }
  if (kind === undefined || kind === 'flag') return value;
  return value === null || value === undefined ? '' : String(value);
}

/** What was typed as the platform takes it; undefined if it can't be. */
export function parsed(path: string, typed: unknown): unknown {
  const kind = kinds.get(path);
  if (kind === undefined || typeof typed !== 'string') return typed;
  const text = typed.trim();
  if (EMPTY_TO_NULL.includes(kind)) return text === '' ? (isNeeded(path) ? '' : null) : text;
  if (kind === 'zone' || kind === 'currency' || kind === 'approval') return text;
  if (text === '') return null;
  if (kind === 'whole' || kind === 'hour') return WHOLE.test(text) ? Number(text) : undefined;
  if (kind === 'day') {
    const [, year, month, day] = DAY.exec(text) ?? [];
    return year === undefined ? undefined : Number(`${year}${month}${day}`);
  }
  const number = Number(text.replace(',', '.'));
  return Number.isFinite(number) ? number : undefined;
}

function isNeeded(path: string): boolean {
  return path === 'general.name';
}
