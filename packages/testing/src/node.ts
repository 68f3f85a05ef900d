/** `@servery/testing/node`: sandboxes for tests of node:test. */
import { after } from 'node:test';
import { openUntil } from './open-until.ts';
import type { SandboxOptions, TestSandbox } from './sandbox.ts';

export * from './index.ts';

export interface UseOptions extends SandboxOptions {
  /** The context of a test: the sandbox is dropped after that test, not after the file. */
  readonly test?: { after(run: () => Promise<void>): void };
}

/** A sandbox of its own, which is dropped after the file, suite, or test. */
export async function useSandbox({ test, ...options }: UseOptions = {}): Promise<TestSandbox> {
  return await openUntil((drop) => (test ? test.after(drop) : after(drop)), options);
}
