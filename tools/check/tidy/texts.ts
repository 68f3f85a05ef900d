import type { Finding } from './finding.ts';
import type { Source } from './source.ts';

const DRAWERS = /^(utils?|helpers?|libs?|common|shared|misc)$/i;
const TEXTS: readonly {
  readonly rule: string;
  readonly words: RegExp;
  readonly message: string;
}[] = [
  {
    rule: 'machine-path',
    words: /(^|[^\w.])(\/work\/|\/(home|Users)\/[a-z]|[A-Z]:\\+Users)/i,
    message: 'A path of one machine. Use a path below the repository instead.',
  },
  {
    rule: 'registry-host',
    words: /\/\/[\w.-]*(registry|artifactory|nexus|verdaccio)[\w-]*[.:][\w.-]+/i,
    message: 'The address of a package registry. Use the reader’s own npm settings instead.',
  },
  {
    rule: 'outside-page',
    words: /\.\.\/shared\b/,
    message: 'A page outside of the repository. Use a page in docs/ instead.',
  },
];

/** Holds every text to this repository: no path of a machine, no registry, no page outside. */
export function checkTexts({ path, lines }: Source): Finding[] {
  return lines.flatMap((line, index) =>
    TEXTS.filter(({ words }) => words.test(line)).map(({ rule, message }) => ({
      path,
      line: index + 1,
      rule,
      message,
    })),
  );
}

/** Refuses drawers: folders and files that are named by what they are not. */
export function checkNames({ path }: Source): Finding[] {
  return path
    .split('/')
    .map((part) => part.replace(/\..*$/, ''))
    .filter((stem) => DRAWERS.test(stem))
    .map((stem) => {
      const message = `\`${stem}\` names a drawer. Use the word for what is in it instead.`;
      return { path, line: 1, rule: 'drawer', message };
    });
}
