import { enableCompileCache } from 'node:module';

// Parsed once, not at every start: the processor is to be back within the second.
enableCompileCache();
const { runAsChild } = await import('./child.ts');

process.exitCode = await runAsChild(process.argv.slice(2));
process.exit();
