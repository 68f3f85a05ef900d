import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ApiError } from '../http/errors.ts';
import { parseAuthorization } from './bearer.ts';

const TOKEN = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln';

function refusal(header: string | undefined): ApiError {
  try {
    parseAuthorization(header);
  } catch (error) {
    assert(error instanceof ApiError);
    assert.equal(error.errorClass, 'unauthorized');
    return error;
  }
  throw new Error(`accepted: ${header}`);
}

test('every operation 401 AUTH-5: the scheme name Bearer is matched in any case', () => {
  const scheme = fc.mixedCase(fc.constant('bearer'));
  const blanks = fc.integer({ min: 1, max: 4 }).map((count) => ' '.repeat(count));
  const token = fc.stringMatching(/^[A-Za-z0-9\-._~+/]{1,200}={0,2}$/);
  fc.assert(
    fc.property(scheme, blanks, token, (name, gap, value) => {
      assert.equal(parseAuthorization(`${name}${gap}${value}`), value);
    }),
  );
});

test('every operation 401 AUTH-5: a bare token is refused and the text says what is missing', () => {
  const error = refusal(TOKEN);
  assert.match(error.message, /put Bearer before it/);
  assert.match(error.headers['www-authenticate'] ?? '', /error="invalid_token"/);
});

test('every operation 401 AUTH-5: Bearer without exactly one token is malformed', () => {
  const malformed = ['Bearer', 'bearer ', `Bearer ${TOKEN} ${TOKEN}`, `Bearer ${TOKEN},${TOKEN}`];
  for (const header of [...malformed, 'Bearer a b', 'Bearer "a"', 'Bearer ä', `Bearer\t${TOKEN}`]) {
    assert.match(refusal(header).headers['www-authenticate'] ?? '', /error="invalid_token"/);
  }
});

test('every operation 401 AUTH-5: any text is a token or a 401 that echoes nothing', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.string().map((text) => `Bearer ${text}`),
      ),
      (header) => {
        let token: string;
        try {
          token = parseAuthorization(header);
        } catch (error) {
          assert(error instanceof ApiError);
          assert.match(error.headers['www-authenticate'] ?? '', /^Bearer realm="api"[\x20-\x7e]*$/);
          return;
        }
        assert.match(token, /^[A-Za-z0-9\-._~+/]+=*$/);
      },
    ),
  );
});

test('every operation 401 AUTH-5: a hostile header of 64 KiB is refused in no time', () => {
  const refuse = () => {
    const startedAt = performance.now();
    for (const header of [`Bearer ${' '.repeat(65_536)}`, `Bearer ${'='.repeat(65_536)}`]) {
      refusal(header);
    }
    refusal(`Bearer ${'a'.repeat(32_768)}${'='.repeat(32_768)}!`);
    return performance.now() - startedAt;
  };
  // What walks through them again and again takes seconds each time, a machine held up some times.
  let tookMs = refuse();
  for (let turn = 2; turn <= 4 && tookMs >= 1_000; turn += 1) tookMs = refuse();
  assert(tookMs < 1_000, `${tookMs} ms`);
});
