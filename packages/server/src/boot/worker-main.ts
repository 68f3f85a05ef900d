// First, because what is imported below may use it at once.
import '@servery/support/temporal.ts';

import { enableCompileCache } from 'node:module';

enableCompileCache();
const { runWorker } = await import('./run-worker.ts');

process.exitCode = await runWorker(process.env, process.argv.slice(2));
// Everything durable is durable, so nothing that hangs may delay the exit.
process.exit();
