import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleOf } from './examples.ts';
import { type SchemaName, schemas } from './schemas.ts';
import { compileValidators, validatorFor } from './validators.ts';

/** A JSON Schema as far as these tests read it. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
}

const reference = 'guid entityType';
const named = `${reference} name`;
const external = 'guid entityType externalId';

/** Every resource of the spec with its fields in the spec's order, copied by hand. */
const resources: Readonly<Record<string, string>> = {
  Reference: reference,
  ExternalReference: external,
  Image: 'url',
  PaymentAuthorization:
    'cardNumberOrigin willSaveCard encryptedCardData amount tipAmount requestMetadata keyId',
  PaymentRequestMetadata:
    'partnerServiceInfo localTransactionDate originIPAddr cardFirst6 cardLast4 billingAddress ' +
    'deliveryAddress userAgent guestIdentifier guestEmail appName appVersion',
  PartnerServiceInfo: 'instanceId additionalInfo',
  BillingAddress: 'name phone address1 address2 city region postalCode country',
  DeliveryAddress: 'name phone address1 address2 city region postalCode country',
  PaymentStatus: 'paymentState authorizationMetadata amount tipAmount denialReason error',
  AuthorizationMetadata: 'localTransactionDate cardBrand authorizationCode last4',
  ServiceError: 'description detail',
  MenuItemInventory: 'guid multiLocationId versionId status quantity itemGuidValidity',
  InventorySearchRequest: 'guids multiLocationIds versionIds',
  ErrorMessage: 'status code message messageKey fieldName link requestId developerMessage errors',
  AlternatePaymentType: `${external} name`,
  BreakType:
    `${named} active paid duration enforceMinimumTime trackMissedBreaks ` +
    'breakIntervalHrs breakIntervalMins trackBreakAcknowledgement',
  CashDrawer: `${reference} printer`,
  DiningOption: `${external} name behavior curbside`,
  Discount:
    `${named} active type percentage amount selectionType nonExclusive ` +
    'itemPickingPriority fixedTotal promoCodes',
  PromoCode: `${reference} code name usageType`,
  Menu: `${external} name orderableOnline visibility groups images unitOfMeasure`,
  MenuGroup:
    `${external} name menu orderableOnline visibility parent items subgroups optionGroups ` +
    'inheritOptionGroups images unitOfMeasure inheritUnitOfMeasure',
  MenuItem:
    `${external} name calories sku plu orderableOnline visibility type optionGroups ` +
    'inheritOptionGroups images unitOfMeasure inheritUnitOfMeasure',
  MenuOptionGroup: `${external} name options minSelections maxSelections`,
  PreModifier: `${named} scalePrice basePrice scaleFactor displayMode parent chargeAsExtra`,
  PreModifierGroup: `${named} isDefault`,
  NoSaleReason: named,
  PayoutReason: named,
  PriceGroup: named,
  Printer: named,
  RestaurantService: named,
  RevenueCenter: `${named} description`,
  SalesCategory: named,
  VoidReason: named,
  TipWithholding: `${reference} enabled percentage`,
  ServiceArea: `${named} revenueCenter`,
  Table: `${named} serviceArea revenueCenter`,
  ServiceCharge:
    `${external} name amountType amount percent criteria gratuity taxable applicableTaxes ` +
    'serviceChargeCalculation destination taxInclusive taxProrated',
  ServiceChargeCriteria:
    'minCheckAmount maxCheckAmount delivery minDeliveryDistance takeout dineIn',
  TaxRate: `${named} isDefault rate type roundingType taxTable conditionalTaxRates`,
  ConditionalTaxRate: 'condition rate',
  TaxTableRow: 'start end tax pattern',
  PartnerAccessExternalRep:
    'restaurantGuid managementGroupGuid deleted restaurantName locationName ' +
    'createdByEmailAddress externalGroupRef externalRestaurantRef modifiedDate createdDate ' +
    'isoModifiedDate isoCreatedDate',
  PartnerAccessExternalWebhookRep:
    'restaurantGuid managementGroupGuid restaurantName locationName externalGroupRef ' +
    'externalRestaurantRef modifiedDate createdDate isoModifiedDate isoCreatedDate ' +
    'createdByFirstName createdByLastName createdByEmailAddress createdByPhoneNumber ' +
    'restaurantPhoneNumber restaurantAddressLine1 restaurantAddressLine2 restaurantCity ' +
    'restaurantState restaurantZipCode restaurantLatitude restaurantLongitude ' +
    'restaurantCountryCode restaurantTimezone',
  PaginatedResponse:
    'currentPageNum results totalResultCount pageSize currentPageToken nextPageToken totalCount ' +
    'nextPageNum lastPageNum previousPageNum',
  RestaurantInfo: 'guid general urls location schedules delivery onlineOrdering prepTimes',
  Restaurant: 'guid',
  General:
    'name locationName locationCode description timeZone closeoutHour managementGroupGuid ' +
    'currencyCode firstBusinessDate archived',
  Location:
    'address1 address2 city stateCode administrativeArea zipCode country phone phoneCountryCode ' +
    'latitude longitude',
  URLs: 'website facebook twitter orderOnline purchaseGiftCard checkGiftCard',
  RestaurantImage: 'width height url heightWidthRatio',
  Hours: 'startTime endTime',
  Service: 'name hours overnight',
  DaySchedule: 'scheduleName services openTime closeTime',
  WeekSchedule: 'monday tuesday wednesday thursday friday saturday sunday',
  Schedules: 'daySchedules weekSchedule',
  Delivery: 'enabled minimum area',
  OnlineOrdering: 'enabled scheduling specialRequests specialRequestsMessage paymentOptions',
  PaymentOptions: 'delivery takeout ccTip',
  DeliveryPaymentOptions: 'cash ccSameDay ccFuture',
  TakeoutPaymentOptions: 'cash ccSameDay ccFuture ccInStore',
  PrepTimes:
    'deliveryPrepTime deliveryTimeAfterOpen deliveryTimeBeforeClose takeoutPrepTime ' +
    'takeoutTimeAfterOpen takeoutTimeBeforeClose takeoutThrottlingTime deliveryThrottlingTime',
  LoginRequest: 'clientId clientSecret userAccessType',
  CardEncryptionKey: 'keyId algorithm publicKeyPem publicKeyJwk notAfter',
  BackOfficePayment:
    'merchantGuid paymentUuid paymentState version attempt clientId currencyCode amount ' +
    'tipAmount capturedAmount cardBrand cardFirst6 cardLast4 authorizationCode responseCode ' +
    'denialReason error checkGuid voidReason createdAt modifiedAt authorizedAt applyDeadline ' +
    'captureDeadline captureAt nextDeadline legalMoves',
  PaymentDeadline: 'at action',
  BackOfficePaymentPage: 'results nextPageToken',
  PaymentEvent: 'version fromState cause toState attempt details occurredAt',
  ApplyPayment: 'checkGuid',
  VoidPayment: 'reason',
  ClockDeadline: 'at kind',
  ClockStatus: 'now mode realNow isMovable nextDeadline',
  DoneAttempt: 'endpointGuid deliveryGuid eventGuid eventType outcome status state nextAt',
  DoneWork: 'at kind merchantGuid paymentUuid fromState cause toState webhook',
  ClockMove: 'clock done stoppedBecause',
  SetClock: 'now',
  AdvanceClock: 'duration',
  CardKey:
    'clientId keyId algorithm state legacy publicKeyPem publicKeyJwk notAfter createdAt ' +
    'stateChangedAt',
  IssueCardKey: 'algorithm legacy state notAfter',
  Alarm:
    'guid kind merchantGuid paymentUuid attempt explanation raisedAt acknowledgedAt ' +
    'acknowledgedBy note',
  AlarmPage: 'results nextPageToken',
  AcknowledgeAlarm: 'note',
  Partner: 'guid name description createdAt',
  PartnerPage: 'results nextPageToken',
  NewPartner: 'name description',
  PartnerEdit: 'name description',
  PartnerEventEntry: 'position event',
  PartnerEventPage: 'results lastPosition',
  ApiClient:
    'clientId name description type partner managementGroup scopes holdsLegacyCardKey createdAt ' +
    'createdBy revokedAt revokedBy lastUsedAt secrets',
  ApiClientSecret: 'guid label state createdAt createdBy expiresAt revokedAt revokedBy lastUsedAt',
  ApiClientPage: 'results nextPageToken',
  NewApiClient:
    'name description type partnerGuid managementGroupGuid scopes holdsLegacyCardKey secret',
  ApiClientEdit: 'name description scopes holdsLegacyCardKey',
  NewApiClientSecret: 'label expiresAt othersExpireAt',
  IssuedApiClientSecret: 'client secretGuid clientSecret',
  ApiClientUsage: 'clientId from to requests operations days restaurants restaurantCount scopes',
  OperationUse: 'operation requests statuses',
  RestaurantUse: 'restaurantGuid restaurantName requests',
  ScopeUse: 'scope lastUsedAt since',
  Connection:
    'restaurantGuid restaurantName partnerGuid partnerName state externalGroupRef ' +
    'externalRestaurantRef changedBy createdAt modifiedAt disconnectedAt disconnectReason',
  ConnectionEmployee: 'firstName lastName email phone',
  ConnectionPage: 'results nextPageToken',
  ConnectablePartner: 'guid name description isConnected',
  ConnectablePartnerPage: 'results nextPageToken',
  NewConnection: 'partnerGuid externalGroupRef externalRestaurantRef employee',
  ConnectionEdit: 'externalGroupRef externalRestaurantRef employee',
  EndConnection: 'reason employee',
  ConnectionChange:
    'number kind at by employee requestId externalGroupRef externalRestaurantRef reason',
  ConnectionChangePage: 'results nextPageToken',
  EventPage: 'results nextCursor hasMore missedCount',
  WebhookSecret: 'guid label createdAt expiresAt',
  WebhookEndpoint:
    'guid partnerGuid partnerName clientId url description eventTypes connectTimeoutMs ' +
    'answerTimeoutMs retryDelaysSeconds isOrdered state pauseReason stateReason stateSince ' +
    'consecutiveFailures nextProbeAt queued oldestQueuedAt deadLetters attemptsLastDay ' +
    'deliveredLastDay lastDeliveredAt secrets createdAt createdBy modifiedAt',
  WebhookEndpointPage: 'results nextPageToken',
  NewWebhookEndpoint:
    'clientId url description eventTypes connectTimeoutMs answerTimeoutMs retryDelaysSeconds ' +
    'isOrdered secret',
  WebhookEndpointEdit:
    'url description eventTypes connectTimeoutMs answerTimeoutMs retryDelaysSeconds isOrdered',
  EndWebhookSending: 'reason',
  NewWebhookSecret: 'label expiresAt othersExpireAt',
  IssuedWebhookSecret: 'endpoint secretGuid secret',
  SentTestEvent: 'partnerGuid eventGuid deliveryGuids',
  TestWebhook: 'eventType',
  WebhookDelivery:
    'guid endpointGuid partnerGuid eventGuid eventPosition eventType eventAt state isReplay ' +
    'isTest attemptCount queuedAt dueAt settledAt isReplayed lastOutcome lastStatus reason',
  WebhookDeliveryPage: 'results nextPageToken',
  WebhookDeliveryDetails:
    'guid endpointGuid partnerGuid eventGuid eventPosition eventType eventAt state isReplay ' +
    'isTest attemptCount queuedAt dueAt settledAt isReplayed lastOutcome lastStatus reason body ' +
    'attempts',
  WebhookAttempt:
    'number at isProbe url requestHeaders outcome status answerBody isAnswerCut explanation ' +
    'durationMs nextAt',
  DropWebhookDelivery: 'reason',
  ReplayWebhooks: 'which eventGuid fromPosition toPosition since dryRun expectedCount requestGuid',
  WebhookReplay: 'endpointGuid count isDryRun firstPosition lastPosition requestGuid',
  ConfigurationPlace: 'collection guid',
  DraftStatus: 'revision createdBy createdAt modifiedBy modifiedAt isOutdated',
  ConfigurationObject: 'collection guid name change object published publishedAt draft',
  ConfigurationObjectPage: 'results nextPageToken',
  SetTipWithholding: 'enabled percentage',
  DraftedObject: 'collection guid name change draft',
  DraftCounts: 'create change archive restore',
  ConfigurationDraft: 'restaurantGuid publishNumber state counts results',
  DiscardDrafts: 'all objects',
  FieldChange: 'field before after',
  ConfigurationChange: 'collection guid name kind fields',
  ChangeCounts: 'added changed removed',
  CollectionCounts: 'collection added changed removed',
  ConfigurationFault: 'collection guid name field message',
  ConfigurationPreview:
    'restaurantGuid publishNumber state isPublishable counts collections changes ' +
    'changeCount faults faultCount outdated',
  PublishConfiguration: 'note objects expectedState',
  Publication:
    'restaurantGuid number cause publishedAt publishedBy note rolledBackTo ' +
    'groupPublicationGuid counts',
  PublicationPage: 'results nextPageToken',
  PublicationDetails:
    'restaurantGuid number cause publishedAt publishedBy note rolledBackTo ' +
    'groupPublicationGuid counts changes changeCount',
  RollBackConfiguration: 'note expectedNumber',
  GroupPublicationPart: 'restaurantGuid objects expectedState',
  PublishGroup: 'note restaurants',
  GroupPublication: 'guid managementGroupGuid publications',
  ConfigurationDocument: 'format restaurant complete configuration',
  PlanConfiguration: 'document',
  ApplyConfiguration: 'document note expectedState',
  PlannedAction: 'action collection guid name fields',
  ConfigurationPlan: 'restaurantGuid publishNumber state isUpToDate counts actions actionCount',
  AppliedConfiguration: 'plan publication',
  StockItem: 'guid multiLocationId name sku plu status quantity until lastChange',
  LastStockChange: 'guid cause at by byName',
  StockItemPage: 'results nextPageToken',
  StockSetting: 'guid multiLocationId sku plu name status quantity until',
  SetStock: 'changes',
  StockState: 'status quantity until',
  StockChange:
    'guid itemGuid itemName version cause before after at by byName requestId undoes undoneBy',
  StockChangePage: 'results nextPageToken',
  RanOutItem: 'itemGuid itemName at by byName changeGuid isStillOut until backAt',
  RanOutPage: 'date from to results nextPageToken',
  ManagementGroup: 'guid name archived version createdAt modifiedAt',
  ManagementGroupPage: 'results nextPageToken',
  CreateManagementGroup: 'guid name',
  EditManagementGroup: 'guid name archived version createdAt modifiedAt',
  BackOfficeRestaurant:
    'guid version publishNumber createdAt modifiedAt general urls location schedules delivery ' +
    'onlineOrdering prepTimes',
  RestaurantOverview:
    'guid managementGroupGuid name locationName locationCode timeZone currencyCode archived ' +
    'version modifiedAt',
  RestaurantOverviewPage: 'results nextPageToken',
  CreateRestaurant:
    'guid general urls location schedules delivery onlineOrdering prepTimes version ' +
    'publishNumber createdAt modifiedAt',
  EditRestaurant:
    'guid general urls location schedules delivery onlineOrdering prepTimes version ' +
    'publishNumber createdAt modifiedAt',
};

