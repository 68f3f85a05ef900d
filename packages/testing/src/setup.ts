/**
 * `@servery/testing/setup`: starts the platform before the first test, by the names that node:test,
 * Vitest, and Jest look for. Without it, the first use of a sandbox does, within the time of a test.
 */
import { askOfRunner } from './borrow.ts';

export async function setup(): Promise<void> {
  await askOfRunner('start');
}

export async function teardown(): Promise<void> {
  await askOfRunner('end');
}

export { setup as default, setup as globalSetup, teardown as globalTeardown };
