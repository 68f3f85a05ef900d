import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eventKinds, exampleOf, type PartnerEvent, type WebhookEvent } from '@servery/contract';
import { plain } from '../terminal.ts';
import { textWidth } from '../text-width.ts';
import type { Forwarded, HeardEvent } from './forward.ts';
import { shownEvent } from './shown.ts';

const example = exampleOf({ schema: 'PartnerEvent', array: false }, 'Platform') as PartnerEvent;
const guid = '01929d2f-5e61-7f6a-8a51-3c7f1d0b9a11';
const heard: HeardEvent = {
  ...{ cursor: '41.0', kind: 'event', body: '' },
  event: {
    ...example,
    guid,
    eventType: 'partner_added',
    timestamp: '2026-01-31T18:30:00.123Z',
    details: { ...example.details, restaurantName: 'The Early Wren' },
  },
};
const taken: Forwarded = {
  ...{ url: 'http://localhost:3000/', status: 200, durationMs: 6.1 },
  ...{ error: null, answer: null },
};
const wide = { width: Number.POSITIVE_INFINITY, paint: plain };
const narrow = { width: 60, paint: plain };

describe('a line of servery listen', () => {
  test('on a wide terminal an event is one line, with durations below each other', () => {
    const rest = `partner_added    The Early Wren  ${guid}\n`;
    const shown = [6.1, 2005.3].map((durationMs) =>
      shownEvent(heard, { ...taken, durationMs }, wide),
    );
    assert.deepEqual(shown, [
      `2026-01-31T18:30:00Z  200           6 ms  ${rest}`,
      `2026-01-31T18:30:00Z  200        2005 ms  ${rest}`,
    ]);
    assert.equal(shownEvent(heard, null, wide), `2026-01-31T18:30:00Z  ${rest}`);
  });

  test('on 60 columns an event is several lines, and nothing of them is cut', () => {
    const failed = { ...taken, status: 500, durationMs: 30_000, answer: 'x'.repeat(200) };
    const replayed: HeardEvent = { ...heard, kind: 'test' };
    const lines = shownEvent(replayed, failed, narrow).split('\n');
    const [head = '', place = '', id = '', reason = ''] = lines;
    assert.equal(head, '2026-01-31T18:30:00Z  FAIL 500  30000 ms  partner_added');
    assert.deepEqual([place, id], ['    The Early Wren (test)', `    ${guid}`]);
    assert.match(reason, /^ {4}It responded: x+…$/);
    assert.equal(textWidth(reason), 60);
  });

  test('what failed stands out, with what the receiver answered or why it did not', () => {
    const look = { ...wide, paint: (text: string) => `<${text}>` };
    const ended = (change: Partial<Forwarded>) =>
      shownEvent(heard, { ...taken, ...change }, look)
        .split('\n')
        .slice(0, 2);
    const [refused, said] = ended({ status: 503, answer: 'no \u001b[2Jdatabase' });
    assert.match(refused ?? '', /^<.* FAIL 503 .*>$/);
    assert.equal(said, '    It responded: no \u{fffd}[2Jdatabase');
    assert.equal(ended({ status: 302, answer: '' })[1], '    Its response is empty.');
    const [cut, why] = ended({ status: null, error: 'nothing listens there' });
    assert.match(cut ?? '', /^<.* FAIL {10}6 ms .*>$/);
    assert.equal(why, '    nothing listens there');
    assert.doesNotMatch(ended({})[0] ?? '', /[<>]/);
  });

  test('HOOK-1: every type of event fits 80 columns, and says what it is about', () => {
    const look = { width: 80, paint: plain };
    const names = new Set(Object.values(eventKinds).map((kind) => kind.schema));
    for (const schema of names) {
      const event = exampleOf({ schema, array: false }, 'Platform') as WebhookEvent;
      const shown = shownEvent({ ...heard, event }, taken, look);
      assert.ok(shown.includes(event.eventType) && shown.includes(event.guid), shown);
      for (const line of shown.split('\n')) assert.ok(textWidth(line) <= 80, line);
    }
    const event = exampleOf({ schema: 'StockEvent', array: false }, 'Platform') as WebhookEvent;
    assert.match(
      shownEvent({ ...heard, event }, null, wide),
      /low_quantity .*item \S+ QUANTITY 3 /,
    );
  });
});
