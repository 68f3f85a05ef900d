import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newGuid } from '@servery/support/ids.ts';
import { ApiError } from '../../http/errors.ts';
import {
  createExaminer,
  type Examination,
  type Examiner,
  type ExaminerOptions,
} from './examiner.ts';

const GUID = '01a1fecd-5347-73d2-8ab8-0b7abcf4b49c';
const restaurant = {
  guid: GUID,
  managementGroupGuid: GUID,
  name: 'Bar',
  publishNumber: 7,
  timeZone: 'UTC',
  currencyCode: 'EUR',
};
const MINUTE_MS = 60_000;
const options = { byName: true, withArchived: false };

/** Where a test needs none of its own. */
let examiner: Examiner;
const running: Examiner[] = [];
before(() => {
  examiner = newExaminer();
});
after(async () => {
  for (const each of running) await each.stop();
});

function newExaminer(options?: ExaminerOptions): Examiner {
  const own = createExaminer(options);
  running.push(own);
  return own;
}

/** The body of a plan of so many items, some of which are published otherwise. */
function bodyOf(count: number): string {
  const menuItems = Array.from({ length: count }, (_, index) => ({ name: `Item ${index}` }));
  return JSON.stringify({ document: { configuration: { menuItems } }, note: 'Spring.' });
}

function published(count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const fields = { name: `Item ${index}`, calories: index, optionGroups: [] };
    const place = { collection: 'menuItems', guid: newGuid(), multiLocationId: `item ${index}` };
    return JSON.stringify({
      ...place,
      externalId: null,
      archived: false,
      modifiedAt: null,
      fields,
    });
  });
}

/** Everything that can be asked, in the order in which it makes sense. */
async function askAll(examination: Examination, body: string, objects: readonly string[]) {
  const opened = await examination.ask('open', body);
  await examination.ask('begin');
  await examination.ask('add', objects);
  return {
    opened,
    planned: await examination.ask('plan', restaurant),
    summary: await examination.ask('summarize'),
    written: await examination.ask('write', 1, 3),
    exported: await examination.ask('export', restaurant, options),
    preview: await examination.ask('preview', restaurant, []),
  };
}

test('backOffice.configuration.plan: a thread examines as the process does', async () => {
  const [body, objects] = [bodyOf(20), published(5)];
  const [here, there] = await Promise.all(
    [false, true].map((isLarge) =>
      examiner.examine(isLarge, (examination) => askAll(examination, body, objects)),
    ),
  );
  assert.deepEqual(there, here);
  // What is asked for beside the document is given, and the document is not.
  assert.deepEqual(there?.opened, { document: {}, note: 'Spring.' });
  assert.equal(there?.planned.plan.actionCount, 20);
  assert.equal(JSON.parse(there?.written ?? '').length, 2);
});

test('backOffice.configuration.plan 400 422: refusals come from a thread as they are', async () => {
  const wrong = JSON.stringify({ document: { configuration: { menuItems: [{ name: 7 }] } } });
  const refusals = await Promise.all(
    [false, true].map((isLarge) =>
      examiner.examine(isLarge, async (examination) => {
        const asked = [
          () => examination.ask('open', '{"document": '),
          () => examination.ask('open', wrong),
          () => examination.ask('plan', restaurant),
        ];
        const told: unknown[] = [];
        for (const ask of asked) {
          const error = await ask().then(
            () => null,
            (reason: unknown) => reason,
          );
          if (error === null) continue;
          assert.ok(error instanceof ApiError);
          const { errorClass, message, faults } = error;
          told.push({ errorClass, message, faults });
        }
        return told;
      }),
    ),
  );
  assert.deepEqual(refusals[1], refusals[0]);
  const [broken, shape] = refusals[1] as { errorClass: string; faults: unknown[] }[];
  assert.deepEqual([broken?.errorClass, shape?.errorClass], ['badRequest', 'unprocessable']);
  assert.equal(shape?.faults.length, 1);
});

