import { CommandFailure, exitCodes, invalidUsage } from './exit-codes.ts';

const REASONS: Readonly<Record<string, string>> = {
  EISDIR: 'it is a folder',
  ENOTDIR: 'what should be its folder is a file',
  EACCES: 'this user may not do that',
  EROFS: 'it lies on a disk that is read only',
  ENOSPC: 'the disk is full',
};

/** What a person is told when a file cannot be `read` or `written`: the reason in words. */
export function fileFailure(
  file: string,
  what: 'read' | 'written',
  error: unknown,
): CommandFailure {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (file === '') return invalidUsage(`a file without a name cannot be ${what}: name one.`);
  const missing = what === 'read' ? 'there is no such file' : 'there is no such folder';
  const reason = code === 'ENOENT' ? missing : (REASONS[code] ?? message);
  return new CommandFailure(`${file} cannot be ${what}: ${reason}`, exitCodes.failure, {
    cause: error,
  });
}
