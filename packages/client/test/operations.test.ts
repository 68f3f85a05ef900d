import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { csrfHeaderName } from '@servery/contract';
import { Client } from '../src/transport.ts';
import { generatedOperations } from './generate.ts';

/** Formatting differs, and says nothing. */
const bare = (text: string) => text.replaceAll(/[\s,]/g, '');

test('client: operations.ts is as the contract says', async () => {
  const file = await readFile(new URL('../src/operations.ts', import.meta.url), 'utf8');
  assert.ok(bare(file) === bare(generatedOperations()), 'run "npm run client"');
});

test('client: names the header that proves a session as the contract does', async () => {
  const names: string[] = [];
  const client = new Client({
    ...{ baseUrl: 'http://platform.example', credentials: { cookie: 'a', csrfToken: 'b' } },
    fetch: async (_url, { headers } = {}) => {
      names.push(...new Headers(headers).keys());
      return Response.json({});
    },
  });
  await client.call('backOffice.clock.freeze');
  assert.ok(names.includes(csrfHeaderName.toLowerCase()), names.join());
});
