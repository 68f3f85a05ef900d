/** Scenarios of an integration that receives events about stock: the task `listen`. */
import type { Scenario } from './scenario.ts';
import { type Finding, failed, notChecked, passed, type Stage } from './stage.ts';

const OVERTAKEN = 'PT10S';

export const hearingScenarios: readonly Scenario[] = [
  {
    name: 'events-twice-and-shuffled',
    task: 'listen',
    title: 'handles each event once, in whatever order they come',
    rule: 'HOOK-1',
    run: async (stage) => {
      const items = await stage.someItems(3);
      await stage.listen();
      // The first one waits until the others have overtaken it; the second one comes twice.
      await stage.order({ kind: 'shuffledEvents', duration: OVERTAKEN }, null);
      await stage.setStock(items[0] ?? '', 'OUT_OF_STOCK');
      await stage.order({ kind: 'duplicateEvent' }, null);
      await stage.setStock(items[1] ?? '', 'OUT_OF_STOCK');
      await stage.setStock(items[2] ?? '', 'OUT_OF_STOCK');
      await stage.untilSettled(1);
      await stage.advance(OVERTAKEN);
      await stage.untilSettled(0);
      return await judge(stage, items);
    },
  },
  {
    name: 'wrong-signature',
    task: 'listen',
    title: 'refuses an event whose signature is wrong',
    rule: 'HOOK-1',
    run: async (stage) => {
      const [item = ''] = await stage.someItems(1);
      await stage.listen();
      await stage.order({ kind: 'wrongSignature' }, null);
      await stage.setStock(item, 'OUT_OF_STOCK');
      await stage.untilSettled(0);
      const [delivery] = await stage.deliveries();
      if (!delivery?.fault?.startsWith('wrongSignature')) return notChecked('No event came.');
      const reads = await readsOf(stage, item);
      if (delivery.state === 'DELIVERED') {
        return failed(`It accepted the event with ${delivery.lastStatus}.`, reads);
      }
      if (reads.length > 0) return failed('It acted on the event.', reads);
      return delivery.lastStatus === null ? notChecked('It did not answer.') : passed([]);
    },
  },
];

async function judge(stage: Stage, items: readonly string[]): Promise<Finding> {
  const deliveries = await stage.deliveries();
  const lost = deliveries.filter(({ state }) => state !== 'DELIVERED');
  if (deliveries.length === 0) return notChecked('No event came.');
  if (lost.length > 0) return failed(`It did not accept ${lost.length} events.`, []);
  const reads = await Promise.all(items.map((item) => readsOf(stage, item)));
  const [twice] = reads.filter((each) => each.length > 1);
  if (twice) return failed('It handled an event twice.', twice);
  const missed = reads.filter((each) => each.length === 0).length;
  if (missed > 0) return failed(`It did nothing about ${missed} events.`, reads.flat());
  return passed(reads.flat());
}

/** How often the integration asked for the stock of an item. */
async function readsOf(stage: Stage, item: string) {
  const searches = await stage.logOf(/^stock\.search$/);
  return searches.filter(({ requestBody }) => requestBody?.includes(item));
}
