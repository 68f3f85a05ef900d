/** Reads the tables of a workbook (XLSX): runs in a worker. */
/// <reference path="../../saxen.d.ts" />
import { Parser } from 'saxen';
import { Archive, UnreadableFile } from './archive.ts';
import type { Cell, Row } from './table.ts';

/** A cell far out must not make a million empty ones. */
const COLUMNS_AT_MOST = 256;
const CELLS_AT_MOST = 1_000_000;

const MS_PER_DAY = 86_400_000;
/** Day 0 of a workbook: the 29th of February 1900, which wasn't, counts as a day. */
const DAY_ZERO = { '1900': Date.UTC(1899, 11, 30), '1904': Date.UTC(1904, 0, 1) };

/** Formats of dates and times that every workbook has. */
const BUILT_IN_DATES = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
] as const;

/** The ends of their names, which differ between the kinds of the standard. */
const RELATIONS = {
  book: '/officeDocument',
  sheet: '/worksheet',
  texts: '/sharedStrings',
  styles: '/styles',
};

type Attributes = Readonly<Record<string, string>>;

interface Relation {
  readonly id: string;
  readonly type: string;
  readonly target: string;
}

interface Format {
  readonly isDate: boolean;
  /** With zeros in front, up to that many digits. */
  readonly digits: number;
}

interface Book {
  readonly texts: readonly string[];
  readonly formats: readonly Format[];
  readonly dayZero: number;
}

export class Workbook {
  /** Of what can be seen, in their order. */
  readonly sheetNames: readonly string[];
  readonly #archive: Archive;
  readonly #paths: ReadonlyMap<string, string>;
  readonly #book: Book;

  private constructor(archive: Archive, paths: ReadonlyMap<string, string>, book: Book) {
    this.sheetNames = [...paths.keys()];
    this.#archive = archive;
    this.#paths = paths;
    this.#book = book;
  }

  /** Throws UnreadableFile. */
  static async open(bytes: Uint8Array<ArrayBuffer>): Promise<Workbook> {
    refuseOldKinds(bytes);
    const archive = new Archive(bytes);
    const path = (await readRelations(archive, '')).find(isOf(RELATIONS.book))?.target ?? '';
    const xml = (await archive.read(path)) ?? '';
    // Other programs keep their tables in archives, too, and some not as text.
    if (!xml.startsWith('<')) throw new UnreadableFile('otherKind');
    const relations = await readRelations(archive, path);
    const pathOf = (ending: string) => relations.find(isOf(ending))?.target ?? '';
    const targets = new Map(relations.filter(isOf(RELATIONS.sheet)).map((each) => [each.id, each]));
    const paths = new Map<string, string>();
    let dayZero = DAY_ZERO['1900'];
    walk(xml, {
      open: (name, attributes) => {
        if (name === 'workbookPr' && isTrue(attributes.date1904)) dayZero = DAY_ZERO['1904'];
        if (name !== 'sheet') return;
        const target = targets.get(attributes.id ?? '')?.target;
        const isSeen = (attributes.state ?? 'visible') === 'visible';
        if (target && isSeen) paths.set(attributes.name ?? '', target);
      },
    });
    const [texts, styles] = await Promise.all([
      archive.read(pathOf(RELATIONS.texts)),
      archive.read(pathOf(RELATIONS.styles)),
    ]);
    const book = { texts: readTexts(texts ?? ''), formats: readFormats(styles ?? ''), dayZero };
    return new Workbook(archive, paths, book);
  }