const schemaOf = (name: string) => schemas[name as SchemaName] as unknown as Schema;
const fieldsOf = (name: string): string[] => Object.keys(schemaOf(name).properties ?? {});

/** Resources that clients send. */
const requests = [
  'AcceptInvitation',
  'AcknowledgeAlarm',
  'AdvanceClock',
  'ApiClientEdit',
  'ApplyConfiguration',
  'ApplyPayment',
  'BeginTotp',
  'BillingAddress',
  'ChangePassword',
  'ConfigurationObjectFields',
  'ConfigurationPlace',
  'ConfirmTotp',
  'ConnectionEdit',
  'CreatePerson',
  'DeliveryAddress',
  'DiscardDrafts',
  'DropWebhookDelivery',
  'EncryptedCardObject',
  'EndConnection',
  'EndWebhookSending',
  'GiveRole',
  'GroupPublicationPart',
  'InspectInvitation',
  'InventorySearchRequest',
  'IssueCardKey',
  'LogIn',
  'LoginRequest',
  'MenuItemInventoryUpdate',
  'NewApiClient',
  'NewApiClientSecret',
  'NewConnection',
  'NewPartner',
  'NewWebhookEndpoint',
  'NewWebhookSecret',
  'PartnerEdit',
  'PartnerServiceInfo',
  'PaymentAuthorization',
  'PaymentRequestMetadata',
  'PlanConfiguration',
  'PublishConfiguration',
  'PublishGroup',
  'RemoveTotp',
  'ReplayWebhooks',
  'RollBackConfiguration',
  'SetClock',
  'SetStock',
  'SetTipWithholding',
  'StockSetting',
  'TestWebhook',
  'TokenReference',
  'TokenRequest',
  'UpdatePerson',
  'VoidPayment',
  'WebhookEndpointEdit',
];

