/// <reference path="./runners.d.ts" />
/** `@servery/testing/vitest`: sandboxes for tests of Vitest. */
import { afterAll } from 'vitest';
import { openUntil } from './open-until.ts';
import type { SandboxOptions, TestSandbox } from './sandbox.ts';

export * from './index.ts';

export interface UseOptions extends SandboxOptions {
  /** The context of a test: the sandbox is dropped after that test, not after the file. */
  readonly test?: { onTestFinished(run: () => Promise<void>): void };
}

/** A sandbox of its own, which is dropped after the file, suite, or test. */
export async function useSandbox({ test, ...options }: UseOptions = {}): Promise<TestSandbox> {
  return await openUntil((drop) => (test ? test.onTestFinished(drop) : afterAll(drop)), options);
}
