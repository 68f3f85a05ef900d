import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ApiError } from './errors.ts';
import { isoTimestamp, parseTimestamp } from './timestamps.ts';

const withTime = { name: 'lastModified', bareDate: false };
const withDate = { name: 'lastModified', bareDate: true };

/** The message of the 400 that the text gets; fails when it is taken. */
function refusal(text: string, form = withTime): string {
  try {
    const taken = parseTimestamp(text, form);
    assert.fail(`${JSON.stringify(text)} was taken as ${taken}`);
  } catch (error) {
    assert.ok(error instanceof ApiError);
    assert.equal(error.errorClass, 'badRequest');
    return error.message;
  }
}

test('API-8: every accepted offset form is the same instant', () => {
  for (const offset of ['Z', '+0000', '-0000', '+00:00', ' 0000', ' 00:00']) {
    assert.equal(
      parseTimestamp(`2026-03-01T14:30:59.5${offset}`, withTime),
      '2026-03-01T14:30:59.500000Z',
    );
  }
  assert.equal(parseTimestamp('2026-03-01T14:30:59Z', withTime), '2026-03-01T14:30:59.000000Z');
});

test('API-8: any other offset is refused by name', () => {
  const others = ['', 'z', '+0100', '+01:00', '-00:00', '+00', ' 0100', 'UTC', '+00:0', 'Z ', 'ZZ'];
  for (const offset of others) assert.ok(refusal(`2026-03-01T14:30:59.500${offset}`));
  assert.match(refusal('2026-03-01T14:30:59+0200'), /has the offset "\+0200", but only UTC/);
  assert.match(refusal('2026-03-01T14:30:59'), /has no offset at its end/);
  assert.match(refusal('2026-03-01T14:30:59.Z'), /"\.Z"/);
});

test('API-8: a bare date is midnight UTC for the partners operations and refused elsewhere', () => {
  assert.equal(parseTimestamp('2026-03-01', withDate), '2026-03-01T00:00:00.000000Z');
  assert.match(refusal('2026-03-01'), /has no time of day/);
  for (const text of ['2026-03-01Z', '2026-03-01T', '2026-03-01T10', '2026-03-01 10:00:00Z']) {
    assert.ok(refusal(text, withDate));
  }
});

test('API-8: dates and times that do not exist are refused', () => {
  for (const date of ['2026-02-29', '2026-13-01', '2026-00-10', '2026-04-31', '0000-01-01']) {
    assert.match(refusal(`${date}T00:00:00Z`), /does not exist/);
  }
  for (const time of ['24:00:00', '23:60:00', '23:59:60']) {
    assert.match(refusal(`2026-03-01T${time}Z`), /has the time .* does not exist/);
  }
  assert.equal(parseTimestamp('2024-02-29T00:00:00Z', withTime), '2024-02-29T00:00:00.000000Z');
  assert.ok(refusal('1900-02-29T00:00:00Z'));
  assert.ok(parseTimestamp('2000-02-29T00:00:00Z', withTime));
});

test('API-8: text that is no timestamp is refused with an example of one', () => {
  for (const text of [
    '',
    'yesterday',
    '1767225600000',
    '12026-01-01T00:00:00Z',
    '2026-1-1',
    '٢٠٢٦-01-01',
  ]) {
    assert.match(refusal(text), /send 2026-03-01T14:30:00\.000Z/);
  }
  assert.ok(refusal('x'.repeat(10_000)).length < 300, 'the message does not echo a long text');
});

test('API-8: digits beyond microseconds are cut, so that "after" stays strict', () => {
  assert.equal(
    parseTimestamp('2026-03-01T14:30:59.1234569999Z', withTime),
    '2026-03-01T14:30:59.123456Z',
  );
  assert.equal(
    parseTimestamp('2026-12-31T23:59:59.99999999Z', withTime),
    '2026-12-31T23:59:59.999999Z',
  );
});

const instants = fc.date({
  min: new Date('0001-01-01T00:00:00.000Z'),
  max: new Date('9999-12-31T23:59:59.999Z'),
  noInvalidDate: true,
});

test('API-8 property: what we write we read back as the same instant, in every form', () => {
  const offsets = fc.constantFrom('Z', '+0000', '-0000', '+00:00', ' 0000');
  fc.assert(
    fc.property(instants, offsets, (date, offset) => {
      const instant = parseTimestamp(isoTimestamp(date).replace('Z', offset), withTime);
      assert.equal(instant, isoTimestamp(date).replace('Z', '000Z'));
      assert.equal(Date.parse(instant), date.getTime());
    }),
  );
});

test('API-8 property: the order of the canonical texts is the order of time', () => {
  fc.assert(
    fc.property(instants, instants, (one, other) => {
      const [a, b] = [one, other].map((date) => parseTimestamp(isoTimestamp(date), withTime));
      assert.equal(String(a) < String(b), one.getTime() < other.getTime());
    }),
  );
});

test('API-8 property: a date is taken exactly when the calendar has it', () => {
  const part = (most: number) => fc.integer({ min: 0, max: most });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9999 }), part(13), part(32), (year, month, day) => {
      const pad = (value: number, width: number) => String(value).padStart(width, '0');
      const text = `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
      const date = new Date(`${text}T00:00:00Z`);
      const exists = !Number.isNaN(date.getTime()) && isoTimestamp(date).startsWith(text);
      if (exists) assert.ok(parseTimestamp(text, withDate));
      else assert.ok(refusal(text, withDate));
    }),
  );
});

test('API-8 property: any text is either a canonical instant or a 400', () => {
  const pieces = fc.constantFrom(
    '2026',
    '-',
    '03',
    '01',
    'T',
    '14',
    ':',
    '30',
    '.',
    '5',
    'Z',
    '+',
    ' ',
    '0000',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(pieces).map((parts) => parts.join('')),
      ),
      (text) => {
        try {
          assert.match(parseTimestamp(text, withDate), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
        } catch (error) {
          assert.ok(error instanceof ApiError && error.errorClass === 'badRequest');
        }
      },
    ),
  );
});
