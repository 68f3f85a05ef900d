import { isMainThread } from 'node:worker_threads';

/** An account that may make sandboxes, and where. */
export interface PlatformAccount {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

const OWN = 'SERVERY_TESTING_';
/** What would steer the platform of a test run: an application may have a database of its own. */
const NOT_FOR_PLATFORM =
  /^(SERVERY_.*|DATABASE_URL|NODE_OPTIONS|NODE_V8_COVERAGE|NODE_TEST_CONTEXT)$/;

/** The platform that the tests are told to use; null if the run starts its own. */
export function givenPlatform(): PlatformAccount | null {
  const given = (name: string) => process.env[OWN + name];
  const [baseUrl, clientId, clientSecret] = ['URL', 'CLIENT_ID', 'CLIENT_SECRET'].map(given);
  if (!baseUrl) return null;
  if (clientId && clientSecret) return { baseUrl, clientId, clientSecret };
  throw new Error(
    `With ${OWN}URL, also set ${OWN}CLIENT_ID and ${OWN}CLIENT_SECRET to an account of that platform ` +
      'that may make sandboxes.',
  );
}

/** Where the platform of a test run listens: by default, at a free port. */
export function platformPort(): string {
  return process.env[`${OWN}PORT`] ?? '0';
}

/** The process that lives as long as the whole test run. */
export function runnerPid(): number {
  const { NODE_TEST_CONTEXT, VITEST } = process.env;
  const isOfNode = NODE_TEST_CONTEXT !== undefined;
  // Vitest runs no test in its own process; it may run them in threads of it.
  const isOfVitest = VITEST !== undefined && isMainThread;
  const isOfJest = /[\\/]jest-worker[\\/]/.test(process.argv[1] ?? '');
  return isOfNode || isOfVitest || isOfJest ? process.ppid : process.pid;
}

/** The environment of the process that keeps the platform of a test run. */
export function keeperEnvironment(): NodeJS.ProcessEnv {
  const isKept = (name: string) => name.startsWith(OWN) || !NOT_FOR_PLATFORM.test(name);
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => isKept(name)));
}

/** The environment of that platform. */
export function platformEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith(OWN));
  return Object.fromEntries(own);
}
