import type { ChildProcess } from 'node:child_process';

/** What Node.js tells a worker of a new connection, and what the worker tells of it. */
interface Handover {
  readonly cmd?: string;
  readonly act?: string;
  readonly seq?: number;
  readonly ack?: number;
}

/** A connection that the starter has accepted. */
interface Handle {
  close(): void;
}

/**
 * Hangs up on connections that were handed to a worker which died before it took them: Node.js
 * would keep them open without anybody behind them, and their clients would wait for ever. It goes
 * by messages of Node.js itself: where they are others, it does nothing.
 */
export function hangUpWhenGone(worker: ChildProcess): void {
  const handed = new Map<number, Handle>();
  let isGone = false;
  // One that could not be started has no channel.
  if (!worker.send) return;
  const send = worker.send.bind(worker) as (...values: unknown[]) => boolean;
  worker.send = (...values: unknown[]) => {
    const [message, handle] = values as [Handover, Partial<Handle> | undefined];
    const { cmd, act, seq } = message;
    if (cmd === 'NODE_CLUSTER' && act === 'newconn' && seq !== undefined && handle?.close) {
      // The end of the process may be known before that of its channel, and then it is given more.
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
    // Node.js tells of no end while a connection is on its way, and would give the worker those of
    // other listeners until its process is gone.
    if (handed.size > 0) worker.emit('disconnect');
  };
  worker.once('exit', () => {
    isGone = true;
    for (const handle of handed.values()) handle.close();
    handed.clear();
  });
}
