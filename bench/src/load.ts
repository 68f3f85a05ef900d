import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import autocannon from 'autocannon';

const run = promisify(execFile);

/** What is asked again and again. */
export interface LoadTarget {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The status that every answer must have. */
  readonly status: number;
}

/** What came of one round. */
export interface LoadResult {
  readonly requestsPerSecond: number;
  readonly p99Ms: number;
}

/** Open connections of one round; each has one request under way at a time. */
const CONNECTIONS = 16;

/**
 * Sends requests for `seconds` and measures. Throws when a single answer has another status, or
 * when a connection fails: a wrong answer is never a fast one.
 */
export async function measureLoad(target: LoadTarget, seconds: number): Promise<LoadResult> {
  const result = await autocannon({
    url: target.url,
    headers: { ...target.headers },
    connections: CONNECTIONS,
    duration: seconds,
  });
  const counts = Object.entries(result.statusCodeStats ?? {});
  const wrong = counts.filter(([status]) => Number(status) !== target.status);
  if (wrong.length > 0 || result.errors > 0) {
    throw new Error(`${target.url} answered ${JSON.stringify(wrong)} with ${result.errors} errors`);
  }
  return { requestsPerSecond: result.requests.average, p99Ms: result.latency.p99 };
}

/** Pins a process, with all of its threads, to one core; false where the system cannot. */
export async function pinToCore(pid: number, core: number): Promise<boolean> {
  return run('taskset', ['-a', '-p', '-c', String(core), String(pid)]).then(
    () => true,
    () => false,
  );
}
