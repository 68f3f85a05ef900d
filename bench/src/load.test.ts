import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import { AnswerReader } from './answer-reader.ts';
import { askOnce, type LoadRequest, measureLoad, requestBytes } from './load.ts';

async function serve(t: TestContext, answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const asking = (url: string, changes: Partial<LoadRequest> = {}) => ({
  url,
  next: () => ({ bytes: requestBytes(url), status: 200, ...changes }),
  connections: 2,
});

describe('the load of the bench', () => {
  test('it counts answers and tells their times', async (t) => {
    let count = 0;
    const url = await serve(t, (_, response) => {
      count += 1;
      response.end('fine');
    });
    const { value, p50Ms = 0, p99Ms = 0 } = await measureLoad(asking(url, { length: 4 }), 0.1);
    assert.ok(value > 0 && count >= 2);
    assert.ok(p50Ms > 0 && p99Ms >= p50Ms);
  });

  test('a wrong status, length or body is never a fast answer', async (t) => {
    const url = await serve(t, (_, response) => response.end('wrong'));
    await assert.rejects(measureLoad(asking(url, { status: 204 }), 0.1), /answered 200 of 5 bytes/);
    await assert.rejects(measureLoad(asking(url, { length: 4 }), 0.1), /not 200 of 4 bytes/);
    const check = (body: Buffer) => assert.equal(body.toString(), 'right');
    await assert.rejects(measureLoad(asking(url, { check }), 0.1), /right/);
  });

  test('what an error says is told', async (t) => {
    const url = await serve(t, (_, response) => response.writeHead(500).end('because'));
    await assert.rejects(measureLoad(asking(url), 0.1), /answered 500 of 7 bytes.*: because$/);
  });

  test('a connection may end after an answer, but not in the middle of one', async (t) => {
    const broken = await serve(t, (_, response) => response.socket?.destroy());
    await assert.rejects(measureLoad(asking(broken), 0.1), /in the middle of an answer|ECONNRESET/);
    const closing = await serve(t, (_, response) => {
      response.writeHead(200, { connection: 'close' }).end('bye');
    });
    const { value } = await measureLoad(asking(closing, { length: 3 }), 0.1);
    assert.ok(value > 0);
  });

  test('a request has a body with its length, and an answer in chunks is read', async (t) => {
    const url = await serve(t, (request, response) => {
      request.on('data', (body) => response.write(body));
      request.on('end', () => response.end(request.headers['content-length']));
    });
    const bytes = requestBytes(url, { method: 'PUT', body: 'é' });
    assert.equal((await askOnce(url, { bytes, status: 200 })).toString(), 'é2');
  });
});

describe('reading answers', () => {
  const reader = () => Object.assign(new AnswerReader(), { keepsBody: true });
  const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello';

  test('an answer is whole wherever it was cut, and its bytes are kept', () => {
    for (let cut = 1; cut < ANSWER.length; cut += 1) {
      const one = reader();
      const buffer = Buffer.from(ANSWER.slice(0, cut));
      assert.equal(one.read(buffer), false);
      buffer.fill(0);
      assert.equal(one.read(Buffer.from(ANSWER.slice(cut))), true, `cut at ${cut}`);
      assert.deepEqual([one.status, one.length, one.body.toString()], [200, 5, 'hello']);
    }
  });

  test('304 has no body whatever its length says, and the next answer is read after it', () => {
    const one = reader();
    assert.ok(one.read(Buffer.from('HTTP/1.1 304 Not Modified\r\ncontent-length: 5\r\n\r\n')));
    assert.deepEqual([one.status, one.length], [304, 0]);
    assert.ok(one.read(Buffer.from(ANSWER)));
    assert.equal(one.body.toString(), 'hello');
  });

  test('bytes after an answer, and an answer without a length, are refused', () => {
    assert.throws(() => reader().read(Buffer.from(`${ANSWER}!`)), /after the end/);
    assert.throws(() => reader().read(Buffer.from('HTTP/1.1 200 OK\r\n\r\n')), /nothing of its/);
  });
});
