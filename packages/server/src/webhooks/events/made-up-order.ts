import type { Check, Order } from '@servery/contract';

const reference = <const Type extends string>(entityType: Type, number: number) => ({
  guid: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
  entityType,
  externalId: null,
});

const never = '1970-01-01T00:00:00.000+0000';
const device = { id: null };
const notVoided = { voided: false, voidDate: null, voidBusinessDate: null };
const notDeleted = { deleted: false, deletedDate: never };

/** Of a test event: one check without selections. */
export function madeUpOrder(at: Date): Order {
  const time = at.toISOString().replace('Z', '+0000');
  const dates = { openedDate: time, createdDate: time, modifiedDate: time };
  return {
    ...reference('Order', 5),
    displayNumber: '1',
    businessDate: Number(at.toISOString().slice(0, 10).replaceAll('-', '')),
    diningOption: reference('DiningOption', 6),
    checks: [madeUpCheck(dates)],
    ...dates,
    promisedDate: null,
    requiredPrepTime: 'PT0S',
    estimatedFulfillmentDate: null,
    paidDate: null,
    closedDate: null,
    ...notVoided,
    ...notDeleted,
    duration: null,
    numberOfGuests: 1,
    table: null,
    serviceArea: null,
    revenueCenter: null,
    restaurantService: null,
    server: null,
    deliveryInfo: null,
    curbsidePickupInfo: null,
    source: 'API',
    approvalStatus: 'APPROVED',
    guestOrderStatus: 'RECEIVED',
    pricingFeatures: ['TAXESV2'],
    createdInTestMode: false,
    excessFood: false,
    channelGuid: null,
    createdDevice: device,
    lastModifiedDevice: device,
    appliedPackagingInfo: null,
  };
}

function madeUpCheck(dates: Pick<Check, 'openedDate' | 'createdDate' | 'modifiedDate'>): Check {
  return {
    ...reference('Check', 7),
    displayNumber: '1',
    ...dates,
    paidDate: null,
    closedDate: null,
    ...notVoided,
    ...notDeleted,
    duration: null,
    selections: [],
    customer: null,
    appliedDiscounts: [],
    appliedServiceCharges: [],
    payments: [],
    taxExempt: false,
    tabName: null,
    amount: 0,
    taxAmount: 0,
    totalAmount: 0,
    paymentStatus: 'OPEN',
    openedBy: null,
    appliedLoyaltyInfo: null,
    createdDevice: device,
    lastModifiedDevice: device,
  };
}
