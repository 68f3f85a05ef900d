import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LoadRequest, measureLoad, type RequestParts, requestBytes } from './load.ts';
import { ALL_CORES, pinFamily, type StartedProcess, startProcess } from './processes.ts';
import type { Contender } from './scenario.ts';

/** An answer as it came over the wire, without what each server adds by itself. */
export interface RecordedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Asks without decoding, so that the ceiling answers the very bytes that the product did. */
export function record(url: string, parts: RequestParts = {}): Promise<RecordedAnswer> {
  const { method = 'GET', headers = {}, body = '' } = parts;
  return new Promise((resolve, reject) => {
    request(url, { method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const { connection: _, 'keep-alive': __, date: ___, ...kept } = response.headers;
        const status = response.statusCode ?? 0;
        const all = Buffer.concat(chunks);
        resolve({ status, headers: kept as Record<string, string>, body: all });
      });
    })
      .on('error', reject)
      .end(body);
  });
}

/**
 * Starts bare node:http that answers each method with what was recorded for it. Requests must have
 * the token of `headers`. It is one process on the product's core, or a cluster of several on all
 * cores.
 */
export async function startHttpCeiling(
  answers: Readonly<Record<string, RecordedAnswer>>,
  { authorization }: Readonly<Record<string, string>>,
  processes = 1,
): Promise<StartedProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'servery-ceiling-'));
  const file = join(folder, 'answers.json');
  const written = Object.entries(answers).map(([method, answer]) => [
    method,
    { ...answer, body: answer.body.toString('base64') },
  ]);
  try {
    const given = { authorizations: [authorization], answers: Object.fromEntries(written) };
    await writeFile(file, JSON.stringify(given));
    const started = await startProcess(['bench/src/ceilings/http.ts', file, String(processes)]);
    if (processes > 1) await pinFamily(started.pid, ALL_CORES);
    return started;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** What loads a server with one kind of request, whose answer must be `status`. */
export function asking(
  name: string,
  server: StartedProcess,
  path: string,
  request: RequestParts & Omit<LoadRequest, 'bytes'>,
  connections?: number,
): Contender {
  const url = server.url + path;
  const prepared: LoadRequest = { ...request, bytes: requestBytes(url, request) };
  const target = { url, next: () => prepared, ...(connections && { connections }) };
  return { name, process: server, measure: (seconds) => measureLoad(target, seconds) };
}
