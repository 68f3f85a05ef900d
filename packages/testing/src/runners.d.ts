// What is used of the test runners, which only their own users have installed.
declare module 'vitest' {
  export function afterAll(run: () => Promise<void>): void;
}
declare module '@jest/globals' {
  export function afterAll(run: () => Promise<void>): void;
}
