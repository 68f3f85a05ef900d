import type { HandlersOf } from '../../http/operation.ts';
import type { OrdersDeps } from '../life/orders.ts';
import { type AcknowledgeAlarmDeps, acknowledgeAlarmHandler } from './alarms-acknowledge.ts';
import { listAlarmsHandler } from './alarms-list.ts';
import { applyPaymentHandler } from './apply.ts';
import { capturePaymentHandler } from './capture.ts';
import { activateCardKeyHandler } from './card-keys-activate.ts';
import { destroyCardKeyHandler } from './card-keys-destroy.ts';
import { type IssueCardKeyHandlerDeps, issueCardKeyHandler } from './card-keys-issue.ts';
import { listCardKeysHandler } from './card-keys-list.ts';
import { retireCardKeyHandler } from './card-keys-retire.ts';
import { paymentEventsHandler } from './events.ts';
import { fulfilPaymentHandler } from './fulfil.ts';
import { getPaymentHandler } from './get.ts';
import { type ListPaymentsDeps, listPaymentsHandler } from './list.ts';
import { changePaymentTipHandler } from './tip.ts';
import { voidPaymentHandler } from './void.ts';

export type OfficePaymentDeps = OrdersDeps &
  ListPaymentsDeps &
  AcknowledgeAlarmDeps &
  IssueCardKeyHandlerDeps;

export const officePaymentHandlers = (
  deps: OfficePaymentDeps,
): HandlersOf<`backOffice.${'payments' | 'alarms' | 'cardKeys'}.`> => ({
  'backOffice.payments.list': listPaymentsHandler(deps),
  'backOffice.payments.get': getPaymentHandler(deps),
  'backOffice.payments.events': paymentEventsHandler(deps),
  'backOffice.payments.apply': applyPaymentHandler(deps),
  'backOffice.payments.fulfil': fulfilPaymentHandler(deps),
  'backOffice.payments.void': voidPaymentHandler(deps),
  'backOffice.payments.capture': capturePaymentHandler(deps),
  'backOffice.payments.tip': changePaymentTipHandler(deps),
  'backOffice.alarms.list': listAlarmsHandler(deps),
  'backOffice.alarms.acknowledge': acknowledgeAlarmHandler(deps),
  'backOffice.cardKeys.list': listCardKeysHandler(deps),
  'backOffice.cardKeys.issue': issueCardKeyHandler(deps),
  'backOffice.cardKeys.activate': activateCardKeyHandler(deps),
  'backOffice.cardKeys.retire': retireCardKeyHandler(deps),
  'backOffice.cardKeys.destroy': destroyCardKeyHandler(deps),
});
