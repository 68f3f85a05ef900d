export interface SignalDeps {
  readonly source: { on(name: EndSignal, listener: (name: EndSignal) => void): unknown };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly elapsedMs: () => number;
  readonly giveUp: () => Promise<void>;
  readonly exit: (code: number) => void;
}

type EndSignal = 'SIGINT' | 'SIGTERM';

const EXIT_CODES: Record<EndSignal, number> = { SIGINT: 130, SIGTERM: 143 };

/**
 * `npm start` passes Ctrl-C on, so it arrives twice. The same signal within this time is not a
 * second request to stop.
 */
const PASSED_ON_MS = 1_000;

/** A third signal ends the process at once. */
export function watchSignals({ source, env, elapsedMs, giveUp, exit }: SignalDeps) {
  const first = Promise.withResolvers<void>();
  const second = Promise.withResolvers<number>();
  let count = 0;
  let begun: { readonly name: EndSignal; readonly atMs: number } | null = null;
  const isPassedOn = (name: EndSignal) =>
    env.npm_lifecycle_event !== undefined &&
    begun?.name === name &&
    elapsedMs() - begun.atMs < PASSED_ON_MS;
  const onSignal = (name: EndSignal) => {
    if (isPassedOn(name)) return;
    begun ??= { name, atMs: elapsedMs() };
    count += 1;
    if (count === 1) first.resolve();
    else if (count === 2) void giveUp().then(() => second.resolve(EXIT_CODES[name]));
    else exit(EXIT_CODES[name]);
  };
  source.on('SIGINT', onSignal);
  source.on('SIGTERM', onSignal);
  return { first: first.promise, second: second.promise, isSecond: () => count > 1 };
}
