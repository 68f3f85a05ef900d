import { mayComeThrough } from '@servery/postgres/away.ts';
import { parseDatabaseUrl } from '@servery/postgres/database-url.ts';

/** Where a database is, without the password. */
export function placeOf(url: string): string {
  const { hosts, ports, database } = parseDatabaseUrl(url);
  const servers = hosts.map((host, at) => `${host}:${ports[at]}`).join(',');
  return `${servers}/${database}`;
}

/** Why nobody can connect to the database at this URL; undefined if the error is of something else. */
export function unreachedBecause(error: unknown, url: string): string | undefined {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const reasons: Record<string, string> = {
    '28P01': 'the password is wrong',
    '28000': 'this user may not log in from here',
    '3D000': `there is no database "${parseDatabaseUrl(url).database}"`,
    ENOTFOUND: 'no machine has this name',
    ECONNREFUSED: 'nothing listens there',
  };
  return reasons[code] ?? (mayComeThrough(error) ? message : undefined);
}
