import { backOfficeResources } from './back-office-resources.ts';
import { menuResources } from './menu-resources.ts';
import { orderResources } from './order-resources.ts';
import { platformResources } from './platform-resources.ts';

/**
 * The resources of the contract with their fields in order, transcribed by hand from its text so
 * that a slip in the contract package is seen. Other resources are in the files `*-resources.ts`,
 * and those that clients send in `*requests.ts`. A field's type is written in a small notation:
 * `string`, `uuid`, `number`, `integer`, `boolean`, `instant` (ISO 8601), `time` (HH:mm:ss.SSS),
 * `object` (with any fields), `any` (any value, also null),
 * `A|B` (an enum), a resource's name; `[]` behind it is an array, `{}` a map, `?` allows null.
 * A field whose name ends in `?` may be absent; all others are always written (API-10).
 */
export type Fields = Readonly<Record<string, string>>;

const reference: Fields = { guid: 'uuid', entityType: 'string' };
const externalReference: Fields = { ...reference, externalId: 'string?' };
const named: Fields = { ...reference, name: 'string?' };
const externallyNamed: Fields = { ...externalReference, name: 'string?' };

const unit = 'NONE|LB|OZ|KG|G|GAL|L|ML|FL_OZ|M|CM|FT|IN|YD';
const menuVisibility: Fields = { orderableOnline: 'YES|NO?', visibility: 'ALL|POS_ONLY|NONE?' };

const configurationResources = {
  AlternatePaymentType: externallyNamed,
  BreakType: {
    ...named,
    active: 'boolean',
    paid: 'boolean',
    duration: 'integer?',
    enforceMinimumTime: 'boolean',
    trackMissedBreaks: 'boolean',
    breakIntervalHrs: 'integer?',
    breakIntervalMins: 'integer?',
    trackBreakAcknowledgement: 'boolean',
  },
  CashDrawer: { ...reference, printer: 'Reference?' },
  DiningOption: {
    ...externallyNamed,
    behavior: 'DINE_IN|TAKE_OUT|DELIVERY?',
    curbside: 'boolean',
  },
  Discount: {
    ...named,
    active: 'boolean',
    type: 'PERCENT|FIXED|OPEN_PERCENT|OPEN_FIXED|BOGO|FIXED_TOTAL',
    percentage: 'number?',
    amount: 'number?',
    selectionType: 'CHECK|ITEM|BOGO?',
    nonExclusive: 'boolean',
    itemPickingPriority: 'FIRST|LEAST_EXPENSIVE|MOST_EXPENSIVE?',
    fixedTotal: 'number?',
    promoCodes: 'PromoCode[]',
  },
  PromoCode: {
    ...reference,
    code: 'string',
    name: 'string?',
    usageType: 'SINGLE_USE_PHONE|SINGLE_USE_UNIQUE_CODE|MULTI_USE?',
  },
  Menu: {
    ...externallyNamed,
    ...menuVisibility,
    groups: 'ExternalReference[]',
    images: 'Image[]',
    unitOfMeasure: unit,
  },
  MenuGroup: {
    ...externallyNamed,
    menu: 'ExternalReference?',
    ...menuVisibility,
    parent: 'ExternalReference?',
    items: 'ExternalReference[]',
    subgroups: 'ExternalReference[]',
    optionGroups: 'ExternalReference[]',
    inheritOptionGroups: 'boolean',
    images: 'Image[]',
    unitOfMeasure: unit,
    inheritUnitOfMeasure: 'boolean',
  },
  MenuItem: {
    ...externallyNamed,
    calories: 'integer?',
    sku: 'string?',
    plu: 'string?',
    ...menuVisibility,
    type: 'NONE|OPEN_ITEM|SPECIAL_REQUEST|PORTION',
    optionGroups: 'ExternalReference[]',
    inheritOptionGroups: 'boolean',
    images: 'Image[]',
    unitOfMeasure: unit,
    inheritUnitOfMeasure: 'boolean',
  },
  MenuOptionGroup: {
    ...externallyNamed,
    options: 'ExternalReference[]',
    minSelections: 'integer?',
    maxSelections: 'integer?',
  },
  PreModifier: {
    ...named,
    scalePrice: 'boolean',
    basePrice: 'number?',
    scaleFactor: 'number?',
    displayMode: 'PREFIX|SUFFIX?',
    parent: 'Reference?',
    chargeAsExtra: 'boolean?',
  },
  PreModifierGroup: { ...named, isDefault: 'boolean' },
  NoSaleReason: named,
  PayoutReason: named,
  PriceGroup: named,
  Printer: named,
  RestaurantService: named,
  RevenueCenter: { ...named, description: 'string?' },
  SalesCategory: named,
  VoidReason: named,
  ServiceArea: { ...named, revenueCenter: 'ExternalReference?' },
  Table: { ...named, serviceArea: 'Reference?', revenueCenter: 'ExternalReference?' },
  ServiceCharge: {
    ...externallyNamed,
    amountType: 'FIXED|PERCENT|OPEN',
    amount: 'number?',
    percent: 'number?',
    criteria: 'ServiceChargeCriteria?',
    gratuity: 'boolean',
    taxable: 'boolean',
    applicableTaxes: 'TaxRate[]',
    serviceChargeCalculation: 'PRE_DISCOUNT|POST_DISCOUNT?',
    destination: 'RESTAURANT|SERVER|PLATFORM|THIRD_PARTY?',
    taxInclusive: 'boolean',
    taxProrated: 'boolean',
  },
  ServiceChargeCriteria: {
    minCheckAmount: 'number?',
    maxCheckAmount: 'number?',
    delivery: 'boolean',
    minDeliveryDistance: 'number?',
    takeout: 'boolean',
    dineIn: 'boolean',
  },
  TaxRate: {
    ...named,
    isDefault: 'boolean',
    rate: 'number?',
    type: 'PERCENT|FIXED|TABLE|NONE|EXTERNAL',
    roundingType: 'HALF_UP|HALF_EVEN|ALWAYS_UP|ALWAYS_DOWN?',
    taxTable: 'TaxTableRow[]',
    conditionalTaxRates: 'ConditionalTaxRate[]',
  },
  ConditionalTaxRate: { condition: 'string', rate: 'number' },
  TaxTableRow: { start: 'number', end: 'number?', tax: 'number', pattern: 'boolean' },
  TipWithholding: { ...reference, enabled: 'boolean', percentage: 'number' },
  Image: { url: 'string' },
} satisfies Record<string, Fields>;

