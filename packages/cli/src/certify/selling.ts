/** Scenarios of an integration that sells something and takes a card for it: the task `order`. */
import type { LoggedRequestDetails, Order, OrderRequest, PaymentStatus } from '@servery/contract';
import type { Scenario } from './scenario.ts';
import {
  type Finding,
  failed,
  neverHappened,
  notChecked,
  passed,
  type Requests,
  type Stage,
} from './stage.ts';

const AUTHORIZE = 'creditCards.authorize';
const PLACE = 'orders.place';
const NAMING_ITEMS = /^orders\.(price|place)$/;
const CENTS = 100;

export const sellingScenarios: readonly Scenario[] = [
  {
    name: 'lost-answer',
    task: 'order',
    title: 'makes no second charge when the answer to a payment is lost',
    rule: 'PAY-7',
    run: async (stage) => {
      await stage.order({ kind: 'lostAnswer' }, AUTHORIZE);
      await stage.run('order');
      const { log, payments, placed } = await soldBy(stage);
      if (!payments.some(({ fault }) => fault?.startsWith('lostAnswer'))) return neverHappened();
      if (paymentsIn(payments).size > 1) {
        return failed('It used another paymentUuid, which is another charge.', payments);
      }
      if (!placed) return failed('It never placed the order, although the card is charged.', log);
      return passed([...payments, placed]);
    },
  },
  {
    name: 'late-approval',
    task: 'order',
    title: 'waits for the outcome of a payment that is only acknowledged',
    rule: 'PAY-8',
    run: async (stage) => {
      await stage.order({ kind: 'lateApproval' }, null);
      const selling = beginSale(stage);
      await stage.until(
        async () => selling.isOver() || (await hasPaymentIn(stage, 'ACKNOWLEDGED')),
      );
      // The platform asks the processor again by its own clock.
      await stage.until(async () => {
        if (!selling.isOver()) await stage.advance('PT10S');
        return selling.isOver();
      });
      await selling.ended;
      const { payments, orders, placed } = await soldBy(stage);
      if (!payments.some((each) => stateIn(each) === 'ACKNOWLEDGED')) return neverHappened();
      if (paymentsIn(payments).size > 1) {
        return failed('It used another paymentUuid, which is another charge.', payments);
      }
      const hasty = orders.filter(({ status }) => status === 409);
      if (hasty.length > 0) {
        return failed('It placed the order before the payment was authorized.', hasty);
      }
      if (!placed) return failed('It never placed the order after the approval.', payments);
      return passed([...payments, placed]);
    },
  },
  {
    name: 'declined',
    task: 'order',
    title: 'takes a declined card for no payment',
    rule: 'PAY-5',
    run: async (stage) => {
      await stage.order({ kind: 'decline', code: '05' }, null);
      await stage.run('order');
      const { payments, orders } = await soldBy(stage);
      if (!payments.some((each) => stateIn(each) === 'DENIED')) return neverHappened();
      if (orders.length === 0) return passed(payments);
      return failed('It placed an order after the card was declined.', [...payments, ...orders]);
    },
  },
  {
    name: 'void-deadline',
    task: 'order',
    title: 'notices that a payment was voided five minutes later',
    rule: 'ORD-44',
    run: async (stage) => {
      await stage.order({ kind: 'latency', duration: 'PT3S' }, PLACE);
      const selling = beginSale(stage);
      await stage.until(async () => selling.isOver() || (await hasPaymentIn(stage, 'AUTHORIZED')));
      await stage.advance('PT6M');
      await selling.ended;
      const { payments, orders } = await soldBy(stage);
      const [refused] = orders.filter(({ status }) => status === 409);
      if (!refused) return neverHappened();
      const later = orders.slice(orders.indexOf(refused) + 1);
      const used = paymentsOf(refused);
      if (later.some((each) => paymentsOf(each).length === 0)) {
        return failed('It placed the order without a payment.', later);
      }
      if (later.some((each) => paymentsOf(each).some((uuid) => used.includes(uuid)))) {
        return failed('It placed the order with the voided payment again.', later);
      }
      const placed = later.find(({ status }) => status === 200);
      if (!placed) return failed('It did not authorize the payment again.', [refused]);
      return passed([...payments, refused, placed]);
    },
  },
  {
    name: 'archived',
    task: 'order',
    title: 'sells nothing that was archived',
    rule: 'CFG-8',
    run: async (stage) =>
      await judgeSecondSale(stage, 'It ordered an item that is archived.', (item) =>
        stage.publish('menuItems', item, 'archive'),
      ),
  },
  {
    name: 'out-of-stock',
    task: 'order',
    title: 'sells nothing that is out of stock',
    rule: 'STK-1',
    run: async (stage) =>
      await judgeSecondSale(stage, 'It ordered an item that is out of stock.', (item) =>
        stage.setStock(item, 'OUT_OF_STOCK'),
      ),
  },
  {
    name: 'price-change',
    task: 'order',
    title: 'charges what the platform asks now',
    rule: 'ORD-26',
    run: async (stage) => {
      const first = await sale(stage);
      if (!first) return neverSold();
      await stage.raisePrice(first.item);
      const second = await sale(stage, first.placed);
      if (!second) return failed('It sold nothing after the price had changed.', [first.placed]);
      const { placed } = second;
      const [check] = orderIn(placed)?.checks ?? [];
      const paid = (check?.payments ?? []).reduce((sum, { amount }) => sum + amount, 0);
      const total = check?.totalAmount ?? 0;
      if (Math.round(paid * CENTS) === Math.round(total * CENTS)) return passed([placed]);
      return failed(`It charged ${paid}, and the order costs ${total}.`, [placed]);
    },
  },
];

