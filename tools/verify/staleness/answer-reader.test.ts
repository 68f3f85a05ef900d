import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AnswerReader } from './answer-reader.ts';

const answer = (body: string) =>
  `HTTP/1.1 200 OK\r\nETag: "a"\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

test('answers are read the same, in however many pieces they come', () => {
  const bytes = Buffer.from(answer('Käse'));
  for (let at = 1; at < bytes.length; at += 1) {
    const reader = new AnswerReader();
    const pieces = [bytes.subarray(0, at), bytes.subarray(at)];
    for (const _ of ['once', 'again']) {
      const [first, last] = pieces.map((piece) => reader.read(piece));
      assert.equal(first, null);
      assert.deepEqual(
        { ...last, bytes: last?.bytes.toString() },
        { status: 200, headers: { etag: '"a"', 'content-length': '5' }, bytes: 'Käse' },
      );
    }
  }
});

test('a 304 ends with its head, whatever length it tells', () => {
  const reader = new AnswerReader();
  const read = reader.read(Buffer.from('HTTP/1.1 304 Not Modified\r\ncontent-length: 9\r\n\r\n'));
  assert.equal(read?.status, 304);
  assert.equal(reader.read(Buffer.from(answer('')))?.status, 200);
});

test('what is no single answer with a length is refused', () => {
  const read = (text: string) => new AnswerReader().read(Buffer.from(text));
  assert.throws(() => read('HTTP/1.1 200 OK\r\n\r\n'), /says nothing of its length/);
  assert.throws(() => read(`${answer('a')}HTTP/1.1`), /behind the end of an answer/);
});