const payTiming: Fields = { cash: 'boolean?', ccSameDay: 'boolean?', ccFuture: 'boolean?' };

const restaurantResources = {
  RestaurantInfo: {
    guid: 'uuid',
    general: 'General',
    urls: 'URLs',
    location: 'Location',
    schedules: 'Schedules',
    delivery: 'Delivery',
    onlineOrdering: 'OnlineOrdering',
    prepTimes: 'PrepTimes',
  },
  Restaurant: { guid: 'uuid' },
  General: {
    name: 'string',
    locationName: 'string?',
    locationCode: 'string?',
    description: 'string?',
    timeZone: 'string',
    closeoutHour: 'integer',
    managementGroupGuid: 'uuid',
    currencyCode: 'string',
    firstBusinessDate: 'integer?',
    archived: 'boolean',
  },
  Location: {
    address1: 'string?',
    address2: 'string?',
    city: 'string?',
    stateCode: 'string?',
    administrativeArea: 'string?',
    zipCode: 'string?',
    country: 'string?',
    phone: 'string?',
    phoneCountryCode: 'string?',
    latitude: 'number?',
    longitude: 'number?',
  },
  URLs: {
    website: 'string?',
    facebook: 'string?',
    twitter: 'string?',
    orderOnline: 'string?',
    purchaseGiftCard: 'string?',
    checkGiftCard: 'string?',
  },
  Hours: { startTime: 'time?', endTime: 'time?' },
  Service: { name: 'string?', hours: 'Hours?', overnight: 'boolean' },
  DaySchedule: {
    scheduleName: 'string?',
    services: 'Service[]',
    openTime: 'time?',
    closeTime: 'time?',
  },
  WeekSchedule: {
    monday: 'string?',
    tuesday: 'string?',
    wednesday: 'string?',
    thursday: 'string?',
    friday: 'string?',
    saturday: 'string?',
    sunday: 'string?',
  },
  Schedules: { daySchedules: 'DaySchedule{}', weekSchedule: 'WeekSchedule?' },
  Delivery: { enabled: 'boolean', minimum: 'number?', area: 'string?' },
  OnlineOrdering: {
    enabled: 'boolean',
    scheduling: 'boolean?',
    specialRequests: 'boolean?',
    specialRequestsMessage: 'string?',
    paymentOptions: 'PaymentOptions?',
  },
  PaymentOptions: {
    delivery: 'DeliveryPaymentOptions?',
    takeout: 'TakeoutPaymentOptions?',
    ccTip: 'boolean?',
  },
  DeliveryPaymentOptions: payTiming,
  TakeoutPaymentOptions: { ...payTiming, ccInStore: 'boolean?' },
  PrepTimes: {
    deliveryPrepTime: 'integer?',
    deliveryTimeAfterOpen: 'integer?',
    deliveryTimeBeforeClose: 'integer?',
    takeoutPrepTime: 'integer?',
    takeoutTimeAfterOpen: 'integer?',
    takeoutTimeBeforeClose: 'integer?',
    takeoutThrottlingTime: 'integer?',
    deliveryThrottlingTime: 'integer?',
  },
} satisfies Record<string, Fields>;

