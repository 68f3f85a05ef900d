/** Something that breaks the style. */
export interface Finding {
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  /** The rule's id, which the table of exceptions names. */
  readonly rule: string;
  /** What is wrong, and what to use instead: full sentences. */
  readonly message: string;
}

/** The line that the terminal shows: `path:line rule: what is wrong. Use … instead.`. */
export function describeFinding({ path, line, rule, message }: Finding): string {
  return `${path}:${line} ${rule}: ${message}`;
}
