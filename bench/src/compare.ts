import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LoadResult, measureLoad } from './load.ts';
import { type MeasuredPlatform, startPinned, stopChild } from './platform.ts';

/** One read that is measured beside its ceiling. */
export interface ReadScenario {
  readonly name: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
  /** The least share of the ceiling's requests per second that is wanted. */
  readonly goal: number;
  /** Checks the answer before anything is measured; throws when it is not the right one. */
  readonly check: (body: Buffer) => void;
}

/** The rounds of one side. */
export interface Side {
  readonly median: number;
  readonly least: number;
  readonly most: number;
  /** Median of the rounds' 99th percentiles, in milliseconds. */
  readonly p99Ms: number;
}

/** A scenario's figures. */
export interface Comparison {
  readonly name: string;
  readonly goal: number;
  readonly ratio: number;
  readonly product: Side;
  readonly ceiling: Side;
}

/** How long and how often; the rounds of the two sides take turns (A B A B). */
export interface Effort {
  readonly rounds: number;
  readonly secondsPerRound: number;
}

/** Measures one read of the product beside bare node:http that answers the same bytes. */
export async function compareRead(
  platform: MeasuredPlatform,
  scenario: ReadScenario,
  effort: Effort,
): Promise<Comparison> {
  const headers = { ...platform.headers, ...scenario.headers };
  const url = platform.url + scenario.path;
  const answer = await ask(url, headers);
  if (answer.status !== scenario.status) {
    throw new Error(`${scenario.name}: ${url} answered ${answer.status}`);
  }
  scenario.check(answer.body);
  const folder = await mkdtemp(join(tmpdir(), 'servery-ceiling-'));
  const file = join(folder, 'answer.json');
  await writeFile(file, JSON.stringify({ ...answer, body: answer.body.toString('base64') }));
  const bare = await startPinned(['bench/src/ceiling.ts', file]);
  try {
    const { status, name, goal } = scenario;
    const rounds = await takeTurns(
      [
        { url, headers, status },
        { url: bare.url, headers, status },
      ],
      effort,
    );
    const [product, ceiling] = rounds.map(side) as [Side, Side];
    return { name, goal, ratio: product.median / ceiling.median, product, ceiling };
  } finally {
    await stopChild(bare.child);
    await rm(folder, { recursive: true });
  }
}

/**
 * Measures targets in turns, each round the other way round, so that what the machine does
 * meanwhile hits all of them alike and none is always the second.
 */
export async function takeTurns(
  targets: readonly Parameters<typeof measureLoad>[0][],
  { rounds, secondsPerRound }: Effort,
): Promise<LoadResult[][]> {
  const results: LoadResult[][] = targets.map(() => []);
  // The first turn warms both sides up and is not counted.
  for (let round = -1; round < rounds; round += 1) {
    const inTurn = [...targets.entries()];
    for (const [index, target] of round % 2 === 0 ? inTurn : inTurn.reverse()) {
      const result = await measureLoad(target, secondsPerRound);
      if (round >= 0) results[index]?.push(result);
    }
  }
  return results;
}

/** What the rounds of one side come to. */
export function side(results: readonly LoadResult[]): Side {
  const rates = results.map(({ requestsPerSecond }) => requestsPerSecond);
  const p99Ms = median(results.map((result) => result.p99Ms));
  return { median: median(rates), least: Math.min(...rates), most: Math.max(...rates), p99Ms };
}

/** What two sides come to, round by round: the ratios of neighbours in time. */
export function ratios(
  results: readonly LoadResult[],
  others: readonly LoadResult[],
): Pick<Side, 'median' | 'least' | 'most'> {
  const each = results.map(
    ({ requestsPerSecond }, round) => requestsPerSecond / (others[round]?.requestsPerSecond ?? 0),
  );
  return { median: median(each), least: Math.min(...each), most: Math.max(...each) };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

interface Recorded {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

/** Asks without decoding, so that the ceiling answers the very bytes that the product did. */
function ask(url: string, headers: Readonly<Record<string, string>>): Promise<Recorded> {
  return new Promise((resolve, reject) => {
    request(url, { headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const { connection: _, 'keep-alive': __, date: ___, ...kept } = response.headers;
        const body = Buffer.concat(chunks);
        const status = response.statusCode ?? 0;
        resolve({ status, headers: kept as Record<string, string>, body });
      });
    })
      .on('error', reject)
      .end();
  });
}
