import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { Tools } from './server.ts';

/** Serves tools until the assistant closes the input, or `signal` aborts. */
export async function serveOverStdio(
  tools: Tools,
  {
    input,
    output,
    signal,
  }: { readonly input: Readable; readonly output: Writable; readonly signal: AbortSignal },
): Promise<void> {
  const server = tools.createServer();
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  for (const event of ['end', 'close']) input.once(event, () => resolve());
  signal.addEventListener('abort', () => resolve(), { once: true });
  server.onclose = resolve;
  await server.connect(new StdioServerTransport(input, output));
  await ended;
  await server.close();
}
