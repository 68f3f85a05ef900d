import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Look, Subject } from './subject.ts';

const [HERE, THERE] = [0, 1];
const is = (wanted: number) => (state: number) => state === wanted;

/** A thing of two processes that was made 1 at HERE: sent at 100 ms, answered at 110 ms. */
function changed(): Subject<number> {
  const subject = new Subject('thing', 2, 0);
  subject.answer(subject.send(1, HERE, 100), 110);
  return subject;
}

const verdict = (subject: Subject<number>, look: Look, endMs: number, state: number) =>
  subject.judge(look, endMs, is(state)).fault?.kind ?? null;

test('staleness: the same process must show what it has answered', () => {
  const subject = changed();
  assert.equal(
    verdict(subject, subject.look(HERE, 111, 'page'), 112, 0),
    'stale at the same process',
  );
  assert.equal(verdict(subject, subject.look(HERE, 111, 'page'), 112, 1), null);
});

test('staleness: what was asked before the answer may show either state', () => {
  const subject = new Subject('thing', 2, 0);
  const [before, other] = [subject.look(HERE, 90, 'page'), subject.look(HERE, 91, 'page')];
  subject.answer(subject.send(1, HERE, 100), 110);
  assert.equal(verdict(subject, before, 115, 0), null);
  assert.equal(verdict(subject, other, 116, 1), null);
});

test('staleness: another process has a second, and no more', () => {
  const subject = changed();
  assert.equal(verdict(subject, subject.look(THERE, 1_109, 'page'), 1_110, 0), null);
  assert.deepEqual(subject.latenessMs(), [999]);
  const late = subject.judge(subject.look(THERE, 1_310, 'page'), 1_311, is(0));
  assert.deepEqual(late.fault, { kind: 'late from another process', lateMs: 1_200 });
  assert.equal(verdict(subject, subject.look(THERE, 1_310, 'page'), 1_311, 1), null);
});

test('staleness: what somebody has seen is known, answered or not', () => {
  const subject = new Subject('thing', 3, 0);
  subject.send(1, HERE, 100);
  assert.equal(verdict(subject, subject.look(2, 120, 'page'), 130, 1), null);
  assert.equal(verdict(subject, subject.look(THERE, 1_100, 'page'), 1_101, 0), null);
  const kind = verdict(subject, subject.look(THERE, 1_131, 'page'), 1_132, 0);
  assert.equal(kind, 'late from another process');
});

test('staleness: whoever saw a state never sees an older one at the same process', () => {
  const subject = changed();
  assert.equal(verdict(subject, subject.look(THERE, 200, 'page'), 201, 1), null);
  assert.equal(verdict(subject, subject.look(THERE, 202, 'page'), 203, 0), 'backwards');
});

test('staleness: many resources are forgotten only where age says as much', () => {
  const subject = changed();
  const show = (resource: string, atMs: number, state: number) =>
    verdict(subject, subject.look(THERE, atMs, resource), atMs + 1, state);
  assert.equal(show('page', 2_000, 1), null);
  subject.answer(subject.send(2, HERE, 2_100), 2_110);
  assert.equal(show('other page', 2_200, 2), null);
  for (let each = 0; each < 2_000; each += 1) show(`page ${each}`, 2_300, 1);
  assert.equal(show('page', 2_301, 0), 'late from another process');
  assert.equal(show('page', 2_302, 1), null);
  assert.equal(show('other page', 2_303, 1), 'backwards');
});

test('staleness: another resource may lag behind for a second', () => {
  const subject = changed();
  assert.equal(verdict(subject, subject.look(THERE, 200, 'page'), 201, 1), null);
  assert.equal(verdict(subject, subject.look(THERE, 202, 'list'), 203, 0), null);
  const kind = verdict(subject, subject.look(THERE, 1_202, 'list'), 1_203, 0);
  assert.equal(kind, 'late from another process');
});

test('staleness: nothing is seen before it was asked for', () => {
  const subject = changed();
  const look = subject.look(THERE, 50, 'page');
  assert.equal(verdict(subject, look, 99, 1), 'never so');
  assert.equal(verdict(subject, subject.look(HERE, 111, 'page'), 112, 7), 'never so');
});

test('staleness: a right that lives on is noticed, and one that is not there yet', () => {
  const subject = new Subject<number>('connection', 2, 1);
  subject.answer(subject.send(0, HERE, 100), 110);
  assert.equal(
    verdict(subject, subject.look(HERE, 111, 'page'), 112, 1),
    'stale at the same process',
  );
  subject.answer(subject.send(1, HERE, 200), 210);
  assert.equal(
    verdict(subject, subject.look(HERE, 211, 'page'), 212, 0),
    'stale at the same process',
  );
  // Of two moments with the same rights the earlier one is taken, so that nobody is wronged.
  assert.equal(verdict(subject, subject.look(THERE, 212, 'page'), 213, 1), null);
  assert.equal(verdict(subject, subject.look(THERE, 214, 'page'), 215, 0), null);
  assert.equal(verdict(subject, subject.look(THERE, 216, 'page'), 217, 1), null);
  assert.equal(verdict(subject, subject.look(THERE, 218, 'page'), 219, 0), 'backwards');
});

test('staleness: the second page belongs to the state of the first', () => {
  const subject = changed();
  const first = subject.judge(subject.look(HERE, 120, 'page'), 121, is(1));
  assert.equal(first.state, 1);
  const span = { from: 1, to: subject.newestAt(121) };
  subject.answer(subject.send(2, HERE, 130), 140);
  const second = subject.judge(subject.look(HERE, 141, 'page'), 142, is(1), span);
  assert.equal(second.fault?.kind, 'stale at the same process');
  const mixed = subject.judge(subject.look(THERE, 141, 'page'), 142, is(2), span);
  assert.notEqual(mixed.fault, null);
});

test('staleness: what never came to be must not have been seen', () => {
  const subject = changed();
  const unseen = subject.send(2, THERE, 200);
  assert.equal(subject.drop(unseen), true);
  assert.equal(subject.latest, 1);
  const seen = subject.send(3, THERE, 300);
  assert.equal(verdict(subject, subject.look(HERE, 310, 'page'), 320, 3), null);
  assert.equal(subject.drop(seen), false);
  assert.deepEqual(subject.states, [0, 1]);
});
