import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { reservePort } from '../../server/test/reserved-ports.ts';
import { type Ended, servery } from './command.ts';
import { runHere } from './remote-platform.ts';

const SECRET = 'svs_of-this-test-only';

let folder: string;
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'servery-cli-faults-'));
});
after(() => rm(folder, { recursive: true, force: true }));

const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runHere(args, { SERVERY_DATA_DIR: folder, ...env });

const asClient = (url: string) => ({
  SERVERY_URL: url,
  SERVERY_CLIENT_ID: 'operator',
  SERVERY_CLIENT_SECRET: SECRET,
});

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Something that listens and answers as it is told, and the requests that it got. */
async function withServer<Result>(
  answer: Answer,
  work: (url: string, seen: IncomingMessage[]) => Promise<Result>,
): Promise<Result> {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    seen.push(request);
    answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** A token endpoint, and behind it what the test says. */
const behindToken =
  (answer: Answer): Answer =>
  (request, response) => {
    if (request.url !== '/oauth/token') return answer(request, response);
    response.setHeader('content-type', 'application/json');
    return response.end('{"access_token":"a.b.c","token_type":"Bearer","expires_in":60}');
  };

function keepsSecret({ out, err }: Ended): void {
  assert.ok(!out.includes(SECRET) && !err.includes(SECRET), 'the secret was printed');
}

describe('servery and what can go wrong', { concurrency: 2 }, () => {
  test('servery clock exits with 1 where nothing listens, and says what to do', async () => {
    const url = `http://127.0.0.1:${await reservePort()}`;
    const ended = await run(['clock'], asClient(url));
    assert.deepEqual([ended.code, ended.out], [1, '']);
    assert.match(ended.err, /^servery: cannot reach a platform at http:\/\/127\.0\.0\.1:\d+: /);
    assert.match(ended.err, /nothing listens there\. Start one with "servery start", or name /);
    keepsSecret(ended);
  });

  test('servery exits with 2 when nobody says which platform, or as whom', async () => {
    const nowhere = await run(['payments', 'list']);
    assert.equal(nowhere.code, 2);
    assert.match(
      nowhere.err,
      /which platform\? .*demo\.json does not exist\. Start a sandbox with/,
    );
    const nobody = await run(['alarms'], { SERVERY_URL: 'https://platform.example' });
    assert.equal(nobody.code, 2);
    assert.match(nobody.err, /which account\? .* set SERVERY_CLIENT_ID and SERVERY_CLIENT_SECRET/);
    const wrong = await run(['alarms', '--url', 'ftp://x:secretword@y']);
    assert.equal(wrong.code, 2);
    assert.match(wrong.err, /must be http:\/\/host:port or https:\/\/host/);
    assert.doesNotMatch(wrong.err, /secretword/);
  });

  test('servery has no flag for a secret', async () => {
    const { code, err } = await run(['clock', '--client-secret', SECRET]);
    assert.equal(code, 2);
    assert.match(err, /unknown option '--client-secret'/);
  });

  test('servery sends the secrets of a sandbox to that sandbox only', async () => {
    const clients = { operator: { clientId: 'operator', clientSecret: SECRET } };
    const dataDir = await mkdtemp(path.join(folder, 'demo-'));
    const demo = { baseUrl: 'http://127.0.0.1:4400', tlsUrl: null, clients, restaurants: [] };
    await writeFile(path.join(dataDir, 'demo.json'), JSON.stringify(demo));
    await withServer(
      (_request, response) => response.end('{}'),
      async (url, seen) => {
        for (const as of [[], ['--client-id', 'operator']]) {
          const args = ['clock', '--url', url, '--data-dir', dataDir, ...as];
          assert.equal((await run(args)).code, 2);
        }
        const other = { SERVERY_CLIENT_ID: 'another', SERVERY_CLIENT_SECRET: SECRET };
        const args = ['clock', '--url', url, '--client-id', 'somebody'];
        assert.match(
          (await run(args, other)).err,
          /the secret of the client somebody .* is unknown/,
        );
        assert.equal(seen.length, 0);
      },
    );
  });

  test('servery exits with 3 for a wrong secret, with the request id', async () => {
    const answer: Answer = (_request, response) => {
      response.writeHead(401, { 'Acme-Request-ID': 'the-request' });
      response.end('{"error":"invalid_client","error_description":"The client is not known."}');
    };
    await withServer(answer, async (url) => {
      const ended = await run(['clock'], asClient(url));
      assert.equal(ended.code, 3);
      const told = 'refused with 401: The client is not known.';
      const hint = '"servery env show" says which account it was, and why.';
      assert.equal(ended.err, `servery: the platform ${told} ${hint} (request the-request)\n`);
      keepsSecret(ended);
    });
  });

  test('servery payments list: where --limit can go no further, it says how to narrow', async () => {
    const page = { results: Array.from({ length: 200 }, () => ({})), nextPageToken: 'more' };
    const answer: Answer = (_request, response) => response.end(JSON.stringify(page));
    await withServer(behindToken(answer), async (url) => {
      const list = (limit: string) =>
        run(['payments', 'list', '--json', '--limit', limit], asClient(url));
      assert.match((await list('200')).err, /^There are more than 200: use --limit\.$/m);
      const most = await list('2000');
      assert.equal(most.code, 0, most.err);
      assert.match(
        most.err,
        /^There are more than 2000, the most that --limit shows: narrow the list with --restaurant, .*--created-from, --created-to, --due-before\.$/m,
      );
    });
  });

  test('servery clock exits with 130 on Ctrl-C and says that it may have been done', async () => {
    const asked = Promise.withResolvers<void>();
    const silent: Answer = () => asked.resolve();
    await withServer(behindToken(silent), async (url) => {
      const ended = await servery(['clock', 'freeze'], {
        env: { SERVERY_DATA_DIR: folder, ...asClient(url) },
        onStart: (child) => void asked.promise.then(() => child.kill('SIGINT')),
      });
      assert.equal(ended.code, 130);
      assert.match(ended.err, /interrupted before the platform answered\. It is not known whether/);
    });
  });

  test('servery encrypt exits with 2 for what is no test card, and repeats no number', async () => {
    const number = '4917610000000000';
    const { code, out, err } = await run(['encrypt', '--card', number, '--amount', '1']);
    assert.deepEqual([code, out], [2, '']);
    assert.match(err, /the value of --card is not a test card\. "servery cards" lists them all/);
    assert.ok(!err.includes(number));
    const several = await run(['encrypt', '--card', 'declined', '--amount', '1']);
    assert.equal(several.code, 2);
    assert.match(several.err, /describes several test cards: 4000000000000002 \(Declined 05/);
    assert.match(several.err, / and \d+ more\. "servery cards"/);
  });

  test('servery encrypt exits with 2 for an amount that is none', async () => {
    for (const amount of ['12,50', '-1', '1e3', 'ten']) {
      const args = ['encrypt', '--card', '4111111111111111', `--amount=${amount}`];
      const { code, err } = await run(args);
      assert.equal(code, 2, amount);
      assert.match(err, /--amount must be an amount in currency units, for example 12\.50/);
    }
    const nothing = await run(['encrypt', '--card', '4111111111111111', '--amount', '0']);
    assert.match(nothing.err, /--amount and --tip together are zero/);
  });

  test('servery requests tail: comes again where a stream ended, and repeats nothing', async () => {
    const ids = ['a', 'b', 'c'].map((letter) => `${letter.repeat(8)}-0000-4000-8000-000000000000`);
    const event = (requestId = '') =>
      `id: 17-${requestId}\nevent: request\ndata: ${JSON.stringify({ requestId })}\n\n`;
    const streams = [`retry: 0\n\n${event(ids[0])}`, event(ids[0]) + event(ids[1]), event(ids[2])];
    const answer = behindToken((_request, response) => {
      const text = streams.shift();
      if (text !== undefined) return response.end(text);
      response.statusCode = 503;
      return response.end('{"message":"The platform stops."}');
    });
    await withServer(answer, async (url, seen) => {
      const { code, out, err } = await run(['requests', 'tail', '--json'], asClient(url));
      assert.equal(code, 1);
      assert.match(err, /The platform stops/);
      const told = out.trim().split('\n');
      assert.deepEqual(
        told.map((line) => JSON.parse(line).requestId),
        ids,
      );
      const froms = seen.slice(1).map(({ headers }) => headers['last-event-id']);
      assert.deepEqual(froms, [undefined, ...ids.map((id) => `17-${id}`)]);
    });
  });

  test('servery requests tail: gets another token when one has ended, once each time', async () => {
    const requestId = 'aaaaaaaa-0000-4000-8000-000000000000';
    const told = `id: 17-${requestId}\nevent: request\ndata: ${JSON.stringify({ requestId })}\n\n`;
    const ended = { status: 401, text: '{"message":"The token has ended."}' };
    const answers = [
      { status: 200, text: 'retry: 0\n\n' },
      ended,
      { status: 200, text: told },
      ...[ended, ended],
    ];
    const answer = behindToken((_request, response) => {
      const { status, text } = answers.shift() ?? { status: 500, text: '' };
      response.statusCode = status;
      return response.end(text);
    });
    await withServer(answer, async (url, seen) => {
      const { code, out, err } = await run(['requests', 'tail', '--json'], asClient(url));
      assert.deepEqual([code, JSON.parse(out).requestId], [3, requestId]);
      assert.match(err, /The token has ended/);
      const logins = seen.filter((request) => request.url === '/oauth/token');
      assert.deepEqual([logins.length, answers.length], [3, 0]);
    });
  });
});

describe('servery cards', { concurrency: 2 }, () => {
  test('servery cards is readable in 60 columns', async () => {
    const { code, out } = await run(['cards'], { COLUMNS: '60' });
    assert.equal(code, 0);
    const longest = Math.max(...out.split('\n').map((line) => line.length));
    assert.ok(longest <= 60, `a line has ${longest} characters`);
    assert.match(out, /^number +4000000000009995\nbrand +VISA\nanswer +DENIED\ncode +51\n/m);
  });

  test('servery cards filters by brand and outcome, and prints JSON', async () => {
    const { out } = await run(['cards', '--brand', 'amex', '--outcome', 'denied', '--json']);
    const cards = JSON.parse(out) as { number: string; brand: string; isoCode: string }[];
    assert.deepEqual(
      cards.map(({ number, brand, isoCode }) => [number, brand, isoCode]),
      [['378734493671000', 'AMEX', '05']],
    );
    const unknown = await run(['cards', '--brand', 'gold']);
    assert.equal(unknown.code, 2);
    assert.match(unknown.err, /--brand must be one of VISA, MASTERCARD, /);
  });

  test('servery cards ends with 0 when its reader has seen enough', async () => {
    const { code, err } = await servery(['cards', '--json'], {
      onStart: (child) => child.stdout?.once('data', () => child.stdout?.destroy()),
    });
    assert.deepEqual([code, err], [0, '']);
  });
});