/** Documents that clients send: an unknown name is refused, for it would change nothing. */
const documents = [
  'CreateManagementGroup',
  'CreateRestaurant',
  'EditManagementGroup',
  'EditRestaurant',
];

/** Answers with fields that are absent without a value: RFC 6749, 7517, 7662, 8414, and PAY-11. */
const sparse = [
  'AuthorizationServerMetadata',
  'IntrospectionResponse',
  'JsonWebKey',
  'OAuthError',
  'ServiceError',
];

test('contract: every schema is sound in the strict mode of JSON Schema 2020-12', () => {
  assert.doesNotThrow(compileValidators);
});

test('contract: every resource has the fields of the spec, in its order', () => {
  for (const [name, fields] of Object.entries(resources)) {
    assert.equal(fieldsOf(name).join(' '), fields, name);
  }
});

test('contract API-10: every field of an answer is always written, and there is no other', () => {
  const sent = [...requests, ...documents];
  for (const name of Object.keys(schemas).filter((each) => !sent.includes(each))) {
    const schema = schemaOf(name);
    if (schema.anyOf) continue;
    assert.equal(schema.additionalProperties, false, name);
    const isWhole = (schema.required ?? []).length === fieldsOf(name).length;
    assert.equal(isWhole, !sparse.includes(name), name);
  }
});