  /** The rows that have cells. Throws UnreadableFile. */
  async read(sheetName: string): Promise<readonly Row[]> {
    const xml = await this.#archive.read(this.#paths.get(sheetName) ?? '');
    if (xml === null) throw new UnreadableFile('damaged');
    return readRows(xml, this.#book);
  }
}

/** How a workbook with a password, and one of the old kind (.xls), begin. */
function refuseOldKinds(bytes: Uint8Array): void {
  const isContainer = [0xd0, 0xcf, 0x11, 0xe0].every((byte, at) => bytes[at] === byte);
  if (!isContainer) return;
  const text = new TextDecoder('utf-16le').decode(bytes.subarray(0, bytes.length & ~1));
  throw new UnreadableFile(text.includes('EncryptedPackage') ? 'password' : 'oldKind');
}

/** What a part of the archive refers to: the whole archive for the empty path. */
async function readRelations(archive: Archive, path: string): Promise<readonly Relation[]> {
  const [, folder = '', name = ''] = /^(.*\/)?([^/]*)$/.exec(path) ?? [];
  const relations: Relation[] = [];
  walk((await archive.read(`${folder}_rels/${name}.rels`)) ?? '', {
    open: (element, { Id: id = '', Type: type = '', Target: target = '' }) => {
      if (element !== 'Relationship') return;
      const { pathname } = new URL(target, `file:///${folder}`);
      relations.push({ id, type, target: decodeURIComponent(pathname.slice(1)) });
    },
  });
  return relations;
}

function isOf(ending: string): (relation: Relation) => boolean {
  return ({ type }) => type.endsWith(ending);
}

function readTexts(xml: string): readonly string[] {
  const texts: string[] = [];
  let text = '';
  walk(xml, {
    open: (name) => {
      if (name === 'si') text = '';
    },
    text: (piece) => {
      text += piece;
    },
    close: (name) => {
      if (name === 'si') texts.push(text);
    },
  });
  return texts;
}

function readFormats(xml: string): readonly Format[] {
  const codes = new Map<string, string>();
  const formats: Format[] = [];
  let isOfCells = false;
  walk(xml, {
    open: (name, { numFmtId = '', formatCode = '' }) => {
      if (name === 'numFmt') codes.set(numFmtId, formatCode);
      if (name === 'cellXfs') isOfCells = true;
      if (name === 'xf' && isOfCells) formats.push(formatOf(Number(numFmtId), codes.get(numFmtId)));
    },
    close: (name) => {
      if (name === 'cellXfs') isOfCells = false;
    },
  });
  return formats;
}

function formatOf(id: number, code: string | undefined): Format {
  if (code === undefined) {
    return { isDate: BUILT_IN_DATES.some(([from, to]) => id >= from && id <= to), digits: 0 };
  }
  // Without texts, colors and conditions.
  const plain = code.replace(/"[^"]*"|\\.|\[[^\]]*\]|_.|\*./g, '');
  return { isDate: /[dmyhs]/i.test(plain), digits: /^0+$/.test(plain) ? plain.length : 0 };
}

function readRows(xml: string, book: Book): readonly Row[] {
  const rows = new Map<number, Cell[]>();
  const merged: string[] = [];
  let number = 0;
  let column = 0;
  let cells: Cell[] = [];
  let count = 0;
  let cell = { type: '', style: '', isFormula: false, text: null as string | null };
  walk(xml, {
    open: (name, attributes) => {
      switch (name) {
        case 'row':
          number = attributes.r ? Number(attributes.r) : number + 1;
          cells = [];
          column = 0;
          break;
        case 'c':
          column = attributes.r ? columnOf(attributes.r) : column + 1;
          cell = {
            type: attributes.t ?? 'n',
            style: attributes.s ?? '',
            isFormula: false,
            text: null,
          };
          break;
        case 'f':
          cell.isFormula = true;
          break;
        case 'v':
          cell.text = '';
          break;
        case 'mergeCell':
          merged.push(attributes.ref ?? '');
          break;
      }
    },
    text: (piece) => {
      cell.text = (cell.text ?? '') + piece;
    },
    close: (name) => {
      if (name === 'row' && cells.length > 0) rows.set(number, cells);
      if (name !== 'c') return;
      const value = cellOf(cell, book);
      if (value === '') return;
      count += 1;
      if (column > COLUMNS_AT_MOST || count > CELLS_AT_MOST) throw new UnreadableFile('tooMuch');
      while (cells.length < column) cells.push('');
      cells[column - 1] = value;
    },
  });
  const continued = new Set<number>();
  for (const area of merged) count += fill(rows, area, CELLS_AT_MOST - count, continued);
  return [...rows]
    .map(([at, its]) => ({ number: at, cells: its, isContinued: continued.has(at) }))
    .sort((one, other) => one.number - other.number);
}

/** Each merged cell has what the whole shows. */
function fill(
  rows: ReadonlyMap<number, Cell[]>,
  area: string,
  most: number,
  continued: Set<number>,
): number {
  const [from = '', to = from] = area.split(':');
  const [top, bottom] = [rowOf(from), rowOf(to)];
  const [left, right] = [columnOf(from), columnOf(to)];
  const value = rows.get(top)?.[left - 1] ?? '';
  if (value === '') return 0;
  let count = 0;
  for (let number = top; number <= bottom; number += 1) {
    const cells = rows.get(number);
    for (let column = left; cells && column <= right && column <= COLUMNS_AT_MOST; column += 1) {
      while (cells.length < column) cells.push('');
      cells[column - 1] = value;
    }
    if (number > top) continued.add(number);
    count += 1 + right - left;
    if (count > most) throw new UnreadableFile('tooMuch');
  }
  return count;
}

function cellOf(
  {
    type,
    style,
    isFormula,
    text,
  }: { type: string; style: string; isFormula: boolean; text: string | null },
  { texts, formats, dayZero }: Book,
): Cell {
  if (text === null) return isFormula ? { fault: 'FORMULA_EMPTY' } : '';
  switch (type) {
    case 's':
      return texts[Number(text)] ?? '';
    case 'b':
      return isTrue(text) ? 'TRUE' : 'FALSE';
    case 'e':
      return { fault: 'CELL_ERROR' };
    case 'n': {
      if (text === '') return '';
      // Programs show no more digits, so that 0.1 + 0.2 is 0.3.
      const value = Number(Number(text).toPrecision(15));
      const format = formats[Number(style)];
      if (format?.isDate) return dateText(value, dayZero);
      return format?.digits ? String(value).padStart(format.digits, '0') : value;
    }
    default:
      return text;
  }
}

/** A date, a time, or both. */
function dateText(days: number, dayZero: number): string {
  const instant = new Date(dayZero + Math.round(days * MS_PER_DAY));
  if (Number.isNaN(instant.getTime())) return String(days);
  const [date = '', time = ''] = instant.toISOString().slice(0, 16).split('T');
  if (days < 1) return time;
  return Number.isInteger(days) ? date : `${date} ${time}`;
}

function isTrue(text: string | undefined): boolean {
  return text === '1' || text === 'true';
}

/** For example 28 for AB7. */
function columnOf(reference: string): number {
  const letters = /^[A-Z]+/.exec(reference)?.[0] ?? '';
  return [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0);
}

function rowOf(reference: string): number {
  return Number(/\d+$/.exec(reference)?.[0]);
}

interface Visits {
  readonly open?: (name: string, attributes: Attributes) => void;
  /** Of values and texts, without how they are pronounced. */
  readonly text?: (text: string) => void;
  readonly close?: (name: string) => void;
}

/** Names come without their prefixes, which each program chooses. Throws UnreadableFile. */
function walk(xml: string, { open, text, close }: Visits): void {
  const parser = new Parser();
  let isText = false;
  let isSpoken = false;
  const add = (piece: string) => {
    if (isText && !isSpoken) text?.(piece.replace(/_x([\dA-F]{4})_/gi, characterOf));
  };
  parser.on('openTag', (prefixed, attributesOf, decode) => {
    const name = plain(prefixed);
    if (name === 'rPh') isSpoken = true;
    isText = name === 't' || name === 'v';
    open?.(
      name,
      Object.fromEntries(
        Object.entries(attributesOf() || {}).map(([own, value]) => [plain(own), decode(value)]),
      ),
    );
  });
  parser.on('text', (piece, decode) => add(decode(piece)));
  parser.on('cdata', add);
  parser.on('closeTag', (prefixed) => {
    const name = plain(prefixed);
    if (name === 'rPh') isSpoken = false;
    isText = false;
    close?.(name);
  });
  if (xml === '') return;
  try {
    parser.parse(xml);
  } catch (error) {
    throw error instanceof UnreadableFile ? error : new UnreadableFile('damaged');
  }
}

function plain(prefixed: string): string {
  return prefixed.slice(prefixed.indexOf(':') + 1);
}

function characterOf(_: string, code: string): string {
  return String.fromCharCode(Number.parseInt(code, 16));
}
