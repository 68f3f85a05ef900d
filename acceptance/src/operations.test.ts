import { test } from 'node:test';
import { DemoCallers } from './client.ts';
import { testOperations } from './matrix.ts';
import { expectedOperations, isBackOffice } from './operations.ts';
import { platformUnderTest } from './platform.ts';
import { StatusRequests } from './status-requests.ts';

// The back office is proven in back-office.test.ts in the same way, on a platform of its own: it
// moves the clock, which all other files of a run go by.
const operations = expectedOperations.filter((operation) => !isBackOffice(operation));
const platform = await platformUnderTest();
const callers = new DemoCallers(platform);
const requests = new StatusRequests(callers);

for (const operation of operations.filter(({ restaurant }) => restaurant === 'header')) {
  test(`${operation.id} 400 API-6: the restaurant header is required`, async () => {
    const { options } = await requests.unusedSample(operation);
    const { restaurant: _, ...rest } = options;
    await (await callers.as('partner')).call(operation.id, 400, rest);
  });
}

testOperations(operations, requests);
