import type { Defect } from '../defect.ts';

const COMMAND = 'packages/cli/src/commands/clients.ts';
const TESTS = 'packages/cli/test/clients.test.ts';

/** Defects of `servery clients`, by which operators give and take away access. */
export const clientDefects: readonly Defect[] = [
  {
    name: 'clients-group-ignored',
    file: COMMAND,
    find: 'const managementGroupGuid = group?.guid ?? null;',
    replace: 'const managementGroupGuid = null;',
    why: 'The orders system of one group would reach the payments of all others.',
    caughtBy: { file: TESTS, name: /create makes the orders side of a group/ },
  },
  {
    name: 'clients-other-master-key',
    file: 'packages/server/src/secrets.ts',
    find: 'if (youngest) await new SigningKeys({ database, vault }).privateKey(youngest.kid);',
    replace: '',
    why: 'An operator would hand over a secret that can never log in.',
    caughtBy: { file: TESTS, name: /makes no secret with another master key/ },
  },
  {
    name: 'clients-demo-account-revoked',
    file: COMMAND,
    find: '  await refuseDemoAccount(config, clientId);\n',
    replace: '',
    why: 'A sandbox would not start any more.',
    caughtBy: { file: TESTS, name: /leaves the accounts of a sandbox’s demo alone/ },
  },
  {
    name: 'clients-revoked-twice-fails',
    file: COMMAND,
    find: 'if (found.revoked) return { client: found, changed: false };',
    replace: '',
    why: 'A script that is run again to be sure would fail.',
    caughtBy: { file: TESTS, name: /revoke T9: an account ends at once/ },
  },
  {
    name: 'names-turn-tables',
    file: 'packages/cli/src/terminal.ts',
    find: '|[\\u{202a}-\\u{202e}\\u{2066}-\\u{2069}]',
    replace: '',
    why: 'A partner could name an account so that an operator reads another name, and trusts it.',
    caughtBy: { file: 'packages/cli/src/table.test.ts', name: /cannot turn the order of what/ },
  },
  {
    name: 'output-in-place-of-a-device',
    file: 'packages/cli/src/output-file.ts',
    find: 'found.mode & PERMISSIONS } : null;',
    replace: 'found.mode & PERMISSIONS } : { path: file, mode: NEW_FILE };',
    why: 'An export of root into /dev/null would leave the machine without /dev/null.',
    caughtBy: { file: 'packages/cli/src/output-file.test.ts', name: /a pipe or a device such as/ },
  },
  {
    name: 'clients-recorded-in-moved-time',
    file: 'packages/cli/src/platform.ts',
    find: 'work({ database, vault, clock, realClock })',
    replace: 'work({ database, vault, clock, realClock: clock })',
    why: 'The record of changes would prove a time that never was, wherever a clock was moved.',
    caughtBy: {
      file: 'packages/cli/test/people-link.test.ts',
      name: /stands on record as of real/,
    },
  },
];
