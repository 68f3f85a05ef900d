export type { SandboxClock } from './clock.ts';
export type { FaultyOperation, SandboxFaults } from './faults.ts';
export type { AskedRequest } from './requests.ts';
export { openSandbox, type SandboxOptions, type TestSandbox } from './sandbox.ts';
export type { EventOf, EventWait, SandboxWebhooks } from './webhooks.ts';
