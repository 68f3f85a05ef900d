export interface LocatedFault {
  readonly line: number;
  readonly column: number;
  readonly path: string;
  readonly message: string;
}

const SHOWN_FAULTS = 50;

export class InvalidGroupDocument extends Error {
  readonly faults: readonly LocatedFault[];
  readonly faultCount: number;

  constructor(faults: readonly LocatedFault[], faultCount: number) {
    const shown = faults.slice(0, SHOWN_FAULTS);
    super(faultReport(shown, faultCount));
    this.name = 'InvalidGroupDocument';
    this.faults = shown;
    this.faultCount = faultCount;
  }
}

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
