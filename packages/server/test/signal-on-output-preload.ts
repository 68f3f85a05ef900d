/**
 * Loaded before a program by `--import`: it sends the program a signal once that has said the line
 * of its address, and another once it says that it stops. Whoever read the lines could be held up
 * meanwhile, until the program has ended by itself. What a worker says counts as said by the
 * process that started it.
 */
const STOPPING = 'servery: stopping';

/** How much longer the program waits before it gives up what a slow machine holds up. */
const SLOWDOWN = 12;
const SECOND_MS = 1_000;

const { searchParams } = new URL(import.meta.url);
const target = process.send ? process.ppid : process.pid;
const write = process.stderr.write.bind(process.stderr) as (...values: unknown[]) => boolean;
const isDue = [searchParams.get('line') ?? '', STOPPING].map((words) => ({
  words,
  wasSaid: false,
}));
process.stderr.write = (...values: unknown[]) => {
  const wasTaken = write(...values);
  for (const one of isDue) {
    if (one.wasSaid || !String(values[0]).includes(one.words)) continue;
    one.wasSaid = true;
    process.kill(target, searchParams.get('signal') ?? 'SIGTERM');
  }
  return wasTaken;
};

const { setTimeout: later } = globalThis;
Object.assign(globalThis, {
  setTimeout: (job: () => void, ms = 0, ...values: []) =>
    later(job, ms < SECOND_MS ? ms : ms * SLOWDOWN, ...values),
});
