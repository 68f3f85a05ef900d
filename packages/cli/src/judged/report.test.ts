import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Report } from './checks.ts';
import { htmlOf } from './html.ts';
import { junitOf } from './junit.ts';

const report: Report = {
  name: 'Conformance',
  subject: 'http://127.0.0.1:4400/?a&b',
  checks: [
    { title: 'a', outcome: 'passed', message: null, requestIds: ['id-1'], durationMs: 5 },
    { title: 'b', outcome: 'failed', message: '<script>\u0000"x"\nline 2', durationMs: 1_500 },
    { title: 'c', outcome: 'notChecked', message: 'no data', durationMs: 0 },
    { title: 'd', outcome: 'expected', message: 'known', durationMs: 0 },
  ],
};

test('a report as JUnit XML counts what failed, and holds no character that XML forbids', () => {
  const xml = junitOf(report);
  assert.match(xml, /tests="4" failures="1" errors="0" skipped="2" time="1\.505"/);
  assert.ok(xml.includes('message="&lt;script&gt;\u{fffd}&quot;x&quot;">&lt;script&gt;'));
  assert.ok(xml.includes('<system-out>request id-1</system-out>'));
});

test('a report as a page shows what failed first, and runs nothing that a platform sent', () => {
  const html = htmlOf(report);
  assert.ok(!html.includes('<script'));
  const order = ['Failed (1)', 'Failed as expected (1)', 'Not checked (1)', 'Passed (1)'];
  const places = order.map((title) => html.indexOf(title));
  assert.ok(places.every((place, index) => place > (places[index - 1] ?? 0)));
  assert.match(html, /4 checks: 1 passed, 1 failed, 1 failed as expected, 1 not checked/);
});
