import { deflateRawSync } from 'node:zlib';

export interface PackedFile {
  readonly name: string;
  readonly text: string;
  /** What the archive says, if it lies. */
  readonly size?: number;
  readonly isEncrypted?: boolean;
}

export interface WorkbookFile {
  /** The XML inside of each sheet by its name. */
  readonly sheets: Readonly<Record<string, string>>;
  readonly hidden?: readonly string[];
  readonly texts?: readonly string[];
  /** The XML of the styles. */
  readonly styles?: string;
  readonly isFrom1904?: boolean;
}

/** A workbook as spreadsheet programs write them, with only what is given. */
export function workbookFile(workbook: WorkbookFile): Buffer<ArrayBuffer> {
  const { sheets, hidden = [], texts = [], styles = '', isFrom1904 = false } = workbook;
  const relation = (id: string, kind: string, target: string) =>
    `<Relationship Id="${id}" Type="http://example.com/relationships/${kind}" Target="${target}"/>`;
  const names = Object.keys(sheets);
  return archiveFile([
    { name: '_rels/.rels', text: `<R>${relation('a', 'officeDocument', '/xl/workbook.xml')}</R>` },
    {
      name: 'xl/workbook.xml',
      text: `<workbook xmlns:r="r"><workbookPr date1904="${isFrom1904}"/><sheets>${names
        .map((name, at) => {
          const state = hidden.includes(name) ? ' state="hidden"' : '';
          return `<sheet name="${name}" sheetId="${at}"${state} r:id="s${at}"/>`;
        })
        .join('')}</sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      text: `<R>${names
        .map((_, at) => relation(`s${at}`, 'worksheet', `worksheets/${at}.xml`))
        .join(
          '',
        )}${relation('t', 'sharedStrings', 'texts.xml')}${relation('y', 'styles', 'styles.xml')}</R>`,
    },
    {
      name: 'xl/texts.xml',
      text: `<sst>${texts.map((text) => `<si>${text}</si>`).join('')}</sst>`,
    },
    { name: 'xl/styles.xml', text: `<styleSheet>${styles}</styleSheet>` },
    ...names.map((name, at) => ({
      name: `xl/worksheets/${at}.xml`,
      text: `<?xml version="1.0"?><worksheet>${sheets[name]}</worksheet>`,
    })),
  ]);
}

/** Rows of texts and numbers. */
export function sheetXml(rows: readonly (readonly (string | number)[])[]): string {
  const cell = (value: string | number) =>
    typeof value === 'number'
      ? `<c><v>${value}</v></c>`
      : `<c t="inlineStr"><is><t>${value}</t></is></c>`;
  return `<sheetData>${rows.map((row) => `<row>${row.map(cell).join('')}</row>`).join('')}</sheetData>`;
}

export function archiveFile(files: readonly PackedFile[]): Buffer<ArrayBuffer> {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, text, size = Buffer.byteLength(text), isEncrypted = false } of files) {
    const packed = deflateRawSync(text);
    const header = Buffer.alloc(30);
    header.writeUInt32LE(0x04_03_4b_50);
    header.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02_01_4b_50);
    entry.writeUInt16LE(isEncrypted ? 1 : 0, 8);
    entry.writeUInt16LE(8, 10);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt32LE(size, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(at, 42);
    directory.push(entry, Buffer.from(name));
    parts.push(header, Buffer.from(name), packed);
    at += header.length + name.length + packed.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06_05_4b_50);
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, ...directory, end]);
}
