import { isRefusal } from './postgres-error.ts';
import type { Session } from './session.ts';
import { makeSql, type Sql, Statement } from './sql.ts';

/** The outcome of a statement that was sent together with its COMMIT. */
export type Trip<T> =
  /** Committed. */
  | { readonly outcome: 'done'; readonly value: T }
  /** The server answered that it did nothing. */
  | { readonly outcome: 'refused'; readonly error: unknown; readonly isSound: boolean }
  /** There was no connection, and nothing was sent. */
  | { readonly outcome: 'unsent'; readonly error: unknown }
  /** The connection was lost after it was sent: it may or may not have happened. */
  | { readonly outcome: 'unknown'; readonly error: unknown };

type Settled<T> = { readonly value: T } | { readonly error: unknown };

/**
 * Sends the one statement that `run` returns, with BEGIN and COMMIT, before it waits for any
 * answer. If `begin` is null it sends neither: a statement is a transaction by itself. Throws what
 * `run` throws, with nothing sent, and an Error if it returns anything but a statement.
 */
export async function sendInOneTrip<T>(
  session: Session,
  begin: string | null,
  run: (sql: Sql) => Promise<T>,
): Promise<Trip<T>> {
  const statement: unknown = run(makeSql(session.send));
  if (!(statement instanceof Statement)) {
    throw new Error('a transaction in one trip is one statement that nobody has awaited');
  }
  const connected = await settle(session.connect());
  if ('error' in connected) return { outcome: 'unsent', error: connected.error };
  const begun = begin === null ? null : settle(session.send(begin, null));
  // Asking for its rows sends it: after BEGIN and before COMMIT.
  const answered = settle<T>(statement.then((rows) => rows as T));
  const committed = begin === null ? null : settle(session.send('commit', null));
  const start = await begun;
  // The connection was lost, and nobody knows how far the server had read. The other answers may
  // never come.
  if (start && 'error' in start && !isRefusal(start.error)) {
    return { outcome: 'unknown', error: start.error };
  }
  const [answer, end] = await Promise.all([answered, committed]);
  return judge(answer, end);
}

async function settle<T>(work: Promise<T>): Promise<Settled<T>> {
  return await work.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
}

function judge<T>(answer: Settled<T>, end: Settled<unknown> | null): Trip<T> {
  if ('error' in answer) {
    const isSound = end === null || 'value' in end;
    if (isRefusal(answer.error)) return { outcome: 'refused', error: answer.error, isSound };
    return { outcome: 'unknown', error: answer.error };
  }
  if (end && 'error' in end) {
    if (isRefusal(end.error)) return { outcome: 'refused', error: end.error, isSound: true };
    return { outcome: 'unknown', error: end.error };
  }
  // Even then the server may have answered COMMIT with ROLLBACK: the driver sends a statement whose
  // plan PostgreSQL has dropped again, after COMMIT, and it is then a transaction by itself.
  return { outcome: 'done', value: answer.value };
}
