/** Something that is broken on purpose, and the tests that must notice it. */
export interface Defect {
  /** Its area first: `payment-never-due`. */
  readonly name: string;
  /** What it does to a user, in a sentence. */
  readonly why: string;
  /** Words of the paths of the test files that must notice it, as `npm test -- WORDS` takes them. */
  readonly tests: readonly string[];
  /** The address of the module whose export is replaced. */
  readonly url: string;
  /** The name of the export: a function declaration or a class. */
  readonly target: string;
  /** Makes the broken one out of the sound one. */
  readonly breakIt: (sound: never) => unknown;
}

/**
 * A defect in a module of this repository. The module is named by an `import()` that is never run,
 * so that the type check tells of a renamed export, and moving a file moves the defect with it.
 */
export function defect<Module, Target extends keyof Module & string>(
  about: Pick<Defect, 'name' | 'why' | 'tests'>,
  load: () => Promise<Module>,
  target: Target,
  breakIt: (sound: Module[Target]) => Module[Target],
): Defect {
  const [, path] = /import\(\s*['"](.+)['"]/.exec(String(load)) ?? [];
  if (path === undefined) throw new Error(`${about.name}: name its module by () => import('…')`);
  return { ...about, url: new URL(path, import.meta.url).href, target, breakIt };
}
