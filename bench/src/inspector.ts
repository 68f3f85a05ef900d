/** A connection to the inspector of a Node process. */
export interface Inspector extends AsyncDisposable {
  /** Asks for one method of the protocol, and gives its result; throws what it says against it. */
  ask(method: string, params?: object): Promise<unknown>;
}

interface Answer {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** Connects to an inspector at its `ws://` address. */
export async function attachInspector(url: string): Promise<Inspector> {
  const socket = new WebSocket(url);
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const opened = Promise.withResolvers<void>();
  socket.addEventListener('open', () => opened.resolve());
  socket.addEventListener('error', () => opened.reject(new Error(`${url} does not answer`)));
  socket.addEventListener('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('the inspector is gone'));
  });
  socket.addEventListener('message', ({ data }) => {
    const { id = 0, result, error } = JSON.parse(String(data)) as Answer;
    const asked = waiting.get(id);
    waiting.delete(id);
    if (error) asked?.reject(new Error(error.message));
    else asked?.resolve(result);
  });
  await opened.promise;
  let last = 0;
  return {
    ask(method, params = {}) {
      const asked = Promise.withResolvers<unknown>();
      last += 1;
      waiting.set(last, asked);
      socket.send(JSON.stringify({ id: last, method, params }));
      return asked.promise;
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => socket.addEventListener('close', resolve));
      socket.close();
      await closed;
    },
  };
}