/** What the integration did to sell something. */
async function soldBy(stage: Stage) {
  const log = await stage.log();
  const payments = log.filter(({ operation }) => operation === AUTHORIZE);
  const orders = log.filter(({ operation }) => operation === PLACE);
  return { log, payments, orders, placed: orders.find(({ status }) => status === 200) };
}

/** Sells something, changes the item that was sold, and sees that it is not ordered again. */
async function judgeSecondSale(
  stage: Stage,
  otherwise: string,
  change: (item: string) => Promise<void>,
): Promise<Finding> {
  const first = await sale(stage);
  if (!first) return neverSold();
  await change(first.item);
  const second = await sale(stage, first.placed);
  const asked = (await stage.logOf(NAMING_ITEMS)).filter(isAfter(first.placed));
  const wrong = asked.filter(({ requestBody }) => requestBody?.includes(first.item));
  if (wrong.length > 0) return failed(otherwise, wrong);
  if (!second) return failed('It sold nothing else.', asked);
  return passed([first.placed, second.placed]);
}

/** Has the integration sell something; null if it sold nothing after that request. */
async function sale(stage: Stage, after?: LoggedRequestDetails) {
  await stage.run('order');
  const { orders } = await soldBy(stage);
  const placed = orders.filter(isAfter(after)).find(({ status }) => status === 200);
  const [selection] = orderIn(placed)?.checks?.[0]?.selections ?? [];
  const item = selection?.item?.guid;
  return placed && item ? { placed, item } : null;
}

function isAfter(one: LoggedRequestDetails | undefined) {
  return ({ realAt }: LoggedRequestDetails) => one === undefined || realAt > one.realAt;
}

/** Has the integration sell something while the scenario goes on. */
function beginSale(stage: Stage) {
  let isOver = false;
  const ended = stage.start('order').ended.then(() => {
    isOver = true;
  });
  return { ended, isOver: () => isOver };
}

async function hasPaymentIn(stage: Stage, state: PaymentStatus['paymentState']): Promise<boolean> {
  const { payments } = await soldBy(stage);
  return payments.some((each) => stateIn(each) === state);
}

function paymentsIn(requests: Requests): ReadonlySet<string> {
  return new Set(requests.map(({ path }) => path.toLowerCase()));
}

/** The payments that an order was sent with. */
function paymentsOf({ requestBody }: LoggedRequestDetails): readonly string[] {
  const order = parsed<OrderRequest>(requestBody);
  return (order?.checks ?? []).flatMap(({ payments }) =>
    (payments ?? []).map(({ guid }) => String(guid)),
  );
}

function stateIn({ answerBody }: LoggedRequestDetails): string | undefined {
  return parsed<PaymentStatus>(answerBody)?.paymentState;
}

function orderIn(request: LoggedRequestDetails | undefined): Order | null {
  return parsed<Order>(request?.answerBody);
}

function parsed<Content>(text: string | null | undefined): Content | null {
  try {
    return text ? JSON.parse(text) : null;
  } catch {
    // The log keeps only the beginning of a long body.
    return null;
  }
}

function neverSold(): Finding {
  return notChecked('It placed no order.');
}
