import {
  faultOf,
  readArguments,
  text,
  toggle,
  wholeNumber,
  wholeNumbers,
} from '../../../bench/src/command-line.ts';
import {
  type Config,
  ConfigError,
  readConfig,
} from '../../../packages/server/src/config/config.ts';
import type { FillOptions } from './fill.ts';

/** Which database is filled, and with what. */
export interface FillCommand {
  readonly config: Config;
  readonly options: FillOptions;
}

const SECOND_MS = 1_000;

const line = {
  command: 'npm run fill',
  about:
    'Fills a test platform with many restaurants and payments, to see how it grows. Prints the ' +
    'accounts and GUIDs that it made as JSON. A second run adds what is missing. The database is ' +
    'that of --data-dir or of DATABASE_URL, and is migrated first.',
  words: null,
  flags: {
    'data-dir': text('DIR', 'the data folder of the platform; made if it does not exist', null),
    restaurants: wholeNumber('restaurants with a small menu each', 1_000),
    items: wholeNumbers('also, for each number, a restaurant with that many items'),
    applied: wholeNumber('open payments that wait for their capture deadlines', 0),
    authorized: wholeNumber('authorizations that are never applied and fall due', 0),
    'due-per-second': wholeNumber('how many of these fall due each second', 100, 1),
    'due-in': wholeNumber('seconds until the first of them falls due', 5),
    seed: text('TEXT', 'another text gives other restaurants and payments', '1'),
    'leave-statistics': toggle('leaves it to PostgreSQL to count the rows later'),
    alone: toggle('much faster; nobody else can use the database meanwhile'),
  },
};

/**
 * Reads the command line and the settings of the environment; throws NotStarted with the help, or
 * with what is wrong with them. Which database it is has to be said: nobody wants the sandbox of
 * this folder full by mistake. Not production: the secrets of new accounts are printed.
 */
export function readFillCommand(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): FillCommand {
  const { values } = readArguments(line, args);
  const dataDir = values['data-dir'];
  if (dataDir === null && !env.DATABASE_URL && !env.SERVERY_DATA_DIR) {
    const sentence = 'Say which platform is filled: --data-dir DIR, or DATABASE_URL for a server.';
    throw faultOf(line, sentence);
  }
  const config = readSettings(env, dataDir === null ? [] : ['--data-dir', dataDir]);
  if (config.kind === 'production') {
    const sentence =
      'It fills test platforms only: use a database without real data, and a sandbox.';
    throw faultOf(line, sentence);
  }
  return {
    config,
    options: {
      restaurants: values.restaurants,
      items: values.items,
      applied: values.applied,
      authorized: values.authorized,
      duePerSecond: values['due-per-second'],
      dueInMs: values['due-in'] * SECOND_MS,
      seed: values.seed,
      countsAll: !values['leave-statistics'],
      isAlone: values.alone,
    },
  };
}

function readSettings(...given: Parameters<typeof readConfig>): Config {
  try {
    return readConfig(...given);
  } catch (error) {
    if (error instanceof ConfigError) throw faultOf(line, error.faults.join('\n'));
    throw error;
  }
}
