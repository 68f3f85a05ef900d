import { fileURLToPath } from 'node:url';

/** An exported function or class, replaced while its module is loaded. */
export interface Plant {
  /** The module's address, as Node.js has it. */
  readonly url: string;
  /** The name of the export. */
  readonly name: string;
  /** Makes the broken one out of the sound one. */
  readonly breakIt: (sound: never) => unknown;
}

/** Something that is broken on purpose, and the tests that must notice it. */
export interface Defect {
  /** Its area first: `payments-tip-forgotten`. */
  readonly name: string;
  /** What it would do to a user, in a sentence. */
  readonly why: string;
  readonly plants: readonly Plant[];
  /** Words of the paths of the test files that must notice it, as `npm test -- WORDS` takes them. */
  readonly tests: readonly string[];
}

/** A module of this repository, as `() => import('…')`: never called, only read. */
type Load<Module> = () => Promise<Module>;

/**
 * Replaces an export of a module. The module is named by an `import()`, so that the type check
 * tells of an export that is renamed, and moving a file moves the defect with it.
 */
export function plant<Module, Name extends keyof Module & string>(
  load: Load<Module>,
  name: Name,
  breakIt: (sound: Module[Name]) => Module[Name],
): Plant {
  const [, path] = /import\(['"](.+)['"]\)/.exec(String(load)) ?? [];
  if (path === undefined) throw new Error(`Give the module of ${name} as () => import('…').`);
  return { url: new URL(path, import.meta.url).href, name, breakIt };
}

/** The path of a plant's module. */
export function pathOf({ url }: Plant): string {
  return fileURLToPath(url);
}
