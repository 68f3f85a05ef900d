import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** What starts a process or a thread imports this first: Node.js has Temporal from 26 on. */
if (!('Temporal' in globalThis)) require('temporal-polyfill/global');
