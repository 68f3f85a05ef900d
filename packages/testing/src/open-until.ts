import { openSandbox, type SandboxOptions, type TestSandbox } from './sandbox.ts';

/** Opens a sandbox, and has the test runner drop it at the end. */
export async function openUntil(
  atEnd: (drop: () => Promise<void>) => void,
  options: SandboxOptions,
): Promise<TestSandbox> {
  const opening = openSandbox(options);
  const opened = opening.catch(() => null);
  // At once: Jest takes no hook after an `await` in one of its own.
  atEnd(async () => await (await opened)?.drop());
  return await opening;
}
