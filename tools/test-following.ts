import asyncHooks, { type AsyncHook, type HookCallbacks } from 'node:async_hooks';

/**
 * Node's test runner follows every promise and every callback of a test process, to know which test
 * a stray error belongs to: a sixth of all its work. What it needs for the suites is over when all
 * files are loaded. From then on a stray error fails the file, and its stack is printed. This module
 * has to be loaded before `node:test` is.
 */
const { createHook } = asyncHooks;
let hook: AsyncHook | undefined;
Object.assign(asyncHooks, {
  createHook: (callbacks: HookCallbacks) => {
    hook = createHook(callbacks);
    Object.assign(asyncHooks, { createHook });
    return hook;
  },
});

export function endFollowing(): void {
  hook?.disable();
  process.on('uncaughtExceptionMonitor', (error) => console.error(error));
  process.on('unhandledRejection', (reason) => console.error(reason));
}
