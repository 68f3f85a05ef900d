import type { ChildProcess } from 'node:child_process';

interface Handover {
  readonly cmd?: string;
  readonly act?: string;
  readonly seq?: number;
  readonly ack?: number;
}

interface Handle {
  close(): void;
}

/**
 * Closes connections that were on their way to a worker when it died. Node.js would keep them open,
 * and their clients would wait forever. This uses internal messages of Node.js; if these differ, it
 * does nothing.
 */
export function hangUpWhenGone(worker: ChildProcess): void {
  const handed = new Map<number, Handle>();
  let isGone = false;
  if (!worker.send) return;
  const send = worker.send.bind(worker) as (...values: unknown[]) => boolean;
  worker.send = (...values: unknown[]) => {
    const [message, handle] = values as [Handover, Partial<Handle> | undefined];
    const { cmd, act, seq } = message;
    if (cmd === 'NODE_CLUSTER' && act === 'newconn' && seq !== undefined && handle?.close) {
      // The exit may be known before the end of the channel, and then more connections arrive.
      if (isGone) {
        handle.close();
        return false;
      }
      handed.set(seq, handle as Handle);
    }
    return send(...values);
  };
  worker.on('internalMessage', ({ cmd, ack }: Handover) => {
    if (cmd === 'NODE_CLUSTER' && ack !== undefined) handed.delete(ack);
  });
  const disconnect = worker.disconnect.bind(worker);
  worker.disconnect = () => {
    disconnect();
    // Node.js reports no end while a connection is on its way, and would keep sending connections
    // to the worker.
    if (handed.size > 0) worker.emit('disconnect');
  };
  worker.once('exit', () => {
    isGone = true;
    for (const handle of handed.values()) handle.close();
    handed.clear();
  });
}
