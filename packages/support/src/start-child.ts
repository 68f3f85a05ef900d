import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';

/** What the system is short of, and what a person does about it. */
const SHORTAGES: Readonly<Record<string, string>> = {
  EMFILE: 'this process has too many open files: raise its limit ("ulimit -n")',
  ENFILE: 'this machine has too many open files: raise the limit of the system (fs.file-max)',
  EAGAIN: 'this user has too many processes: raise the limit ("ulimit -u")',
  ENOMEM: 'this machine has no memory left',
};

/**
 * Starts a program, and gives it once it runs: until then a child may have neither streams nor a
 * process id. Throws an Error that says why the program cannot be started.
 */
export async function startChild(
  command: string,
  args: readonly string[],
  options: SpawnOptions,
): Promise<ChildProcess> {
  try {
    const child = spawn(command, [...args], options);
    await once(child, 'spawn');
    // What fails from now on, for example a signal to it, is no reason for this process to end.
    child.on('error', () => {});
    return child;
  } catch (error) {
    throw cannotStart(command, error);
  }
}

/** The Error of a program that cannot be started, with what a person does about it. */
export function cannotStart(command: string, error: unknown): Error {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return new Error(`${command} cannot be started: ${SHORTAGES[code] ?? message}`, { cause: error });
}
