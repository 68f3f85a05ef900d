/** A fault with its place in the text; line and column count from 1, columns in UTF-16 units. */
export interface LocatedFault {
  readonly line: number;
  readonly column: number;
  /** The path as text, such as `restaurants[0].configuration.menus[3].name`. */
  readonly path: string;
  readonly message: string;
}

/** How many faults are shown; of the others only the number is told. */
const SHOWN_FAULTS = 50;

/** A group document was refused. `faults` are the first ones in document order. */
export class InvalidGroupDocument extends Error {
  readonly faults: readonly LocatedFault[];
  /** All faults that were found, of which `faults` shows at most `SHOWN_FAULTS`. */
  readonly faultCount: number;

  constructor(faults: readonly LocatedFault[], faultCount: number) {
    const shown = faults.slice(0, SHOWN_FAULTS);
    super(faultReport(shown, faultCount));
    this.name = 'InvalidGroupDocument';
    this.faults = shown;
    this.faultCount = faultCount;
  }
}

/** One line of the report: `line:column path: what is wrong, what to do`. */
function faultLine(fault: LocatedFault): string {
  const place = `${fault.line}:${fault.column}`;
  return fault.path === ''
    ? `${place} ${fault.message}`
    : `${place} ${fault.path}: ${fault.message}`;
}

function faultReport(shown: readonly LocatedFault[], faultCount: number): string {
  const lines = shown.map(faultLine);
  const hidden = faultCount - shown.length;
  if (hidden > 0) lines.push(`… and ${hidden} more`);
  return lines.join('\n');
}
