import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ApiError } from '../http/errors.ts';
import { decodeBasic, readClientCredentials } from './client-authentication.ts';

function encodeFormValue(text: string): string {
  return new URLSearchParams({ v: text }).toString().slice(2);
}

function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

function refusal(run: () => unknown): ApiError {
  try {
    run();
  } catch (error) {
    assert(error instanceof ApiError);
    return error;
  }
  throw new Error('accepted');
}

test('auth.token 200 AUTH-6: Basic credentials are form-decoded, whatever characters they hold', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1 });
  fc.assert(
    fc.property(text, fc.string({ unit: 'grapheme' }), (clientId, clientSecret) => {
      const header = basic(encodeFormValue(clientId), encodeFormValue(clientSecret));
      assert.deepEqual(decodeBasic(header), { clientId, clientSecret });
    }),
  );
});

test('auth.token 401 AUTH-6: any other header is refused without an exception of another kind', () => {
  const invalid = [
    'Basic',
    'Basic ',
    'Basic !!!!',
    'Bearer abc',
    basic('', 'secret'),
    basic('a%', 'b'),
    basic('a%zz', 'b'),
    `Basic ${Buffer.from('no colon').toString('base64')}`,
    `Basic ${Buffer.from([0xff, 0x3a, 0xfe]).toString('base64')}`,
    basic('a', '%ff'),
  ];
  for (const header of invalid) {
    assert.equal(decodeBasic(header), null, header);
    assert.equal(refusal(() => readClientCredentials(header, {})).oauthCode, 'invalid_client');
  }
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.base64String().map((text) => `Basic ${text}`),
      ),
      (header) => {
        const credentials = decodeBasic(header);
        assert(credentials === null || credentials.clientId.length > 0);
      },
    ),
  );
});

test('auth.token 400 AUTH-6: Basic and form credentials at once are an invalid_request', () => {
  const header = basic('partner', 'secret');
  const twice = { client_id: 'partner', client_secret: 'secret' };
  for (const form of [twice, { client_secret: 'secret' }, { client_id: 'somebody-else' }]) {
    assert.equal(refusal(() => readClientCredentials(header, form)).oauthCode, 'invalid_request');
  }
});

test('auth.token 200 AUTH-6: the same client_id in form and Basic is no second login', () => {
  assert.deepEqual(readClientCredentials(basic('partner', 's'), { client_id: 'partner' }), {
    clientId: 'partner',
    clientSecret: 's',
  });
});

test('auth.token 401 AUTH-6: credentials that are missing or half there are an invalid_client', () => {
  for (const form of [{}, { client_id: 'partner' }, { client_secret: 'secret' }]) {
    const error = refusal(() => readClientCredentials(undefined, form));
    assert.equal(error.errorClass, 'unauthorized');
    assert.match(error.headers['www-authenticate'] ?? '', /^Basic realm=/);
    assert.equal(error.headers['cache-control'], 'no-store');
  }
});
