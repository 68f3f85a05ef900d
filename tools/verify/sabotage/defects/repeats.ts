import type { Defect } from '../defect.ts';

const SERVER = 'packages/server/src';
const repeatPath = (name: RegExp) => ({ file: `${SERVER}/http/repeat-path.test.ts`, name });

const loginsAgain = (name: RegExp) => ({
  file: 'packages/server/test/auth/log-in-again.test.ts',
  name,
});

/** Defects of logins that are answered again without the pipeline. */
export const repeatDefects: readonly Defect[] = [
  {
    name: 'repeats-for-any-secret-of-before',
    file: `${SERVER}/auth/log-in.ts`,
    find: 'return letIn(logins.find(key)?.value ?? null, digest, nowMs);',
    replace: 'return letIn(logins.find(key)?.value ?? null, digest, 0);',
    why: 'Whoever repeats a secret that has ended would still be let in.',
    caughtBy: loginsAgain(/the end of a secret/),
  },
  {
    name: 'repeats-of-another-grant',
    file: `${SERVER}/auth/issue-token.ts`,
    find: 'if (grant?.jti !== jti) return null;',
    replace: 'if (!grant) return null;',
    why: 'A token that was revoked would be given out again.',
    caughtBy: loginsAgain(/a repeated login after a/),
  },
  {
    name: 'repeats-of-a-token-that-ends',
    file: `${SERVER}/auth/issue-token.ts`,
    find: 'return isRight(issuer, secret, grant, facts, nowMs) ? secondsLeft(grant, nowMs) : null;',
    replace: 'return facts ? secondsLeft(grant, nowMs) : null;',
    why: 'Whoever logs in often would get a token in its last minute, and after its end.',
    caughtBy: loginsAgain(/in its last minute/),
  },
  {
    name: 'repeats-unnoted',
    file: `${SERVER}/auth/routes.ts`,
    find: '    deps.secretUses?.noteSecret(proof.clientId, proof.digest, nowMs);\n',
    replace: '',
    why: 'A secret that is used all the time would look as if nobody needed it.',
    caughtBy: loginsAgain(/as the whole way answers it/),
  },
  {
    name: 'repeats-without-budget',
    file: `${SERVER}/http/repeat-path.ts`,
    find: 'if (!verdict.allowed) {',
    replace: 'if (verdict.remaining < 0) {',
    why: 'Who logs in could do so without end.',
    caughtBy: repeatPath(/each request is counted once/),
  },
  {
    name: 'repeats-counted-twice',
    file: `${SERVER}/http/application.ts`,
    find: 'rate: before?.rate ?? deps',
    replace: 'rate: deps',
    why: 'A login that goes the whole way after all would cost two.',
    caughtBy: repeatPath(/each request is counted once/),
  },
  {
    name: 'repeats-of-a-coded-body',
    file: `${SERVER}/http/repeat-path.ts`,
    find: "    headers['content-encoding'] === undefined &&\n",
    replace: '',
    why: 'A body in a coding that is refused would be taken for one without.',
    caughtBy: repeatPath(/sent twice, a body/),
  },
  {
    name: 'repeats-of-any-query',
    file: `${SERVER}/http/repeat-path.ts`,
    find: 'url !== operation.path || ',
    replace: '',
    why: 'Each query that somebody invents would stay in memory.',
    caughtBy: repeatPath(/sent twice, a body/),
  },
  {
    name: 'repeats-judged-later',
    file: `${SERVER}/http/application.ts`,
    find: 'nowMs: before?.nowMs ?? deps.clock.nowMs(),',
    replace: 'nowMs: deps.clock.nowMs(),',
    why: 'A login would be noted as of another time than that at which it came.',
    caughtBy: repeatPath(/judged as of when it came/),
  },
  {
    name: 'repeats-body-lost',
    file: `${SERVER}/http/application.ts`,
    find: 'requestBytes: before?.requestBytes ?? null,',
    replace: 'requestBytes: null,',
    why: 'A login with another secret would wait for a body that has come already.',
    caughtBy: repeatPath(/sent twice, a body/),
  },
];
