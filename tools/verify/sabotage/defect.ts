/** An edit of one file that breaks the product on purpose. */
export interface DefectEdit {
  /** Unique, with its area first: `payments-digest-without-amount`. */
  readonly name: string;
  /** The file that is edited, as a path below the repository's root. */
  readonly file: string;
  /** The exact text to be replaced, which must stand in the file once. */
  readonly find: string;
  readonly replace: string;
}

/** A deliberate defect: one edit of one file, and the test that must notice it. */
export interface Defect extends DefectEdit {
  /** What the defect would do to somebody, in a sentence. */
  readonly why: string;
  readonly caughtBy: {
    /** The test file, as a path below the repository's root. */
    readonly file: string;
    /** A part of the title of one of its tests. */
    readonly name: RegExp;
  };
}

/** A defect's text does not stand in its file exactly once: the code went on without the table. */
export class OutdatedDefect extends Error {
  constructor({ name, file }: DefectEdit, count: number) {
    super(
      `${name}: its text stands in ${file} ${count} times instead of once, ` +
        'so the defect must be renewed: make its find text what the code says now',
    );
    this.name = 'OutdatedDefect';
  }
}

/** The text of the defect's file with the defect in it. Throws OutdatedDefect. */
export function applyDefect(defect: DefectEdit, text: string): string {
  const parts = text.split(defect.find);
  if (parts.length !== 2) throw new OutdatedDefect(defect, parts.length - 1);
  return parts.join(defect.replace);
}
