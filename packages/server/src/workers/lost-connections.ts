import type { ChildProcess } from 'node:child_process';

/** What Node.js tells a worker of a new connection, and what the worker tells of it. */
interface Handover {
  readonly cmd?: string;
  readonly act?: string;
  readonly seq?: number;
  readonly ack?: number;
}

/**
 * Hangs up on connections that were handed to a worker which died before it took them: Node.js
 * would keep them open without anybody behind them, and their clients would wait for ever. It goes
 * by messages of Node.js itself: where they are others, it does nothing.
 */
export function hangUpWhenGone(worker: ChildProcess): void {
  const handed = new Map<number, { close(): void }>();
  const send = worker.send.bind(worker) as (...values: unknown[]) => boolean;
  worker.send = (...values: unknown[]) => {
    const [message, handle] = values as [Handover, { close?(): void } | undefined];
    const { cmd, act, seq } = message;
    if (cmd === 'NODE_CLUSTER' && act === 'newconn' && seq !== undefined && handle?.close) {
      handed.set(seq, handle as { close(): void });
    }
    return send(...values);
  };
  worker.on('internalMessage', ({ cmd, ack }: Handover) => {
    if (cmd === 'NODE_CLUSTER' && ack !== undefined) handed.delete(ack);
  });
  worker.once('exit', () => {
    for (const handle of handed.values()) handle.close();
  });
}
