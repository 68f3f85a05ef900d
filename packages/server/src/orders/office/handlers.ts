import type { HandlersOf } from '../../http/operation.ts';
import type { ListDeps } from '../../http/page.ts';
import type { RepricingDeps } from '../kitchen/void.ts';
import type { OfficeOrderDeps as DecisionDeps } from './answer-decision.ts';
import { approveOrderHandler } from './approve.ts';
import { orderEventsHandler } from './events.ts';
import { fireOrderHandler } from './fire.ts';
import { fulfilOrderHandler } from './fulfil.ts';
import { getOfficeOrderHandler } from './get.ts';
import { holdOrderHandler } from './hold.ts';
import { listOfficeOrdersHandler } from './list.ts';
import { addOrderPaymentHandler } from './payments-add.ts';
import { voidOrderPaymentHandler } from './payments-void.ts';
import { readyOrderHandler } from './ready.ts';
import { rejectOrderHandler } from './reject.ts';
import { voidSelectionHandler } from './selections-void.ts';
import { voidWholeOrderHandler } from './void.ts';

export type OfficeOrderDeps = DecisionDeps & ListDeps & RepricingDeps;

export const officeOrderHandlers = (deps: OfficeOrderDeps): HandlersOf<'backOffice.orders.'> => ({
  'backOffice.orders.list': listOfficeOrdersHandler(deps),
  'backOffice.orders.get': getOfficeOrderHandler(deps),
  'backOffice.orders.events': orderEventsHandler(deps),
  'backOffice.orders.approve': approveOrderHandler(deps),
  'backOffice.orders.reject': rejectOrderHandler(deps),
  'backOffice.orders.fire': fireOrderHandler(deps),
  'backOffice.orders.hold': holdOrderHandler(deps),
  'backOffice.orders.ready': readyOrderHandler(deps),
  'backOffice.orders.fulfil': fulfilOrderHandler(deps),
  'backOffice.orders.payments.add': addOrderPaymentHandler(deps),
  'backOffice.orders.payments.void': voidOrderPaymentHandler(deps),
  'backOffice.orders.selections.void': voidSelectionHandler(deps),
  'backOffice.orders.void': voidWholeOrderHandler(deps),
});
