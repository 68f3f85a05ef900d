/**
 * What Node.js is told, to start a program that a signal reaches as soon as it has said a line, and
 * another once it says that it stops.
 */
export function signalOnOutput(line: string, signal: 'SIGINT' | 'SIGTERM'): string[] {
  const program = new URL('./signal-on-output-preload.ts', import.meta.url);
  program.search = new URLSearchParams({ line, signal }).toString();
  return ['--import', program.href];
}
