import { enableCompileCache } from 'node:module';

enableCompileCache();
const { runWorker } = await import('./run-worker.ts');

process.exitCode = await runWorker(process.env, process.argv.slice(2));
// As in main.ts: whatever hangs at the end, everything durable is durable.
process.exit();
