import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApiFiles } from '@servery/contract';
import { makeInThread } from './openapi-rendering.ts';

test('each document is answered to whom it is for, also after one that failed', async () => {
  const asked = { kind: 'document', brand: 'Servery', baseUrl: 'http://localhost' } as const;
  await assert.rejects(makeInThread({ ...asked, subject: null as never }), TypeError);
  const subjects = Object.values(openApiFiles).slice(0, 3);
  const documents = await Promise.all(
    subjects.map(async (subject) => JSON.parse(String(await makeInThread({ ...asked, subject })))),
  );
  const titles = documents.map(({ info }) => info.title);
  assert.equal(new Set(titles).size, subjects.length);
  for (const [index, title] of titles.entries()) {
    const alone = await makeInThread({ ...asked, subject: subjects[index] as never });
    assert.equal(JSON.parse(String(alone)).info.title, title);
  }
});
