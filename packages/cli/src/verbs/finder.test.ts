import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PlatformRefusal, type Query, type Remote } from '../back-office.ts';
import { finderOn } from './finder.ts';

const PREFIX = '/backoffice/v1/clients';

/** A platform with accounts that all have a name near to the text; gives what it was asked for. */
function platformWith(known: readonly string[]): { remote: Remote; asked: string[] } {
  const asked: string[] = [];
  const get = async (path: string, query: Query = {}) => {
    const { name } = query;
    asked.push(name === undefined ? path : `${path}?name=${name}`);
    if (path === PREFIX) {
      const results = name === undefined ? [{ clientId: 'other', name: 'till-17' }] : [];
      return { results, nextPageToken: null };
    }
    if (known.some((id) => path === `${PREFIX}/${id}`)) return {};
    throw new PlatformRefusal('there is none', 404, [], '');
  };
  return { remote: { get } as unknown as Remote, asked };
}

test('servery: an id that looks like a name costs no list of accounts, and is taken', async () => {
  const { remote, asked } = platformWith(['till-16']);
  assert.equal(await finderOn(remote, null).client('till-16'), 'till-16');
  assert.deepEqual(asked, [`${PREFIX}?name=till-16`, `${PREFIX}/till-16`]);
});

test('servery: what is neither a name nor an id is told with the nearest names', async () => {
  const { remote } = platformWith([]);
  await assert.rejects(finderOn(remote, null).client('till-16'), /Did you mean "till-17"/);
});
