import { constants, enableCompileCache } from 'node:module';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

// Card data is decrypted on the threads of libuv. It has four unless it is told before the first
// is needed, so that a machine with more cores would leave them idle. Workers inherit it.
process.env.UV_THREADPOOL_SIZE ??= String(Math.max(4, availableParallelism()));

// Parsed once, not at every start: this halves the time until the server is ready. The set-up has
// left there what it compiled; where nobody may write, the folder for passing files does.
const compiled = fileURLToPath(
  new URL('../../../node_modules/.cache/node-compile', import.meta.url),
);
const { status } = enableCompileCache(compiled);
if (status === constants.compileCacheStatus.FAILED) enableCompileCache();
const { run } = await import('./boot/run.ts');

process.exitCode = await run(process.env, process.argv.slice(2));
// A database that hangs at the end must not keep the terminal; everything durable is durable.
process.exit();
