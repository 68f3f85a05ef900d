import { enableCompileCache } from 'node:module';

// Parsed once, not at every start: this halves the time until the server is ready.
enableCompileCache();
const { run } = await import('./run.ts');

process.exitCode = await run(process.env, process.argv.slice(2));
// A database that hangs at the end must not keep the terminal; everything durable is durable.
process.exit();
