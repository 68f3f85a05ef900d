import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorSchemaName } from './error-bodies.ts';
import { errorClasses } from './errors.ts';
import { operationById } from './operations.ts';

test('errors API-2: every class has a code of its own, never zero', () => {
  const codes = Object.values(errorClasses).map(({ code }) => code);
  assert.equal(new Set(codes).size, codes.length);
  assert.ok(codes.every((code) => code > 0));
});

test('errors API-2: the four known codes stand for their classes', () => {
  const { badRequest, unauthorized, notFound, unknownPrefix } = errorClasses;
  assert.deepEqual(
    [badRequest, unauthorized, notFound, unknownPrefix].map(({ status, code }) => [status, code]),
    [
      [400, 10000],
      [401, 10013],
      [404, 10003],
      [404, 10022],
    ],
  );
});

test('creditCards.authorize 400 401 API-1: ServiceError for five statuses, else ErrorMessage', () => {
  const authorize = operationById('creditCards.authorize');
  for (const status of [400, 404, 409, 422, 500]) {
    assert.equal(errorSchemaName(authorize, status), 'ServiceError');
  }
  for (const status of [401, 403, 405, 413, 415, 429, 503]) {
    assert.equal(errorSchemaName(authorize, status), 'ErrorMessage');
  }
});

test('auth.token 401 AUTH-6: the OAuth endpoints answer errors in the shape of RFC 6749', () => {
  assert.equal(errorSchemaName(operationById('auth.token'), 401), 'OAuthError');
  assert.equal(errorSchemaName(operationById('auth.revoke'), 429), 'OAuthError');
  assert.equal(errorSchemaName(operationById('auth.login'), 401), 'ErrorMessage');
});

test('health.ready 503: it reports in the shape of its 200', () => {
  assert.equal(errorSchemaName(operationById('health.ready'), 503), 'HealthReport');
});
