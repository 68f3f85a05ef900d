// biome-ignore-all lint/suspicious/noTemplateCurlyInString: Pieces of code stand here as text.
import type { Defect } from '../defect.ts';

const SOURCE = 'packages/webhooks/src';
const file = 'packages/webhooks/test/verify.test.ts';

/** Defects by which a webhook is signed or believed wrongly. */
export const webhooksSignatureDefects: readonly Defect[] = [
  {
    name: 'webhooks-signature-without-id',
    file: `${SOURCE}/sign.ts`,
    find: 'Buffer.from(`${id}.${timestampSeconds}.`)',
    replace: 'Buffer.from(`${id.slice(0, 0)}.${timestampSeconds}.`)',
    why: 'No library for Standard Webhooks would accept our signatures.',
    caughtBy: { file, name: /the standardwebhooks package accepts our signature/ },
  },
  {
    name: 'webhooks-newest-secret-signs-branded',
    file: `${SOURCE}/sign.ts`,
    find: 'const [oldest] = keys;',
    replace: 'const oldest = keys.at(-1);',
    why: 'A second secret would break every receiver that does not know it yet.',
    caughtBy: { file, name: /while one secret takes over/ },
  },
  {
    name: 'webhooks-clock-not-checked',
    file: `${SOURCE}/verify.ts`,
    find: 'if (Math.abs(ageSeconds) <= toleranceSeconds) return null;',
    replace: 'if (ageSeconds <= Number.POSITIVE_INFINITY) return null;',
    why: 'Whoever captured a webhook could send it again for ever.',
    caughtBy: { file, name: /keeps to its tolerance in both directions/ },
  },
  {
    name: 'webhooks-future-believed',
    file: `${SOURCE}/verify.ts`,
    find: 'if (Math.abs(ageSeconds) <= toleranceSeconds) return null;',
    replace: 'if (ageSeconds <= toleranceSeconds) return null;',
    why: 'A clock that is wrong would not be noticed, and lengthen the life of what is captured.',
    caughtBy: { file, name: /keeps to its tolerance in both directions/ },
  },
  {
    name: 'webhooks-empty-secret',
    file: `${SOURCE}/verify.ts`,
    find: 'if (keys.length === 0 || keys.includes(null)) return notASecret;',
    replace: 'if (keys.length < 0) return notASecret;',
    why: 'A receiver without a secret would be told that the sender is wrong.',
    caughtBy: { file, name: /^(verify|…) says that a secret is none/ },
  },
  {
    name: 'webhooks-body-written-anew',
    file: `${SOURCE}/explain-mismatch.ts`,
    find: 'const original = originals.find(({ bytes }) => isSigned(bytes));',
    replace: 'const original = originals.find(({ bytes }) => bytes.length < 0 && isSigned(bytes));',
    why: 'The most common mistake of receivers would be called a wrong secret.',
    caughtBy: { file, name: /^(verify|…) proves that a body was written anew/ },
  },
];
