const HASTY_END = new URL('./hasty-end.ts', import.meta.url).href;

/**
 * How a program is started that a signal reaches as soon as it has said a line, and another once it
 * says that it stops.
 */
export function hastily(line: string, signal: 'SIGINT' | 'SIGTERM') {
  return {
    nodeFlags: ['--import', HASTY_END],
    env: { HASTY_LINE: line, HASTY_SIGNAL: signal },
  };
}
