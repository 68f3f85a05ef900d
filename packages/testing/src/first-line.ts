import type { Socket } from 'node:net';

/** The first line that comes; null if the connection ends before. */
export function firstLine(connection: Socket): Promise<string | null> {
  let said = '';
  return new Promise((resolve) => {
    connection.setEncoding('utf8').on('data', (piece: string) => {
      said += piece;
      if (said.endsWith('\n')) resolve(said);
    });
    connection.on('end', () => resolve(null));
    connection.on('error', () => resolve(null));
  });
}
