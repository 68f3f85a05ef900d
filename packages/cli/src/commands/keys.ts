import type { CardKey, IssueCardKey } from '@servery/contract';
import { type Remote, segment } from '../back-office.ts';
import { invalidUsage } from '../exit-codes.ts';
import { openSession, type RemoteDeps, type RemoteFlags, showJson, showTable } from '../session.ts';
import type { Column } from '../table.ts';
import { finderOn } from '../verbs/finder.ts';

/** The options of `servery keys issue`. */
export interface IssueFlags extends RemoteFlags {
  readonly algorithm: IssueCardKey['algorithm'];
  readonly legacy?: boolean;
  readonly pending?: boolean;
  /** An ISO 8601 instant. */
  readonly notAfter?: string;
}

const columns: readonly Column<CardKey>[] = [
  { title: 'key', cell: ({ keyId }) => keyId },
  { title: 'state', cell: ({ state }) => state },
  { title: 'since', cell: ({ stateChangedAt }) => stateChangedAt },
  { title: 'until', cell: ({ notAfter }) => notAfter ?? '' },
  { title: 'legacy', cell: ({ legacy }) => (legacy ? 'legacy' : '') },
];

/** `servery keys list CLIENT`: every card key of a client, newest first. */
export async function runKeysList(
  deps: RemoteDeps,
  client: string,
  flags: RemoteFlags,
): Promise<void> {
  const { remote, demo } = await openSession(deps, flags);
  const keys = await listKeys(remote, await finderOn(remote, demo).client(client));
  if (flags.json) showJson(deps, keys);
  else showTable(deps, columns, keys, 'The client has no card key.');
}

/**
 * `servery keys issue CLIENT`: makes a card key; shows its public part. Throws CommandFailure for
 * an algorithm that only legacy keys may have.
 */
export async function runKeysIssue(
  deps: RemoteDeps,
  client: string,
  flags: IssueFlags,
): Promise<void> {
  if (flags.algorithm === 'RSA-OAEP-SHA1' && !flags.legacy) {
    throw invalidUsage(
      '--algorithm RSA-OAEP-SHA1 is deprecated, and only for a key with --legacy: say --legacy ' +
        'too, or choose RSA-OAEP-256.',
    );
  }
  const { remote, demo } = await openSession(deps, flags);
  const body: IssueCardKey = {
    algorithm: flags.algorithm,
    legacy: flags.legacy ?? false,
    state: flags.pending ? 'PENDING' : 'ACTIVE',
    ...(flags.notAfter === undefined ? {} : { notAfter: flags.notAfter }),
  };
  const key = await remote.post<CardKey>(
    keysPath(await finderOn(remote, demo).client(client)),
    body,
  );
  if (flags.json) return showJson(deps, key);
  showTable(deps, columns, [key], '');
  deps.terminal.out.write(`\n${key.publicKeyPem}`);
}

/** `servery keys activate|retire|destroy CLIENT KEY`: moves a card key along its life. */
export async function runKeysMove(
  deps: RemoteDeps,
  move: 'activate' | 'retire' | 'destroy',
  { client, keyId }: { readonly client: string; readonly keyId: string },
  flags: RemoteFlags,
): Promise<void> {
  const { remote, demo } = await openSession(deps, flags);
  const clientId = await finderOn(remote, demo).client(client);
  const path = `${keysPath(clientId)}/${segment(keyId)}/${move}`;
  const key = await remote.post<CardKey>(path);
  if (flags.json) showJson(deps, key);
  else showTable(deps, columns, [key], '');
  if (move !== 'activate') await warnWithoutActiveKey(deps, remote, clientId);
}

/** To retire the last one is legal, and rarely meant. */
async function warnWithoutActiveKey(
  { terminal }: RemoteDeps,
  remote: Remote,
  clientId: string,
): Promise<void> {
  const keys = await listKeys(remote, clientId);
  if (keys.some(({ state }) => state === 'ACTIVE')) return;
  terminal.err.write(
    'The client has no active card key now: it can encrypt no new card data until one is ' +
      'issued or activated.\n',
  );
}

function listKeys(remote: Remote, clientId: string): Promise<CardKey[]> {
  return remote.get<CardKey[]>(keysPath(clientId));
}

function keysPath(clientId: string): string {
  return `/backoffice/v1/clients/${segment(clientId)}/cardKeys`;
}
