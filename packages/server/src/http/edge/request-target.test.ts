import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operationById } from '@servery/contract';
import { isPathOf, originForm } from './request-target.ts';

test('pipeline API-9: a scheme and a host before the path change nothing', () => {
  const forms: Readonly<Record<string, string | null>> = {
    '/healthz?a=b': '/healthz?a=b',
    'http://other.example/healthz?a=b': '/healthz?a=b',
    'HTTPS://[::1]:4400/healthz': '/healthz',
    'http://other.example': '/',
    'http://other.example?a=/': '/?a=/',
    'http:///healthz': '/healthz',
    '//healthz': '//healthz',
    '*': null,
    'other.example:443': null,
    'ftp://other.example/healthz': null,
    '/healthz#a': null,
    '/healthz?a#b': null,
    '/%zz': null,
    '/%ff': null,
    '/?%zz': '/?%zz',
  };
  for (const [target, form] of Object.entries(forms))
    assert.equal(originForm(target), form, target);
});

test('pipeline API-9: the fixed part of a path has one spelling, its parameters have many', () => {
  const menu = operationById('configuration.menus.get');
  assert.ok(isPathOf(menu, '/config/v2/menus/3f2b'));
  assert.ok(isPathOf(menu, '/config/v2/menus/%33f%32b'));
  for (const path of ['/config/v2/menu%73/a', '/config/v2/menus//a', '/config/v2/menus/a/']) {
    assert.ok(!isPathOf(menu, path), path);
  }
});
