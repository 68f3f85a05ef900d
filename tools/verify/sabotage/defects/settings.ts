import type { Defect } from '../defect.ts';

/** Defects of what a process is told from outside. */
export const settingDefects: readonly Defect[] = [
  {
    name: 'settings-unknown-ignored',
    file: 'packages/server/src/config.ts',
    find: 'const faults = [...unknownVariables(env)];',
    replace: 'const faults: string[] = [];',
    why: 'A typo in the name of a setting would leave a protection off without a word.',
    caughtBy: {
      file: 'packages/server/src/config.test.ts',
      name: /a variable of ours that is no setting is a fault/,
    },
  },
];
