import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { refusePort } from '../src/webhooks/sockets/ports.ts';

/** Below what any system hands out as a free port. */
const FIRST = 20_000;
const LAST = 29_999;

/** Where this process goes on looking: others begin elsewhere. */
let next = FIRST + ((process.pid * 7) % (LAST - FIRST));

/**
 * Ports of 127.0.0.1 that nobody else gets as long as this process lives, whether somebody listens
 * there or not. What `listen(0)` gave and was closed again is the next one's who asks: a server
 * that is to be started there, or killed and started again, may find it taken, and who counts on
 * nobody listening there may meet somebody. A receiver of webhooks may have any of them.
 */
export async function reservePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  for (let tried = FIRST; ports.length < count; tried += 1) {
    if (tried > LAST) throw new Error(`no port from ${FIRST} to ${LAST} is free`);
    next = next < LAST ? next + 1 : FIRST;
    if (refusePort(next, false) !== null) continue;
    if ((await isClaimed(next)) && (await isFree(next))) ports.push(next);
  }
  return ports;
}

/** One of them. */
export async function reservePort(): Promise<number> {
  const [port = 0] = await reservePorts(1);
  return port;
}

/** Holds the number for this process, by the port of UDP that has it: nobody else uses those. */
async function isClaimed(port: number): Promise<boolean> {
  const claim = createSocket('udp4');
  try {
    claim.bind({ port, address: '127.0.0.1', exclusive: true });
    await once(claim, 'listening');
    claim.unref();
    return true;
  } catch {
    claim.close();
    return false;
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  try {
    await once(probe.listen(port, '127.0.0.1'), 'listening');
  } catch {
    return false;
  }
  probe.close();
  await once(probe, 'close');
  return true;
}
