import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CommandFailure } from '../exit-codes.ts';
import { listedAt, type Named, oneOf } from './one-of.ts';

const kind = { one: 'soup', several: 'soups', listed: 'servery soups list' };
const GUID = '3f2b8c1e-5d47-4a9b-8e60-7c1d2f9a4b35';

const find = (text: string, ...names: (string | null)[]) =>
  oneOf(kind, text, async () => names.map((name, at) => ({ guid: `guid-${at}`, name })));

const refusal = (told: RegExp) => (error: unknown) =>
  error instanceof CommandFailure && error.exitCode === 2 && told.test(error.message);

test('names: a GUID, a whole name, or a part that only one has', async () => {
  assert.equal(await find(GUID.toUpperCase()), GUID);
  assert.equal(await find(' SOUP ', 'Soup of the day', 'Soup', null), 'guid-1');
  assert.equal(await find('day', 'Soup of the day', 'Soup', null), 'guid-0');
});

test('names: what none or several have is told with what there is', async () => {
  await assert.rejects(find('cake', 'Soup'), refusal(/^no soup .* "cake"\. "servery soups list"/));
  await assert.rejects(find('  ', 'Soup'), refusal(/^which soup\? Its name is empty/));
  const part = refusal(/^several soups .* "soup": write a GUID, or a whole name:\n {2}guid-0 {2}/);
  await assert.rejects(find('soup', 'Soup of the day', 'Soup of the week'), part);
  await assert.rejects(
    find('soup', 'Soup', 'x', 'soup'),
    refusal(/write a GUID:\n.*0.*\n.*guid-2/),
  );
});

test('names: two of a name are told apart on whatever page of a list they stand', async () => {
  const pages = [['Soup', ...Array.from({ length: 150 }, () => 'Soup of the day')], ['Soup']];
  const remote = {
    get: async (_path: string, { pageToken = '0' }: { pageToken?: string }) => {
      const page = Number(pageToken);
      const results: Named[] = (pages[page] ?? []).map((name, at) => ({ guid: `${at}`, name }));
      return { results, nextPageToken: page + 1 < pages.length ? String(page + 1) : null };
    },
  } as never;
  const candidates = () => listedAt(remote, '/soups', { name: 'Soup' });
  await assert.rejects(oneOf(kind, 'Soup', candidates), refusal(/^several soups/));
});
