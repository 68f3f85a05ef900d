import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operationById } from '@servery/contract';
import { Faults } from '../../http/faults.ts';
import { lookingFurther } from '../../http/look-further.ts';
import { readRequest } from '../../http/pipeline/read-request.ts';
import { namedObjects } from './named-objects.ts';

test('backOffice.configuration.publications.publish 422: elements of any kind are told', async () => {
  const operation = operationById('backOffice.configuration.publications.publish');
  const guid = '11111111-1111-4111-8111-111111111111';
  const objects = [null, 7, { collection: 'menuItems', guid }, { collection: 'spoons', guid }];
  const sent = { params: {}, query: {}, body: { objects } };
  const { body, faults } = await readRequest(operation, sent, lookingFurther({}));
  const { objects: read } = body as { objects: Parameters<typeof namedObjects>[0] };
  assert.deepEqual(namedObjects(read, faults, ['objects']), [{ collection: 'menuItems', guid }]);
  assert.ok(faults instanceof Faults);
  assert.deepEqual(
    faults.kept.map(({ path }) => path),
    [
      ['objects', 0],
      ['objects', 1],
      ['objects', 3, 'collection'],
    ],
  );
});
