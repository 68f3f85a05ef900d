import { type AuditDeps, auditHandlers } from '../audit/office/handlers.ts';
import { type OfficeClientDeps, officeClientHandlers } from '../clients/office/handlers.ts';
import {
  type OfficeConfigurationDeps,
  officeConfigurationHandlers,
} from '../configuration/office/handlers.ts';
import type { HandlersOf } from '../http/operation.ts';
import { metricsHandlers } from '../metrics/office/metrics.ts';
import {
  type ConnectionRouteDeps,
  connectionHandlers,
} from '../partners/office/connections/routes.ts';
import { type PartnerRouteDeps, partnerAdminHandlers } from '../partners/office/partners/routes.ts';
import { type OfficePaymentDeps, officePaymentHandlers } from '../payments/office/handlers.ts';
import { type OfficePeopleDeps, officePeopleHandlers } from '../people/office/handlers.ts';
import { type RequestLogDeps, requestLogHandlers } from '../requests/office/handlers.ts';
import { type OrganizationRouteDeps, organizationHandlers } from '../restaurants/office/routes.ts';
import { type ClockDeps, clockHandlers } from '../sandbox/office/handlers.ts';
import { type OfficeStockDeps, officeStockHandlers } from '../stock/office/handlers.ts';
import type { Metrics } from '../support/metrics.ts';
import { type WebhookRouteDeps, webhookHandlers } from '../webhooks/office/routes.ts';
import type { WhoAmIDeps } from '../whoami/describe-caller.ts';
import { officeWhoamiHandler } from '../whoami/office/whoami.ts';
import { partnerWhoamiHandler } from '../whoami/partner/whoami.ts';

/** What the back office interface leans on: what each part of it does. */
export type BackOfficeDeps = AuditDeps &
  RequestLogDeps &
  OfficeClientDeps &
  ClockDeps &
  ConnectionRouteDeps &
  OfficeConfigurationDeps &
  PartnerRouteDeps &
  OfficePaymentDeps &
  OfficeStockDeps &
  OrganizationRouteDeps &
  OfficePeopleDeps &
  WebhookRouteDeps &
  WhoAmIDeps & { readonly metrics: Metrics };

/** Every operation of the back office interface, and its twin for partner clients. */
export function backOfficeHandlers(
  deps: BackOfficeDeps,
): HandlersOf<'backOffice.' | 'platform.whoami'> {
  return {
    ...auditHandlers(deps),
    ...requestLogHandlers(deps),
    ...officeClientHandlers(deps),
    ...clockHandlers(deps),
    ...connectionHandlers(deps),
    ...officeConfigurationHandlers(deps),
    ...metricsHandlers(deps.metrics),
    ...officePaymentHandlers(deps),
    ...officeStockHandlers(deps),
    ...organizationHandlers(deps),
    ...partnerAdminHandlers(deps),
    ...officePeopleHandlers(deps),
    ...webhookHandlers(deps),
    'backOffice.whoami': officeWhoamiHandler(deps),
    'platform.whoami': partnerWhoamiHandler(deps),
  };
}
