import { sleep } from '@servery/support/timer.ts';
import type { FastifyReply } from 'fastify';
import type { SpoiltDelivery } from '../pipeline/ordered-faults.ts';
import type { WireAnswer } from '../pipeline/send.ts';

/** A hanging request holds a connection; nobody waits longer than this. */
const HANG_MS = 300_000;
const PIECES = 20;

/** An ordered fault of a sandbox: the answer is there, but it doesn't arrive as it should. */
export function sendSpoilt(
  reply: FastifyReply,
  { status, headers, bytes }: WireAnswer,
  delivery: SpoiltDelivery,
): FastifyReply {
  reply.hijack();
  const { raw } = reply;
  const body = bytes ?? Buffer.alloc(0);
  switch (delivery.kind) {
    case 'hang':
      raw.setTimeout(HANG_MS, () => raw.destroy());
      break;
    case 'dropped':
      raw.destroy();
      break;
    case 'truncated': {
      // Even an answer without a body must be recognizable as cut.
      raw.writeHead(status, { ...headers, 'content-length': Math.max(body.length, 1) });
      raw.flushHeaders();
      raw.write(body.subarray(0, Math.floor(body.length / 2)), () => raw.destroy());
      break;
    }
    case 'slow': {
      raw.writeHead(status, { ...headers, 'content-length': body.length });
      raw.flushHeaders();
      sendSlowly(reply, body, delivery.durationMs).catch(() => raw.destroy());
    }
  }
  return reply;
}

async function sendSlowly({ raw }: FastifyReply, body: Buffer, durationMs: number): Promise<void> {
  const size = Math.max(1, Math.ceil(body.length / PIECES));
  for (let at = 0; at < body.length && !raw.destroyed; at += size) {
    await sleep(durationMs / Math.ceil(body.length / size));
    raw.write(body.subarray(at, at + size));
  }
  raw.end();
}
