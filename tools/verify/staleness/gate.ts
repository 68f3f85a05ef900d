import { connect, createServer, type Socket } from 'node:net';

/** The way of one server to the database, which can be closed and made to hang. */
export interface Gate {
  /** Where the server connects to, at 127.0.0.1. */
  readonly port: number;
  /** Breaks every connection, and refuses new ones until `open`. */
  cut(): void;
  /** Lets nothing through, in either direction, and lets nobody know, until `open`. */
  hang(): void;
  /** Lets everything through again. */
  open(): void;
  /** Breaks every connection once. */
  drop(): void;
  close(): void;
}

/** Opens a gate to the database that listens at a Unix socket or a port. */
export async function openGate(to: string | number): Promise<Gate> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let isCut = false;
  let isHanging = false;
  const listener = createServer((near) => {
    if (isCut) {
      near.destroy();
      return;
    }
    const far = typeof to === 'string' ? connect(to) : connect(to, '127.0.0.1');
    const pair = [near, far] as const;
    pairs.add(pair);
    join(pair, () => pairs.delete(pair));
    if (isHanging) for (const socket of pair) socket.pause();
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const address = listener.address();
  const drop = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
  };
  const each = (act: (socket: Socket) => void) => {
    for (const pair of pairs) for (const socket of pair) act(socket);
  };
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    cut() {
      isCut = true;
      drop();
    },
    hang() {
      isHanging = true;
      each((socket) => socket.pause());
    },
    open() {
      isCut = false;
      isHanging = false;
      each((socket) => socket.resume());
    },
    drop,
    close() {
      drop();
      listener.close();
    },
  };
}

/** Hands on what comes; the end of one side is the end of both. */
function join(pair: readonly [Socket, Socket], onEnd: () => void): void {
  const [near, far] = pair;
  const end = () => {
    near.destroy();
    far.destroy();
    onEnd();
  };
  for (const [from, into] of [pair, [far, near] as const]) {
    from.setNoDelay(true);
    from.on('data', (bytes) => into.write(bytes));
    from.once('error', end);
    from.once('close', end);
  }
}
