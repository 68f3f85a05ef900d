import type { Defect } from './defect.ts';
import { accountDefects } from './defects/accounts.ts';
import { alarmDefects } from './defects/alarms.ts';
import { auditDefects } from './defects/audit.ts';
import { authDefects } from './defects/auth.ts';
import { backOfficeDefects } from './defects/back-office.ts';
import { backOfficeClientDefects } from './defects/back-office-clients.ts';
import { backupDefects } from './defects/backup.ts';
import { cacheDefects } from './defects/caches.ts';
import { cardKeyDefects } from './defects/card-keys.ts';
import { clientDefects } from './defects/clients.ts';
import { clockDefects } from './defects/clock.ts';
import { closeOutDefects } from './defects/close-out.ts';
import { commandLineDefects } from './defects/command-lines.ts';
import { configurationDefects } from './defects/configuration.ts';
import { databaseDefects } from './defects/database.ts';
import { draftDefects } from './defects/drafts.ts';
import { metricsDefects } from './defects/metrics.ts';
import { organizationDefects } from './defects/organization.ts';
import { outsideWordsDefects } from './defects/outside-words.ts';
import { partnerDefects } from './defects/partners.ts';
import { paymentEventDefects } from './defects/payment-events.ts';
import { paymentLifeDefects } from './defects/payment-life.ts';
import { paymentMoveDefects } from './defects/payment-moves.ts';
import { paymentDefects } from './defects/payments.ts';
import { peopleDefects } from './defects/people.ts';
import { pipelineDefects } from './defects/pipeline.ts';
import { planDefects } from './defects/plans.ts';
import { processorDefects } from './defects/processor.ts';
import { repeatDefects } from './defects/repeats.ts';
import { requestDefects } from './defects/requests.ts';
import { riskDefects } from './defects/risk.ts';
import { settingDefects } from './defects/settings.ts';
import { stalenessDefects } from './defects/staleness.ts';
import { stockDefects } from './defects/stock.ts';
import { stockAdminDefects } from './defects/stock-admin.ts';
import { webhooksDeliveryDefects } from './defects/webhooks-delivery.ts';
import { webhooksDoorDefects } from './defects/webhooks-doors.ts';
import { webhooksSignatureDefects } from './defects/webhooks-signatures.ts';
import { webhooksStoreDefects } from './defects/webhooks-stores.ts';
import { webhooksTargetDefects } from './defects/webhooks-target.ts';
import { webhooksTroubleDefects } from './defects/webhooks-trouble.ts';
import { workerDefects } from './defects/workers.ts';

/** Every deliberate defect there is. */
export const defects: readonly Defect[] = [
  ...paymentDefects,
  ...paymentLifeDefects,
  ...paymentMoveDefects,
  ...paymentEventDefects,
  ...outsideWordsDefects,
  ...processorDefects,
  ...closeOutDefects,
  ...clockDefects,
  ...commandLineDefects,
  ...alarmDefects,
  ...auditDefects,
  ...requestDefects,
  ...riskDefects,
  ...authDefects,
  ...partnerDefects,
  ...peopleDefects,
  ...pipelineDefects,
  ...configurationDefects,
  ...draftDefects,
  ...settingDefects,
  ...stalenessDefects,
  ...stockDefects,
  ...stockAdminDefects,
  ...backOfficeDefects,
  ...backOfficeClientDefects,
  ...clientDefects,
  ...cacheDefects,
  ...repeatDefects,
  ...cardKeyDefects,
  ...accountDefects,
  ...databaseDefects,
  ...planDefects,
  ...backupDefects,
  ...metricsDefects,
  ...organizationDefects,
  ...webhooksTargetDefects,
  ...webhooksDeliveryDefects,
  ...webhooksDoorDefects,
  ...webhooksSignatureDefects,
  ...webhooksStoreDefects,
  ...webhooksTroubleDefects,
  ...workerDefects,
];
