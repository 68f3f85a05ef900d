import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { Questions } from './questions.ts';

test('workers: a question without an answer is forgotten when its time has passed', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const questions = new Questions<string>(2_000);
    const ids: number[] = [];
    const asked = [1, 2, 3].map(() => questions.ask((id) => void ids.push(id)));
    questions.answered(2, 'two');
    mock.timers.tick(2_000);
    assert.deepEqual(await Promise.all(asked), [null, 'two', null]);
    assert.deepEqual([ids, questions.size], [[1, 2, 3], 0]);
    const last = questions.ask(() => {});
    questions.answered(1, 'late');
    questions.end();
    assert.equal(await last, null);
  } finally {
    mock.timers.reset();
  }
});
