/** Reads, merges and writes files beside the page, which never waits for them. */
import { type Unreadable, UnreadableFile } from './archive.ts';
import { readCsv, writeCsv } from './csv.ts';
import { type Merged, mergeSheet, sheetFields, sheetOf } from './sheet.ts';
import { type Row, tableOf, textOf } from './table.ts';
import type { Fields } from './values.ts';
import { Workbook } from './workbook.ts';

export type FileRequest =
  | { readonly kind: 'read'; readonly file: File }
  /** Of the workbook that was read last. */
  | { readonly kind: 'readSheet'; readonly name: string }
  | {
      readonly kind: 'merge';
      readonly exportUrl: string;
      readonly mapping: readonly string[];
      /** Of the currency. */
      readonly digits: number;
      /** Takes the groups that are on none; null for the only one. */
      readonly menu: string | null;
    }
  | { readonly kind: 'exportSheet' | 'exportDocument'; readonly exportUrl: string };

export type FileAnswer =
  | { readonly kind: 'document'; readonly document: object }
  | {
      readonly kind: 'sheet';
      readonly headings: readonly string[];
      readonly sample: readonly (readonly string[])[];
      readonly count: number;
    }
  | { readonly kind: 'sheets'; readonly names: readonly string[] }
  | { readonly kind: 'unreadable'; readonly why: Unreadable }
  | { readonly kind: 'refused'; readonly status: number }
  | ({ readonly kind: 'merged' } & Merged)
  | { readonly kind: 'file'; readonly file: Blob };

const SAMPLE = 3;

let workbook: Workbook | null = null;
let rows: readonly Row[] = [];

addEventListener('message', ({ data }: MessageEvent<FileRequest>) => {
  answer(data).then(
    (result) => postMessage(result),
    (error) => {
      const why = error instanceof UnreadableFile ? error.why : 'noTable';
      postMessage({ kind: 'unreadable', why } satisfies FileAnswer);
    },
  );
});

async function answer(request: FileRequest): Promise<FileAnswer> {
  if (request.kind === 'read') return await read(request.file);
  if (request.kind === 'readSheet') return await readSheet(request.name);
  const response = await fetch(request.exportUrl);
  if (!response.ok) return { kind: 'refused', status: response.status };
  const exported = (await response.json()) as {
    readonly configuration: Readonly<Record<string, readonly Fields[]>>;
  };
  switch (request.kind) {
    case 'merge': {
      const { mapping, digits, menu } = request;
      const merged = mergeSheet(rows, mapping, exported.configuration, digits, menu);
      return { kind: 'merged', ...merged };
    }
    case 'exportSheet': {
      const text = writeCsv([sheetFields, ...sheetOf(exported.configuration)]);
      return { kind: 'file', file: new Blob([text], { type: 'text/csv' }) };
    }
    default: {
      const text = JSON.stringify(exported, null, 2);
      return { kind: 'file', file: new Blob([text], { type: 'application/json' }) };
    }
  }
}

async function read(file: File): Promise<FileAnswer> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  // What archives and their forerunner begin with: no text does.
  if (/^(PK|\xd0\xcf)/.test(String.fromCharCode(...bytes.subarray(0, 2)))) {
    workbook = await Workbook.open(bytes);
    const [name, second] = workbook.sheetNames;
    if (name === undefined) throw new UnreadableFile('noTable');
    return second === undefined
      ? await readSheet(name)
      : { kind: 'sheets', names: workbook.sheetNames };
  }
  const text = textIn(bytes);
  if (text.trimStart().startsWith('{')) {
    return { kind: 'document', document: JSON.parse(text) as object };
  }
  return sheet(
    readCsv(text).map((cells, index) => ({
      number: index + 1,
      // Written so that no name becomes a formula.
      cells: cells.map((cell) => cell.replace(/^'(?=[=+\-@])/, '')),
    })),
  );
}

/** As spreadsheet programs write it: some of them still without Unicode. */
function textIn(bytes: Uint8Array): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  let text: string;
  try {
    text = new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8', { fatal: true }).decode(bytes);
  } catch {
    text = new TextDecoder('windows-1252').decode(bytes);
  }
  // No table has such characters, and pictures and documents do; pages begin with a bracket.
  if (/[^\P{Cc}\s]|^\s*</u.test(text)) throw new UnreadableFile('otherKind');
  return text;
}

async function readSheet(name: string): Promise<FileAnswer> {
  return sheet((await workbook?.read(name)) ?? []);
}

function sheet(found: readonly Row[]): FileAnswer {
  const table = tableOf(found);
  if (!table) throw new UnreadableFile('noTable');
  ({ rows } = table);
  return {
    kind: 'sheet',
    headings: table.headings,
    sample: rows
      .slice(0, SAMPLE)
      .map(({ cells }) => table.headings.map((_, at) => textOf(cells[at]))),
    count: rows.length,
  };
}
