/// <reference path="./runners.d.ts" />
/** `@servery/testing/jest`: sandboxes for tests of Jest. */
import { afterAll } from '@jest/globals';
import { openUntil } from './open-until.ts';
import type { SandboxOptions, TestSandbox } from './sandbox.ts';

export * from './index.ts';

/** A sandbox of its own, which is dropped after the file or suite. */
export async function useSandbox(options: SandboxOptions = {}): Promise<TestSandbox> {
  return await openUntil((drop) => afterAll(drop), options);
}