test('contract API-9: resources of a request ignore properties that are not known', () => {
  for (const name of requests) assert.equal(schemaOf(name).additionalProperties, undefined, name);
  for (const name of documents) assert.equal(schemaOf(name).additionalProperties, false, name);
});

test('contract: a patch may leave out or clear every field, at every depth', () => {
  const validate = validatorFor('EditRestaurant');
  const leaves = leavesOf(exampleOf({ schema: 'BackOfficeRestaurant', array: false }, 'Platform'));
  const patches = leaves.filter(([path]) => path.length > 1);
  assert.ok(patches.length > 50);
  for (const [path, value] of patches) {
    for (const sent of path.includes('services') ? [value] : [value, null]) {
      const patch = path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), sent);
      assert.deepEqual(validate(patch), [], path.join('.'));
    }
    const mistyped = [...path.slice(0, -1), `${path.at(-1)}s`];
    if (path.includes('daySchedules')) continue;
    const wrong = mistyped.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
    assert.notDeepEqual(validate(wrong), [], mistyped.join('.'));
  }
  assert.deepEqual(validate({}), []);
  const general = ['name', 'timeZone', 'currencyCode', 'managementGroupGuid'];
  const missing = validatorFor('CreateRestaurant')({ general: {} });
  for (const name of general)
    assert.ok(
      missing.some((fault) => fault.includes(name)),
      name,
    );
});

