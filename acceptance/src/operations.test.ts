import { test } from 'node:test';
import { DemoCallers } from './client.ts';
import { proveScopes, proveStatuses } from './matrix.ts';
import { expectedOperations, isBackOffice } from './operations.ts';
import { platformUnderTest } from './platform.ts';
import { Provoker } from './provoke.ts';

// The back office is proven in back-office.test.ts in the same way, on a platform of its own: it
// moves the clock, which all other files of a run go by.
const operations = expectedOperations.filter((operation) => !isBackOffice(operation));
const platform = await platformUnderTest();
const callers = new DemoCallers(platform);
const provoker = new Provoker(callers);

proveStatuses(operations, provoker);
proveScopes(operations, provoker);

for (const operation of operations.filter(({ restaurant }) => restaurant === 'header')) {
  test(`${operation.id} 400 API-6: the restaurant header is required`, async () => {
    const { options } = await provoker.sample(operation);
    const { restaurant: _, ...rest } = options;
    await (await callers.as('partner')).call(operation.id, 400, rest);
  });
}
