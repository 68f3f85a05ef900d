import type { Defect } from './defect.ts';
import { alarmDefects } from './defects/alarms.ts';
import { authDefects } from './defects/auth.ts';
import { backOfficeDefects } from './defects/back-office.ts';
import { backOfficeClientDefects } from './defects/back-office-clients.ts';
import { cardKeyDefects } from './defects/card-keys.ts';
import { clientDefects } from './defects/clients.ts';
import { clockDefects } from './defects/clock.ts';
import { closeOutDefects } from './defects/close-out.ts';
import { configurationDefects } from './defects/configuration.ts';
import { databaseDefects } from './defects/database.ts';
import { organizationDefects } from './defects/organization.ts';
import { outsideWordsDefects } from './defects/outside-words.ts';
import { partnerDefects } from './defects/partners.ts';
import { paymentEventDefects } from './defects/payment-events.ts';
import { paymentLifeDefects } from './defects/payment-life.ts';
import { paymentMoveDefects } from './defects/payment-moves.ts';
import { paymentDefects } from './defects/payments.ts';
import { pipelineDefects } from './defects/pipeline.ts';
import { processorDefects } from './defects/processor.ts';
import { riskDefects } from './defects/risk.ts';
import { settingDefects } from './defects/settings.ts';
import { stockDefects } from './defects/stock.ts';

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
  ...alarmDefects,
  ...riskDefects,
  ...authDefects,
  ...partnerDefects,
  ...pipelineDefects,
  ...configurationDefects,
  ...settingDefects,
  ...stockDefects,
  ...backOfficeDefects,
  ...backOfficeClientDefects,
  ...clientDefects,
  ...cardKeyDefects,
  ...databaseDefects,
  ...organizationDefects,
];
