import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replayDifferencesAtMost } from '@servery/contract';
import { type ComparedAnswer, compareAnswers } from './compare.ts';

const mainUrl = 'http://localhost:8080';
const requestId = '5f0c1a2e-7b34-4d8a-9c61-000000000090';
const otherId = '5f0c1a2e-7b34-4d8a-9c61-000000000091';

function answer(
  id: string,
  body: unknown,
  answerHeaders: Record<string, string> = {},
): ComparedAnswer {
  return {
    ...{ operation: null, method: 'GET', path: '/', requestBody: null, explanation: null },
    ...{ realAt: '2026-01-31T18:30:00.000Z', durationMs: 20, requestId: id, status: 200 },
    answerHeaders,
    answerBody: typeof body === 'string' ? body : JSON.stringify(body),
  };
}

test('compareAnswers: what always differs is no difference', () => {
  const at = (url: string, id: string, time: string) =>
    answer(id, { link: `${url}/errors/10005?request=${id}`, requestId: id, at: time });
  const before = at(mainUrl, requestId, '2026-01-31T18:30:00.000Z');
  const after = at(`${mainUrl}/sandboxes/pull-42`, otherId, '2026-02-01T18:30:00.000Z');
  assert.deepEqual(compareAnswers(before, after, mainUrl), { differences: [], differenceCount: 0 });
  const elsewhere = answer(otherId, { link: 'http://localhost:8080.example/x', at: null });
  const { differences } = compareAnswers(before, elsewhere, mainUrl);
  assert.deepEqual(
    differences.map(({ path }) => path),
    ['body.link', 'body.requestId', 'body.at'],
  );
});

test('compareAnswers: each place is named, whatever its name', () => {
  const before = answer(requestId, [{ 'a b': 1, same: {} }, 2], { etag: 'one' });
  const after = { ...answer(otherId, [{ 'a b': [1], same: {} }]), status: 201 };
  assert.deepEqual(compareAnswers(before, after, mainUrl).differences, [
    { path: 'status', before: 200, after: 201 },
    { path: 'headers.etag', before: 'one', after: null },
    { path: 'body[0]["a b"]', before: 1, after: [1] },
    { path: 'body[1]', before: 2, after: null },
  ]);
  // A body that was cut off is a text.
  const cut = compareAnswers(answer(requestId, '[{"a":1'), answer(otherId, '[{"a":2'), mainUrl);
  assert.deepEqual(cut.differences, [{ path: 'body', before: '[{"a":1', after: '[{"a":2' }]);
});

test('compareAnswers: the first differences and the count of all', () => {
  const count = replayDifferencesAtMost + 7;
  const [before, after] = [0, 1].map((value) => Array.from({ length: count }, () => value));
  const compared = compareAnswers(answer(requestId, before), answer(otherId, after), mainUrl);
  assert.equal(compared.differences.length, replayDifferencesAtMost);
  assert.equal(compared.differenceCount, count);
});

/** A UUIDv7 of that time. */
function guidOf(instant: string, end: string): string {
  const time = Date.parse(instant).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${end.padStart(12, '0')}`;
}

test('compareAnswers: a GUID that each request made is no difference, and any other is', () => {
  const [at, laterAt] = ['2026-01-31T18:30:00.000Z', '2026-02-03T18:30:00.000Z'];
  const own = guidOf(at, 'a');
  const body = (guid: string) => ({ guid });
  const compared = (guid: string, other: Partial<ComparedAnswer> = {}, method = 'POST') =>
    compareAnswers(
      { ...answer(requestId, body(own)), method },
      { ...answer(otherId, body(guid)), method, realAt: laterAt, ...other },
      mainUrl,
    ).differences.map(({ path }) => path);
  const made = guidOf(laterAt, 'b');
  assert.deepEqual(compared(made), []);
  assert.deepEqual(compared(made, {}, 'GET'), ['body.guid']);
  assert.deepEqual(compared(made, { requestBody: JSON.stringify(body(made)) }), ['body.guid']);
  for (const guid of [guidOf(at, 'b'), made.replace('-7', '-4'), 'none']) {
    assert.deepEqual(compared(guid), ['body.guid'], guid);
  }
});