type Leaf = readonly [path: readonly string[], value: unknown];

function leavesOf(value: unknown, path: readonly string[] = []): Leaf[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[path, value]];
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, [...path, name]));
}

test('contract: what a payment needs is what the spec requires', () => {
  const required = (name: string) => (schemaOf(name).required ?? []).join(' ');
  assert.equal(required('PaymentAuthorization'), resources.PaymentAuthorization);
  assert.equal(
    required('PaymentRequestMetadata'),
    'partnerServiceInfo localTransactionDate originIPAddr cardFirst6 cardLast4 billingAddress ' +
      'guestIdentifier',
  );
  assert.equal(required('PartnerServiceInfo'), 'instanceId');
  assert.equal(required('BillingAddress'), 'postalCode country');
  assert.equal(required('DeliveryAddress'), 'address1 city region postalCode country');
});

test('contract: every resource and every field says what it is', () => {
  for (const name of Object.keys(schemas)) {
    assert.ok(schemaOf(name).description, name);
    for (const [field, schema] of Object.entries(schemaOf(name).properties ?? {})) {
      assert.ok(schema.description, `${name}.${field}`);
    }
  }
});

test('contract: the deprecated fields of the spec are marked, and no others', () => {
  const marked = Object.keys(schemas).flatMap((name) =>
    Object.entries(schemaOf(name).properties ?? {})
      .filter(([, schema]) => Reflect.get(schema, 'deprecated'))
      .map(([field]) => `${name}.${field}`),
  );
  assert.deepEqual(marked.sort(), [
    'Location.stateCode',
    'Menu.orderableOnline',
    'Menu.visibility',
    'MenuGroup.orderableOnline',
    'MenuGroup.visibility',
    'MenuItem.orderableOnline',
    'MenuItem.visibility',
  ]);
});

test('contract CFG-4 CFG-5 API-10: a field that can lack a value takes null, even an enum', () => {
  const { serviceChargeCalculation, amount } = schemaOf('ServiceCharge').properties ?? {};
  assert.deepEqual(serviceChargeCalculation?.type, ['string', 'null']);
  assert.deepEqual(serviceChargeCalculation?.enum, ['PRE_DISCOUNT', 'POST_DISCOUNT', null]);
  assert.deepEqual(amount?.type, ['number', 'null']);
  const parent = schemaOf('MenuGroup').properties?.parent;
  assert.equal(parent?.anyOf?.[0], schemas.ExternalReference);
  assert.deepEqual(parent?.anyOf?.[1], { type: 'null' });
});
