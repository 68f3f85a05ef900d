import { chmodSync, mkdirSync, readFileSync, statfsSync } from 'node:fs';
import path from 'node:path';
import { removeAbandoned, removeTestFolder } from '../packages/postgres/test/test-folder.ts';

const MEMORY = '/dev/shm';
const PREFIX = 'servery-';
const GIBIBYTE = 2 ** 30;
/** What a run writes at most, with room to spare; most of it is gone again after moments. */
const NEEDED_BYTES = 4 * GIBIBYTE;
/** What the processes of a run need beside their files. */
const NEEDED_BESIDE_BYTES = 4 * GIBIBYTE;

/**
 * Has everything that a run writes written in memory where the machine has enough of it: the making
 * and removing of hundreds of databases is most of the work otherwise. All processes that this one
 * starts learn of it by TMPDIR; whoever has set that is not passed over. Returns what removes all
 * of it again. What killed runs left behind is removed first.
 */
export function useRunFolder(): () => void {
  if (process.env.TMPDIR !== undefined || !hasMemory()) return () => {};
  removeAbandoned(MEMORY, PREFIX);
  // Short, because the path of a socket may not be long.
  const folder = path.join(MEMORY, `${PREFIX}${process.pid}`);
  // Numbers of processes come again: what has this one's is of a killed run too.
  removeTestFolder(folder);
  mkdirSync(folder);
  // Like any folder for temporary files: PostgreSQL is another user where root runs the tests.
  chmodSync(folder, 0o1777);
  process.env.TMPDIR = folder;
  return () => removeTestFolder(folder);
}

/** Whether files can be kept in memory here, and programs be started from there. */
function hasMemory(): boolean {
  if (process.platform !== 'linux') return false;
  if (process.availableMemory() < NEEDED_BYTES + NEEDED_BESIDE_BYTES) return false;
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= NEEDED_BYTES && runsPrograms();
  } catch {
    // There is no such folder, or nobody says what it is.
    return false;
  }
}

function runsPrograms(): boolean {
  const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n');
  const [, , type, options = ''] =
    mounts.map((line) => line.split(' ')).findLast(([, place]) => place === MEMORY) ?? [];
  return type === 'tmpfs' && !options.split(',').includes('noexec');
}
