// biome-ignore-all lint/suspicious/noTemplateCurlyInString: Pieces of code stand here as text.
import type { Defect } from '../defect.ts';

const SERVER = 'packages/server';

/** Defects of the life of card keys: requests that fail in a rotation, keys that outlive it. */
export const cardKeyDefects: readonly Defect[] = [
  {
    name: 'card-keys-retired-opens-nothing',
    file: `${SERVER}/src/payments/card-key-store.ts`,
    find: "and state in ('ACTIVE', 'DECRYPT_ONLY')",
    replace: "and state = 'ACTIVE'",
    why: 'Whoever had read the old key a moment ago would be refused in the middle of a rotation.',
    caughtBy: {
      file: `${SERVER}/test/payments/key-rotation.test.ts`,
      name: /keys are rotated under load and no request fails/,
    },
  },
  {
    name: 'card-keys-destroyed-opens-from-memory',
    file: `${SERVER}/src/payments/card-keys.ts`,
    find: '      if (rows.length > 0) return',
    replace: `      const kept = opened.get(sealContext(clientId, keyId ?? ''));
      if (kept) return [await kept];
      if (rows.length > 0) return`,
    why: 'A key that leaked and was destroyed would go on in every process that had used it.',
    caughtBy: {
      file: `${SERVER}/test/payments/key-rotation.test.ts`,
      name: /a destroyed key opens in no process any more/,
    },
  },
  {
    name: 'card-keys-one-legacy-key',
    file: `${SERVER}/src/payments/card-keys.ts`,
    find: 'return live?.slice(0, LEGACY_KEYS_MAX) ?? [];',
    replace: 'return live?.slice(0, 1) ?? [];',
    why: 'A client that names no key would be refused as soon as it gets a second legacy key.',
    caughtBy: {
      file: `${SERVER}/test/payments/key-rotation.test.ts`,
      name: /without keyId each live legacy key opens/,
    },
  },
  {
    name: 'card-keys-group-reaches-all',
    file: `${SERVER}/src/backoffice/card-keys/store.ts`,
    find: 'const isReached = reach.isPlatform',
    replace: 'const isReached = reach.groupGuids',
    why: "One management group could destroy another's card keys.",
    caughtBy: {
      file: `${SERVER}/test/backoffice/card-keys.test.ts`,
      name: /404: unknown, foreign and out of reach sound the same/,
    },
  },
  {
    name: 'card-keys-activated-again',
    file: `${SERVER}/src/payments/card-keys.ts`,
    find: "DECRYPT_ONLY: ['DESTROYED'],",
    replace: "DECRYPT_ONLY: ['ACTIVE', 'DESTROYED'],",
    why: 'A key that was retired for a reason could come back.',
    caughtBy: {
      file: `${SERVER}/test/backoffice/card-keys.test.ts`,
      name: /409: state and legal moves are told/,
    },
  },
];
