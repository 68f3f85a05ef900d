import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brandedHeaders, defaultBrand, machineClientAccessType } from './brand.ts';

test('brand: the default names are those of the spec', () => {
  assert.deepEqual(brandedHeaders(defaultBrand), {
    restaurantExternalId: 'Platform-Restaurant-External-ID',
    nextPageToken: 'Platform-Next-Page-Token',
    requestId: 'Platform-Request-ID',
    rateLimitBy: 'X-Platform-RateLimit-By',
    rateLimitRemaining: 'X-Platform-RateLimit-Remaining',
    rateLimitReset: 'X-Platform-RateLimit-Reset',
    explain: 'Platform-Explain',
    sandboxFault: 'Platform-Sandbox-Fault',
  });
  assert.equal(machineClientAccessType(defaultBrand), 'PLATFORM_MACHINE_CLIENT');
});

test('brand: another brand stands in every name', () => {
  for (const name of Object.values(brandedHeaders('Acme'))) assert.match(name, /^(X-)?Acme-/);
  assert.equal(machineClientAccessType('Acme'), 'ACME_MACHINE_CLIENT');
});