const otherResources = {
  Reference: reference,
  ExternalReference: externalReference,
  MenuItemInventory: {
    guid: 'uuid?',
    multiLocationId: 'string?',
    versionId: 'uuid?',
    status: 'IN_STOCK|QUANTITY|OUT_OF_STOCK',
    quantity: 'number?',
    itemGuidValidity: 'VALID|INVALID',
  },
  ErrorMessage: {
    status: 'integer',
    code: 'integer',
    message: 'string',
    messageKey: 'string?',
    fieldName: 'string?',
    link: 'string?',
    requestId: 'string?',
    developerMessage: 'string?',
    errors: 'ErrorMessage[]',
  },
  ServiceError: { description: 'string', 'detail?': 'string?' },
  PaymentStatus: {
    paymentState: 'AUTHORIZED|ACKNOWLEDGED|DENIED',
    authorizationMetadata: 'AuthorizationMetadata?',
    amount: 'number',
    tipAmount: 'number',
    denialReason: 'string?',
    error: 'string?',
  },
  // The other shape of the switch wire.paymentAmountShape (PAY-6).
  PaymentStatusOfObjects: {
    paymentState: 'AUTHORIZED|ACKNOWLEDGED|DENIED',
    authorizationMetadata: 'AuthorizationMetadata?',
    amount: 'PaymentAmount',
    tipAmount: 'PaymentAmount',
    denialReason: 'string?',
    error: 'string?',
  },
  PaymentAmount: { amount: 'number', currencyCode: 'string' },
  AuthorizationMetadata: {
    localTransactionDate: 'string',
    cardBrand: 'string',
    authorizationCode: 'string',
    last4: 'string',
  },
  PartnerAccessExternalRep: {
    restaurantGuid: 'uuid',
    managementGroupGuid: 'uuid',
    deleted: 'boolean',
    restaurantName: 'string',
    locationName: 'string?',
    createdByEmailAddress: 'string?',
    externalGroupRef: 'string?',
    externalRestaurantRef: 'string?',
    modifiedDate: 'integer',
    createdDate: 'integer',
    isoModifiedDate: 'instant',
    isoCreatedDate: 'instant',
  },
  PaginatedResponse: {
    currentPageNum: 'integer',
    results: 'PartnerAccessExternalRep[]',
    totalResultCount: 'integer',
    pageSize: 'integer',
    currentPageToken: 'string?',
    nextPageToken: 'string?',
    totalCount: 'integer',
    nextPageNum: 'integer?',
    lastPageNum: 'integer',
    previousPageNum: 'integer?',
  },
  LoginResponse: { '@class': 'string', token: 'LoginToken', status: 'string' },
  LoginToken: {
    tokenType: 'string',
    scope: 'string?',
    expiresIn: 'integer',
    accessToken: 'string',
    idToken: 'string?',
    refreshToken: 'string?',
  },
} satisfies Record<string, Fields>;

/** Every resource that an answer can hold, by its name in the contract. */
export const resources: Readonly<Record<string, Fields>> = {
  ...otherResources,
  ...configurationResources,
  ...restaurantResources,
  ...menuResources,
  ...orderResources,
  ...backOfficeResources,
  ...platformResources,
};

/**
 * Fields that no answer ever fills, with the sentence that says so. The inventory expects a value
 * in every other field somewhere in the demo group.
 */
export const alwaysNull: Readonly<Record<string, string>> = {
  'ErrorMessage.messageKey': 'Reserved for future use.',
  'ErrorMessage.fieldName': 'Reserved for future use.',
  'LoginToken.scope': 'AUTH-2 writes null.',
  'LoginToken.idToken': 'AUTH-2 writes null.',
  'LoginToken.refreshToken': 'AUTH-2 writes null.',
};
