import { mkdir } from 'node:fs/promises';

/** Makes the data folder where there is none. Throws an Error that says why it cannot be made. */
export async function makeDataDir(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true }).catch((cause: NodeJS.ErrnoException) => {
    const reasons: Record<string, string> = {
      EEXIST: 'there is a file with this name',
      ENOTDIR: 'a part of the path is a file',
      EACCES: 'this user may not write there',
      EROFS: 'the file system is read-only',
    };
    const reason = reasons[cause.code ?? ''] ?? cause.message;
    throw new Error(
      `SERVERY_DATA_DIR ${dataDir} cannot be made: ${reason}. Name another folder with --data-dir.`,
      { cause },
    );
  });
}