test('backOffice.configuration.plan 503: one at a time, and not too many wait', async () => {
  const order: number[] = [];
  const first = examiner.examine(true, async (examination) => {
    // So many questions that those of the others would come between.
    await examination.ask('open', bodyOf(1));
    for (let round = 0; round < 3; round += 1) await examination.ask('begin');
    assert.equal((await examination.ask('plan', restaurant)).plan.actionCount, 1);
    order.push(0);
  });
  const others = Array.from({ length: 15 }, (_, index) =>
    examiner.examine(true, async (examination) => {
      // Whatever was opened before is forgotten.
      await examination.ask('begin');
      await assert.rejects(examination.ask('plan', restaurant), ApiError);
      order.push(index + 1);
    }),
  );
  await assert.rejects(
    examiner.examine(true, async () => {}),
    isUnavailable,
  );
  // What is small waits for nobody.
  await examiner.examine(false, async (examination) => examination.ask('open', '{}'));
  await Promise.all([first, ...others]);
  assert.deepEqual(
    order,
    [...order].sort((one, other) => one - other),
  );
  assert.equal(order.length, 16);
});

test('backOffice.configuration.plan: after a thread that died comes another one', async () => {
  const examiner = newExaminer();
  const died = examiner.examine(true, async (examination) => {
    await examination.ask('open', bodyOf(1));
    // A thread that is told to end answers nothing more, however fast it is.
    return await Promise.all([examiner.stop(), examination.ask('open', bodyOf(1))]);
  });
  await assert.rejects(died, /the thread of examinations has ended/);
  const opened = await examiner.examine(true, (examination) =>
    examination.ask('open', '{"note": "again"}'),
  );
  assert.deepEqual(opened, { note: 'again' });
});

const isUnavailable = (error: unknown) =>
  error instanceof ApiError && error.errorClass === 'unavailable';

test('backOffice.configuration.plan 503: without an end nobody waits for ever', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const examiner = newExaminer();
  const open = () =>
    examiner.examine(true, (examination) => {
      const opened = examination.ask('open', '{}');
      // No thread has even begun by then.
      t.mock.timers.tick(MINUTE_MS);
      return opened;
    });
  for (const opened of [open(), open()]) await assert.rejects(opened, isUnavailable);
  await assert.rejects(open(), isUnavailable);
});

test('backOffice.configuration.plan 503: who waits when the process stops is told', async () => {
  const stopping = new AbortController();
  const examiner = newExaminer({ stopping: stopping.signal });
  const underWay = examiner.examine(true, async (examination) => {
    await examination.ask('open', '{"note": "under way"}');
    stopping.abort();
    return await examination.ask('open', '{"note": "to its end"}');
  });
  const waiting = examiner.examine(true, (examination) => examination.ask('open', '{}'));
  await assert.rejects(waiting, isUnavailable);
  assert.deepEqual(await underWay, { note: 'to its end' });
});

test('backOffice.configuration.plan: a large document leaves the process free', async () => {
  const [body, objects] = [bodyOf(2_000), published(2_000)];
  await examiner.examine(true, (examination) => examination.ask('open', '{}'));
  const spent = ({ user, system }: NodeJS.CpuUsage) => user + system;
  let [all, here] = [0, 0];
  // What a host takes away is counted to whoever was at work just then, but not every time.
  for (let turn = 1; turn <= 3 && here >= all / 4; turn += 1) {
    const [began, beganHere] = [process.cpuUsage(), process.threadCpuUsage()];
    const { planned } = await examiner.examine(true, (examination) =>
      askAll(examination, body, objects),
    );
    assert.equal(planned.plan.actionCount, 2_000);
    [all, here] = [spent(process.cpuUsage(began)), spent(process.threadCpuUsage(beganHere))];
  }
  assert.ok(here < all / 4, `${here} µs of ${all} µs`);
});
