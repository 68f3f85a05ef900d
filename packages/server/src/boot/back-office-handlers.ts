import { auditHandlers } from '../audit/office/handlers.ts';
import type { AuditDeps } from '../audit/verify.ts';
import type { ClientAdminDeps } from '../clients/managed-client.ts';
import { officeClientHandlers } from '../clients/office/handlers.ts';
import {
  type OfficeConfigurationDeps,
  officeConfigurationHandlers,
} from '../configuration/office/handlers.ts';
import { officeFaultHandlers } from '../faults/office/handlers.ts';
import type { OrderFaultsDeps } from '../faults/order-faults.ts';
import { type HealthDeps, officeHealthHandlers } from '../health/office/get.ts';
import type { HandlersOf } from '../http/operation.ts';
import { metricsHandlers } from '../metrics/office/metrics.ts';
import { type OfficeOrderDeps, officeOrderHandlers } from '../orders/office/handlers.ts';
import type { ConnectionAdminDeps } from '../partners/connections.ts';
import { officeConnectionHandlers } from '../partners/office/connections/handlers.ts';
import { officePartnerHandlers } from '../partners/office/partners/handlers.ts';
import { type OfficePaymentDeps, officePaymentHandlers } from '../payments/office/handlers.ts';
import { type OfficePeopleDeps, officePeopleHandlers } from '../people/office/handlers.ts';
import { type RequestLogDeps, requestLogHandlers } from '../requests/office/handlers.ts';
import {
  type OfficeOrganizationDeps,
  officeOrganizationHandlers,
} from '../restaurants/office/handlers.ts';
import { type ClockDeps, clockHandlers } from '../sandbox/office/handlers.ts';
import { type SandboxAdminDeps, sandboxesHandlers } from '../sandboxes/office/handlers.ts';
import { type OfficeStockDeps, officeStockHandlers } from '../stock/office/handlers.ts';
import type { Metrics } from '../support/metrics.ts';
import { type OfficeWebhookDeps, officeWebhookHandlers } from '../webhooks/office/handlers.ts';
import type { WhoAmIDeps } from '../whoami/describe-caller.ts';
import { officeWhoamiHandler } from '../whoami/office/whoami.ts';
import { partnerWhoamiHandler } from '../whoami/partner/whoami.ts';

export type BackOfficeDeps = AuditDeps &
  RequestLogDeps &
  ClientAdminDeps &
  ClockDeps &
  HealthDeps &
  ConnectionAdminDeps &
  OfficeConfigurationDeps &
  OfficePaymentDeps &
  OfficeStockDeps &
  OfficeOrderDeps &
  OfficeOrganizationDeps &
  OfficePeopleDeps &
  SandboxAdminDeps &
  OrderFaultsDeps &
  OfficeWebhookDeps &
  WhoAmIDeps & { readonly metrics: Metrics };

export function backOfficeHandlers(
  deps: BackOfficeDeps,
): HandlersOf<'backOffice.' | 'platform.whoami'> {
  return {
    ...auditHandlers(deps),
    ...requestLogHandlers(deps),
    ...officeClientHandlers(deps),
    ...clockHandlers(deps),
    ...officeConnectionHandlers(deps),
    ...officeConfigurationHandlers(deps),
    ...officeFaultHandlers(deps),
    ...officeHealthHandlers(deps),
    ...metricsHandlers(deps.metrics),
    ...officePaymentHandlers(deps),
    ...officeStockHandlers(deps),
    ...officeOrderHandlers(deps),
    ...officeOrganizationHandlers(deps),
    ...officePartnerHandlers(deps),
    ...officePeopleHandlers(deps),
    ...sandboxesHandlers(deps),
    ...officeWebhookHandlers(deps),
    'backOffice.whoami': officeWhoamiHandler(deps),
    'platform.whoami': partnerWhoamiHandler(deps),
  };
}
