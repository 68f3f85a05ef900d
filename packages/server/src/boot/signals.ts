/** The signals that end the process. */
export interface Signals {
  /** Resolves at the first SIGINT or SIGTERM. */
  readonly first: Promise<void>;
  /** Resolves with the exit code once a second one has come and the database is given up. */
  readonly second: Promise<number>;
  isSecond(): boolean;
}

/** What waiting for signals leans on. */
export interface SignalDeps {
  /** Where signals come: the process. */
  readonly source: { on(name: EndSignal, listener: (name: EndSignal) => void): unknown };
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds that only grow. */
  readonly elapsedMs: () => number;
  /** Ends what would outlive the process. */
  readonly giveUp: () => Promise<void>;
  readonly exit: (code: number) => void;
}

/** What a person, a terminal or whoever runs services ends a process with. */
type EndSignal = 'SIGINT' | 'SIGTERM';

const EXIT_CODES: Record<EndSignal, number> = { SIGINT: 130, SIGTERM: 143 };

/**
 * Under `npm start` a Ctrl-C comes twice: from the terminal, and passed on by npm. Within so many
 * milliseconds the same signal is that, and not somebody who has lost patience.
 */
const PASSED_ON_MS = 1_000;

/** Waits for SIGINT and SIGTERM: a third one ends the process where it stands. */
export function watchSignals({ source, env, elapsedMs, giveUp, exit }: SignalDeps): Signals {
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
