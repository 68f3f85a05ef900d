import { run } from './run.ts';

process.exitCode = await run(process.env, process.argv.slice(2));
// A database that hangs at the end must not keep the terminal; everything durable is durable.
process.exit();
