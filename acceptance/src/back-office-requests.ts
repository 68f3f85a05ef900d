import { faultRequests } from './fault-resources.ts';
import type { Fields } from './resources.ts';
import { sandboxRequests } from './sandbox-resources.ts';
import { webhookRequests } from './webhook-resources.ts';

const role = 'OPERATOR|GROUP_ADMINISTRATOR|RESTAURANT_ADMINISTRATOR|READ_ONLY|PARTNER_DEVELOPER';
const noted = { 'note?': 'string?' } as const;
const named = { 'name?': 'string', 'description?': 'string?' } as const;
const references = { 'externalGroupRef?': 'string?', 'externalRestaurantRef?': 'string?' } as const;
const employee = { 'employee?': 'ConnectionEmployeeInput' } as const;

/** What a restaurant answers is taken back as it is; what nobody can set is compared or ignored. */
const restaurant = {
  'urls?': 'object',
  'location?': 'object',
  'schedules?': 'object',
  'delivery?': 'object',
  'onlineOrdering?': 'object',
  'prepTimes?': 'object',
  'orders?': 'object',
  'version?': 'integer',
  'publishNumber?': 'integer',
  'createdAt?': 'instant',
  'modifiedAt?': 'instant',
} as const;

/** The request resources of the back office, transcribed by hand: see requests.ts. */
export const backOfficeRequests: Readonly<Record<string, Fields>> = {
  ...sandboxRequests,
  ...faultRequests,
  ReplayRequest: { 'into?': 'string?', 'set?': 'object?', 'card?': 'string?' },
  LogIn: { email: 'string', password: 'string', 'totpCode?': 'string?' },
  LogInAsDemo: { personGuid: 'uuid' },
  DemoTokenRequest: { account: 'string' },
  InspectInvitation: { token: 'string' },
  AcceptInvitation: {
    token: 'string',
    name: 'string',
    password: 'string',
    'email?': 'string?',
    'totpCode?': 'string?',
  },
  ChangePassword: { currentPassword: 'string', newPassword: 'string' },
  BeginTotp: { password: 'string' },
  ConfirmTotp: { code: 'string', password: 'string' },
  RemoveTotp: { password: 'string' },
  SaveView: { page: 'string', name: 'string', query: 'string' },
  CreatePerson: {
    ...{ email: 'string', name: 'string', role: 'GiveRole' },
    'existingAccount?': 'boolean',
  },
  UpdatePerson: { 'email?': 'string', 'name?': 'string' },
  GiveRole: {
    role,
    'managementGroupGuid?': 'uuid?',
    'restaurantGuid?': 'uuid?',
    'partnerGuid?': 'uuid?',
  },
  CreateManagementGroup: { 'guid?': 'uuid', name: 'string' },
  EditManagementGroup: {
    'guid?': 'uuid',
    'name?': 'string',
    'archived?': 'boolean',
    'version?': 'integer',
    'createdAt?': 'instant',
    'modifiedAt?': 'instant',
  },
  CreateRestaurant: { 'guid?': 'uuid', general: 'object', ...restaurant },
  EditRestaurant: { 'guid?': 'uuid', 'general?': 'object', ...restaurant },
  SetTipWithholding: { enabled: 'boolean', percentage: 'number' },
  DiscardDrafts: { 'all?': 'boolean', 'objects?': 'ConfigurationPlace[]' },
  PublishConfiguration: {
    ...noted,
    'objects?': 'ConfigurationPlace[]',
    'expectedState?': 'string?',
  },
  RollBackConfiguration: { ...noted, 'expectedNumber?': 'integer?' },
  PublishGroup: { ...noted, restaurants: 'GroupPublicationPart[]' },
  GroupPublicationPart: {
    restaurantGuid: 'uuid',
    'objects?': 'ConfigurationPlace[]',
    'expectedState?': 'string?',
  },
  PlanConfiguration: { document: 'object' },
  ApplyConfiguration: { document: 'object', ...noted, 'expectedState?': 'string?' },
  DraftConfiguration: {
    document: 'object',
    'expectedState?': 'string?',
    'conflicts?': 'refuse|keep|replace',
  },
  // Its fields are those of the object's collection.
  ConfigurationObjectFields: {},
  SetStock: { changes: 'StockSetting[]' },
  StockSetting: {
    'guid?': 'uuid?',
    'multiLocationId?': 'string?',
    'sku?': 'string?',
    'plu?': 'string?',
    'name?': 'string?',
    status: 'IN_STOCK|QUANTITY|OUT_OF_STOCK',
    'quantity?': 'number?',
    'until?': 'string?',
  },
  OrderReason: { reason: 'string' },
  OrderSelections: { 'selectionGuids?': 'uuid[]?' },
  CounterPayment: {
    'guid?': 'uuid?',
    type: 'CASH|OTHER',
    amount: 'number',
    'tipAmount?': 'number?',
    'amountTendered?': 'number?',
    'otherPaymentGuid?': 'uuid?',
  },
  VoidSelection: { 'voidReasonGuid?': 'uuid?' },
  VoidBackOfficeOrder: { reason: 'string', 'voidReasonGuid?': 'uuid?' },
  NewPartner: { name: 'string', 'description?': 'string?' },
  PartnerEdit: named,
  NewApiClient: {
    name: 'string',
    'description?': 'string?',
    type: 'PARTNER|CUSTOMER|BACK_OFFICE',
    'partnerGuid?': 'uuid?',
    'managementGroupGuid?': 'uuid?',
    scopes: 'string[]',
    'holdsLegacyCardKey?': 'boolean',
    'secret?': 'object',
  },
  ApiClientEdit: { ...named, 'scopes?': 'string[]', 'holdsLegacyCardKey?': 'boolean' },
  NewApiClientSecret: {
    'label?': 'string?',
    'expiresAt?': 'instant?',
    'othersExpireAt?': 'instant?',
  },
  ...webhookRequests,
  NewConnection: { partnerGuid: 'uuid', ...references, ...employee },
  ConnectionEdit: { ...references, ...employee },
  EndConnection: { reason: 'string', ...employee },
};
