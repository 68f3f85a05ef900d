import { enableCompileCache } from 'node:module';

// So that a restarted processor is back within a second.
enableCompileCache();
const { runAsChild } = await import('./child.ts');

process.exitCode = await runAsChild(process.argv.slice(2));
process.exit();
