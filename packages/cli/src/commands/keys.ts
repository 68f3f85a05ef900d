import type { CardKey } from '@servery/contract';
import { command, type Family, type PlatformCall } from '../command.ts';
import { invalidUsage } from '../exit-codes.ts';
import { instant, keyId } from '../readers.ts';
import { type Columns, row, rows, type Shown } from '../shown.ts';
import { argument, switchTo, text, the, toggle } from '../values.ts';

const columns: Columns<CardKey> = {
  key: 'keyId',
  state: 'state',
  since: 'stateChangedAt',
  until: 'notAfter',
  legacy: 'legacy',
};
const algorithms = ['ECDH-ES', 'RSA-OAEP-256', 'RSA-OAEP-SHA256', 'RSA-OAEP-SHA1'] as const;
const onKey = { client: the.client, keyId: argument('its ID: see servery keys list', keyId) };

export const keys: Family = {
  name: 'keys',
  summary: 'Issue, activate, retire, and destroy card keys',
  examples: [
    'servery keys issue partner --algorithm ECDH-ES --pending',
    'servery keys retire partner ECDH-ES::0b5c…',
  ],
  commands: [
    command({
      name: 'list',
      summary: 'List every card key of a client, newest first',
      examples: ['servery keys list partner'],
      arguments: { client: the.client },
      operation: 'backOffice.cardKeys.list',
      show: (listed) => rows(columns, listed, 'The client has no card key.'),
    }),
    command({
      name: 'issue',
      summary: 'Issue a card key and print its public part',
      examples: ['servery keys issue partner --algorithm RSA-OAEP-256'],
      arguments: { client: the.client },
      options: {
        algorithm: {
          ...text('<name>', 'how card data is encrypted'),
          ...{ choices: algorithms, fallback: 'ECDH-ES' },
        },
        pending: switchTo('state', 'PENDING', 'issue it as pending, until you activate it'),
        legacy: toggle('use it for payments without a keyId'),
        notAfter: text('<instant>', 'when its use ends', instant),
      },
      check: ({ options: { algorithm, legacy } }) => {
        if (algorithm !== 'RSA-OAEP-SHA1' || legacy) return;
        throw invalidUsage(
          '--algorithm RSA-OAEP-SHA1 is deprecated and works only for legacy keys. Add --legacy, ' +
            'or use RSA-OAEP-256.',
        );
      },
      operation: 'backOffice.cardKeys.issue',
      show: (key) => {
        const table = row(columns, key);
        return { ...table, text: (look) => `${table.text(look)}\n${key.publicKeyPem}` };
      },
    }),
    command({
      name: 'activate',
      summary: 'Activate a pending key',
      examples: ['servery keys activate partner ECDH-ES::0b5c…'],
      arguments: onKey,
      operation: 'backOffice.cardKeys.activate',
      show: (key) => row(columns, key),
    }),
    command({
      name: 'retire',
      summary: 'Remove a key from the public list; card data encrypted with it is still accepted',
      examples: ['servery keys retire partner ECDH-ES::0b5c…'],
      arguments: onKey,
      operation: 'backOffice.cardKeys.retire',
      show: withWarning,
    }),
    command({
      name: 'destroy',
      summary: 'Destroy the private part of a key for good',
      examples: ['servery keys destroy partner ECDH-ES::0b5c…'],
      arguments: onKey,
      operation: 'backOffice.cardKeys.destroy',
      show: withWarning,
    }),
  ],
};

/** Retiring the last key is legal, and rarely intended. */
async function withWarning(key: CardKey, { read }: Pick<PlatformCall, 'read'>): Promise<Shown> {
  const all = await read('backOffice.cardKeys.list');
  if (all.some(({ state }) => state === 'ACTIVE')) return row(columns, key);
  return {
    ...row(columns, key),
    notes: [
      'The client has no active card key now. It cannot encrypt new card data until you issue or ' +
        'activate one.',
    ],
  };
}
