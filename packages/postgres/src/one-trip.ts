import { CommitUnknownError, isRefusal } from './postgres-error.ts';
import type { Session } from './session.ts';
import { makeSql, type Sql, Statement } from './sql.ts';

/**
 * Sends the one statement that `run` returns, with BEGIN and COMMIT, before it waits for any
 * answer. If `begin` is null it sends neither: a statement is a transaction by itself. Throws what
 * `run` throws, with nothing sent, an Error if it returns anything but a statement, the refusal of
 * the server, and CommitUnknownError if the connection was lost.
 */
export async function sendInOneTrip<T>(
  session: Session,
  begin: string | null,
  run: (sql: Sql) => Promise<T>,
): Promise<T> {
  const statement: unknown = run(makeSql(session.send));
  if (!(statement instanceof Statement)) {
    throw new Error('a transaction in one trip is one statement that nobody has awaited');
  }
  const begun = begin === null ? null : session.send(begin, null);
  // Asking for its rows sends it: after BEGIN and before COMMIT.
  const answered = statement.then((rows) => rows as T);
  const committed = begin === null ? null : session.send('commit', null);
  const all = Promise.allSettled([answered, committed]);
  // If the connection was lost, nobody knows how far the server had read. The other answers may
  // never come.
  await begun?.catch((error: unknown) => {
    if (!isRefusal(error)) throw new CommitUnknownError(error);
  });
  const ends = await all;
  // What was refused before the connection was lost is refused, but nobody else can use the session.
  if (ends.some(isLost)) await session.end(0);
  for (const end of ends) {
    if (end.status === 'fulfilled') continue;
    throw isRefusal(end.reason) ? end.reason : new CommitUnknownError(end.reason);
  }
  // Even then the server may have answered COMMIT with ROLLBACK: the driver sends a statement whose
  // plan PostgreSQL has dropped again, after COMMIT, and it is then a transaction by itself.
  return await answered;
}

const isLost = (end: PromiseSettledResult<unknown>) =>
  end.status === 'rejected' && !isRefusal(end.reason);
