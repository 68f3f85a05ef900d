import * as ring from '../acceptance/src/global-setup.ts';
import * as databases from '../packages/postgres/test/global-setup.ts';

/** Set when no file of the run belongs to the acceptance ring: then no platform is started. */
export const WITHOUT_PLATFORM_VARIABLE = 'SERVERY_TEST_WITHOUT_PLATFORM';

/**
 * Before the first test file: a PostgreSQL for the tests that need one, and a platform for the
 * acceptance ring, which knows it by its address only.
 */
export async function globalSetup(): Promise<void> {
  const isWithout = process.env[WITHOUT_PLATFORM_VARIABLE];
  await Promise.all([databases.globalSetup(), isWithout ? null : ring.globalSetup()]);
}

/** After the last test file: ends both. */
export async function globalTeardown(): Promise<void> {
  await ring.globalTeardown();
  await databases.globalTeardown();
}
