import type { Defect } from '../defect.ts';

/** Defects of how the programs that are started by hand read their command lines. */
export const commandLineDefects: readonly Defect[] = [
  {
    name: 'command-line-swallowed-flag',
    file: 'bench/src/command-line.ts',
    find: "const isMissing = value === undefined || value.startsWith('--');",
    replace: 'const isMissing = value === undefined;',
    why: 'A flag without its value would take the next flag for it, which then does nothing.',
    caughtBy: {
      file: 'bench/src/command-line.test.ts',
      name: /what is wrong is told in a sentence/,
    },
  },
  {
    name: 'fill-any-platform',
    file: 'tools/fill/options.ts',
    find: 'dataDir === null && !env.DATABASE_URL && !env.SERVERY_DATA_DIR',
    replace: 'dataDir !== null && dataDir === env.DATABASE_URL',
    why: 'Whoever only tries the command would have the sandbox of the folder full.',
    caughtBy: {
      file: 'tools/command-lines.test.ts',
      name: /which platform is filled has to be said/,
    },
  },
  {
    name: 'bench-only-comparisons',
    file: 'bench/src/measuring.ts',
    find: '      if (!isWanted(line)) return;\n',
    replace: '',
    why: 'A line that nobody asked for would hide that there is none of the name that was given.',
    caughtBy: {
      file: 'bench/src/measuring.test.ts',
      name: /lines without the text in their name do not count/,
    },
  },
];
