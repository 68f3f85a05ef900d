import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from '@servery/client/back-office';
import { findClient, findGroup, findRestaurant, named, oneOf } from './find.ts';

const SOUP = named('soup', 'soups', 'servery soups list');
const GUID = '3f2b8c1e-5d47-4a9b-8e60-7c1d2f9a4b35';

const find = (text: string, ...names: (string | null)[]) =>
  oneOf(SOUP, text, async () => names.map((name, at) => ({ guid: `guid-${at}`, name })));

/** A platform that answers each path as the test says, and what it was asked. */
function platform(answer: (url: URL) => object | null) {
  const asked: string[] = [];
  const client = new Client({
    ...{ baseUrl: 'http://platform.example', credentials: { accessToken: 'x' } },
    fetch: async (url) => {
      const own = new URL(String(url));
      own.searchParams.delete('pageSize');
      asked.push(own.pathname + own.search);
      const body = answer(own);
      return body ? Response.json(body) : Response.json({ message: 'None.' }, { status: 404 });
    },
  });
  return { asked, session: { client, demo: null } };
}

test('names: a GUID, a whole name, or a part that only one has', async () => {
  assert.equal(await find(GUID.toUpperCase()), GUID);
  assert.equal(await find(' SOUP ', 'Soup of the day', 'Soup', null), 'guid-1');
  assert.equal(await find('day', 'Soup of the day', 'Soup', null), 'guid-0');
});

test('names: what none or several have is refused with what there is', async () => {
  await assert.rejects(find('cake', 'Soup'), /no soup .* named "cake"\. "servery soups list"/);
  await assert.rejects(find('  ', 'Soup'), /which soup\? The name is empty/);
  const part = /several soups are named "soup"\. Use an ID or a whole name:\n {2}guid-0 {2}/;
  await assert.rejects(find('soup', 'Soup of the day', 'Soup of the week'), part);
  await assert.rejects(find('soup', 'Soup', 'x', 'soup'), /Use an ID:\n.*0.*\n.*guid-2/);
});

test('names: two of a name are told apart on every page of a list', async () => {
  const pages = [['Soup', ...Array.from({ length: 150 }, () => 'Soup of the day')], ['Soup']];
  const { session } = platform(({ searchParams }) => {
    const page = Number(searchParams.get('pageToken') ?? 0);
    const results = (pages[page] ?? []).map((name, at) => ({ guid: `${at}`, name }));
    return { results, nextPageToken: page + 1 < pages.length ? `${page + 1}` : null };
  });
  await assert.rejects(findGroup('Soup', session), /several management groups/);
});

test('names: restaurants of one name are shown with their locations, and how many more', async () => {
  const results = Array.from({ length: 11 }, (_, at) => ({
    ...{ guid: `guid-${at}`, name: 'Wren', locationName: at === 0 ? null : `Pier ${at}` },
    ...{ locationCode: at === 1 ? 'P1' : null, archived: at === 2 },
  }));
  const { session } = platform(() => ({ results, nextPageToken: null }));
  const shown = [
    ...['  guid-0  Wren', '  guid-1  Wren, Pier 1, P1', '  guid-2  Wren, Pier 2 \\(archived\\)'],
    ...['[^]*  guid-7  Wren, Pier 7', 'and 3 more: narrow the name, or list them with: '],
  ].join('\n');
  const listing = 'servery restaurants list --search "wren"';
  await assert.rejects(
    findRestaurant('wren', session),
    new RegExp(`Use an ID:\n${shown}${listing}$`),
  );
});

const near = { results: [{ clientId: 'other', name: 'till-17', revokedAt: null }] };
const PATH = '/backoffice/v1/clients';

test('servery: an id that looks like a name costs no list of accounts', async () => {
  const { asked, session } = platform(({ pathname, searchParams }) => {
    if (pathname !== PATH) return {};
    return searchParams.has('name') ? { results: [], nextPageToken: null } : near;
  });
  assert.equal(await findClient('till-16', session), 'till-16');
  assert.deepEqual(asked, [`${PATH}?name=till-16`, `${PATH}/till-16`]);
});

test('servery: what is neither a name nor an id is refused with the nearest names', async () => {
  const { session } = platform(({ pathname, searchParams }) => {
    if (pathname !== PATH) return null;
    return { ...(searchParams.has('name') ? { results: [] } : near), nextPageToken: null };
  });
  await assert.rejects(findClient('till-16', session), /Did you mean "till-17"/);
});
