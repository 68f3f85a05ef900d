// First, because what is imported below may use it at once.
import '@servery/support/temporal.ts';

import { constants, enableCompileCache } from 'node:module';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

// libuv decrypts card data on four threads unless told before the first use. Workers inherit the
// setting.
process.env.UV_THREADPOOL_SIZE ??= String(Math.max(4, availableParallelism()));

// A compile cache halves the start. Setup fills it; if the folder is read-only, a temporary one
// serves.
const compiled = fileURLToPath(
  new URL('../../../node_modules/.cache/node-compile', import.meta.url),
);
const { status } = enableCompileCache(compiled);
if (status === constants.compileCacheStatus.FAILED) enableCompileCache();
const { run } = await import('./boot/run.ts');

process.exitCode = await run(process.env, process.argv.slice(2));
// A hanging database must not keep the terminal; everything durable is durable.
process.exit();
