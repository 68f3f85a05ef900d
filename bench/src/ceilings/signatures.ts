import { generateKeyPairSync, sign } from 'node:crypto';
import { rateOf, serveRounds } from './worker.ts';

// The ceiling of whoever signs a token for each login: RS256 alone, over as many bytes.
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const signed = Buffer.alloc(600, 'a');
serveRounds((seconds) =>
  rateOf(seconds, 1, () => {
    sign('sha256', signed, privateKey);
  }),
);
