import { ConfigError, readConfig } from './config.ts';
import { start } from './server.ts';
import { settings } from './settings.ts';

const EXIT_FAILURE = 1;
const EXIT_USAGE = 2;

/**
 * Runs the server until a signal ends it: environment → config → start → signal → stop. Takes the
 * environment and the flags; gives the exit code.
 */
async function run(
  env: Readonly<Record<string, string | undefined>>,
  flags: readonly string[],
): Promise<number> {
  if (flags.includes('--help') || flags.includes('-h')) {
    process.stdout.write(helpText());
    return 0;
  }
  const stopped = signal();
  try {
    const config = readConfig(env, flags);
    const platform = await start(config, {
      onProgress: (line) => process.stderr.write(`servery: ${line}\n`),
      stopping: stopped.controller.signal,
    });
    process.stdout.write(`${platform.greeting}servery ready ${platform.url}\n`);
    await stopped.promise;
    process.stderr.write('servery: stopping\n');
    await platform.stop();
    return 0;
  } catch (error) {
    if (stopped.controller.signal.aborted) return 0;
    if (error instanceof ConfigError) {
      const lines = error.faults.map((fault) => `  - ${fault}\n`).join('');
      process.stderr.write(`servery: the settings are not right:\n${lines}`);
      return EXIT_USAGE;
    }
    process.stderr.write(`servery: ${error instanceof Error ? error.message : String(error)}\n`);
    return EXIT_FAILURE;
  }
}

/** Resolves at the first SIGINT or SIGTERM; a second one ends the process at once. */
function signal(): { promise: Promise<void>; controller: AbortController } {
  const controller = new AbortController();
  const promise = new Promise<void>((resolve) => {
    const onSignal = (name: NodeJS.Signals) => {
      if (controller.signal.aborted) process.exit(name === 'SIGINT' ? 130 : 143);
      controller.abort();
      resolve();
    };
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
  });
  return { promise, controller };
}

function helpText(): string {
  const lines = Object.values(settings).map(({ flag, env, fallback, description, isSwitch }) => {
    const usage = isSwitch ? `--${flag}` : `--${flag} <value>`;
    return `  ${usage}\n      ${description}\n      (${env}; default: ${fallback})\n`;
  });
  return `Usage: npm start -- [flags]\n\nA flag wins over its environment variable.\n\n${lines.join('')}`;
}

process.exitCode = await run(process.env, process.argv.slice(2));
// A database that hangs at the end must not keep the terminal; everything durable is durable.
process.exit();
