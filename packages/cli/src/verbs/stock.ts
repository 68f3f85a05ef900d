import type {
  RanOutItem,
  RanOutPage,
  SetStock,
  StockChange,
  StockItem,
  StockSetting,
} from '@servery/contract';
import { isGuid, readDayOf, readGuidOf, readInstantOf } from '../arguments.ts';
import { PlatformRefusal, readPages } from '../back-office.ts';
import { CommandFailure, exitCodes, invalidUsage } from '../exit-codes.ts';
import { readStructured, type Structured } from '../structured-file.ts';
import type { Column } from '../table.ts';
import { didYouMean } from './did-you-mean.ts';
import { filtersOf } from './filters.ts';
import { type Kind, listedAt, oneOf } from './one-of.ts';
import { placed } from './placed.ts';
import { rows, type Shown } from './shown.ts';
import { type Call, type Family, flag, limitFlag, verb } from './verb.ts';
import { whenOf } from './when.ts';

interface PlaceFlags {
  readonly restaurant?: string;
}

interface ListFlags extends PlaceFlags {
  readonly status?: string;
  readonly name?: string;
  readonly limit: number;
}

interface SetFlags extends PlaceFlags {
  readonly until?: string;
  readonly file?: string;
}

interface HistoryFlags extends PlaceFlags {
  readonly item?: string;
  readonly by?: string;
  readonly from?: string;
  readonly to?: string;
  readonly limit: number;
}

interface RanOutFlags extends PlaceFlags {
  readonly date?: string;
  readonly limit: number;
}

const ITEM: Kind = { one: 'item', several: 'items', listed: 'servery stock list' };
const restaurant = flag('--restaurant <restaurant>', 'name or GUID; the first of the sandbox');

const itemColumns: readonly Column<StockItem>[] = [
  { title: 'item', cell: ({ guid }) => guid },
  { title: 'name', cell: ({ name }) => name, breaks: true },
  { title: 'sku', cell: ({ sku }) => sku ?? '' },
  { title: 'plu', cell: ({ plu }) => plu ?? '' },
  { title: 'stock', cell: stateText },
  { title: 'until', cell: ({ until }) => until ?? '' },
  { title: 'since', cell: ({ lastChange }) => lastChange?.at ?? '' },
  { title: 'by', cell: ({ lastChange }) => lastChange?.byName ?? lastChange?.by ?? '' },
];

const changeColumns: readonly Column<StockChange>[] = [
  { title: 'change', cell: ({ guid }) => guid },
  { title: 'at', cell: ({ at }) => at },
  { title: 'item', cell: ({ itemName, itemGuid }) => itemName ?? itemGuid, breaks: true },
  { title: 'from', cell: ({ before }) => stateText(before) },
  { title: 'to', cell: ({ after }) => stateText(after) },
  { title: 'until', cell: ({ after }) => after.until ?? '' },
  { title: 'cause', cell: ({ cause }) => cause },
  { title: 'by', cell: ({ byName, by }) => byName ?? by, breaks: true },
  { title: 'undone', cell: ({ undoneBy }) => (undoneBy === null ? '' : 'undone') },
];

const ranOutColumns: readonly Column<RanOutItem>[] = [
  { title: 'item', cell: ({ itemName, itemGuid }) => itemName ?? itemGuid, breaks: true },
  { title: 'ran out', cell: ({ at }) => at },
  { title: 'by', cell: ({ byName, by }) => byName ?? by, breaks: true },
  { title: 'now', cell: ({ isStillOut }) => (isStillOut ? 'out' : 'back') },
  { title: 'until', cell: ({ until }) => until ?? '' },
  { title: 'back', cell: ({ backAt }) => backAt ?? '' },
  { title: 'change', cell: ({ changeGuid }) => changeGuid },
];

/** `servery stock`. */
export const stock: Family = {
  name: 'stock',
  says: 'look at stock and set it, by any name of an item',
  examples: [
    'servery stock set "Apple Slices" out --until tomorrow',
    'servery stock ran-out --restaurant "The Early Wren"',
  ],
  verbs: [
    verb<ListFlags>({
      name: 'list',
      says: 'the items of a restaurant with their stock, by name',
      example: 'servery stock list --status out,quantity',
      isDefault: true,
      flags: [
        restaurant,
        flag('--status <statuses>', 'in, out or quantity, separated by commas', readStatuses),
        flag('--name <text>', 'with this in their name'),
        limitFlag(),
      ],
      run: async (call) => {
        const { status, name, limit } = call.flags;
        const path = await pathOf(call);
        const page = await readPages<StockItem>(call.remote, path, { status, name }, limit);
        return rows(itemColumns, page, 'There is no such item.');
      },
    }),
    verb<SetFlags>({
      name: 'set',
      says: 'set one or many items: in, out, or what remains',
      example: 'servery stock set "Apple Slices" out --until tomorrow',
      words: [
        {
          name: '[items-and-stock...]',
          says: 'items by name, GUID, sku:… or plu:…, then in, out or a quantity',
        },
      ],
      flags: [
        restaurant,
        flag('--until <when>', 'back then: tomorrow (the close-out), 2h, or ISO 8601'),
        flag('--file <file>', 'a JSON or YAML list of changes instead; - for standard input'),
      ],
      run: setStock,
    }),
    verb<HistoryFlags>({
      name: 'history',
      says: 'who changed stock, from what to what, newest first',
      example: 'servery stock history --from 2026-01-31T00:00:00Z',
      flags: [
        restaurant,
        flag('--item <item>', 'of one item: its name or GUID'),
        flag('--by <who>', 'by an account or a person: a name or an id'),
        flag('--from <instant>', 'then or later', readInstantOf('--from')),
        flag('--to <instant>', 'before', readInstantOf('--to')),
        limitFlag(),
      ],
      run: async (call) => {
        const { item, by, from, to, limit } = call.flags;
        const path = await pathOf(call);
        const guid = item === undefined ? undefined : await itemCalled(call, path, item);
        const history = `${path}/history`;
        const named = filtersOf(call, { path: history, parameters: { actor: 'by' } });
        const who = by === undefined ? undefined : await named.actor(by);
        const query = { item: guid, by: who, from, to };
        const page = await readPages<StockChange>(call.remote, history, query, limit);
        return rows(changeColumns, page, 'There is no such change.');
      },
    }),
    verb<PlaceFlags>({
      name: 'undo',
      says: 'give an item the stock from before a change',
      example: 'servery stock undo 0192…',
      words: [
        {
          name: '<change>',
          says: 'its GUID: see servery stock history',
          read: readGuidOf('change of stock', 'servery stock history'),
        },
      ],
      flags: [restaurant],
      run: async (call) => {
        const [change = ''] = call.words;
        const path = `${await pathOf(call)}/history/${change}/undo`;
        const item = await call.remote.post<StockItem>(path);
        return { ...listOf([item]), json: item };
      },
    }),
    verb<RanOutFlags>({
      name: 'ran-out',
      says: 'the items that ran out on a business day',
      example: 'servery stock ran-out --date 2026-01-31',
      flags: [
        restaurant,
        flag('--date <date>', 'such as 2026-01-31; today without it', readDayOf('--date')),
        limitFlag(),
      ],
      run: ranOut,
    }),
  ],
};

async function pathOf({ find, flags }: Call<PlaceFlags>): Promise<string> {
  return `/backoffice/v1/restaurants/${await find.restaurantOr(flags.restaurant)}/stock`;
}

async function setStock(call: Call<SetFlags>): Promise<Shown> {
  const { file, until } = call.flags;
  const document = file === undefined ? null : await readStructured(file);
  const changes = document ? changesIn(document, call) : await changesOf(call.words, until, call);
  const path = await pathOf(call);
  try {
    return listOf(await call.remote.post<StockItem[]>(path, { changes } satisfies SetStock));
  } catch (error) {
    const meant = await itemsMeant(call, path, changes, error);
    throw document ? inFile(document, meant) : ofWords(call.words, meant);
  }
}

/** The refusal with the names that were probably meant where no item has the one that was sent. */
async function itemsMeant(
  { remote }: Call<SetFlags>,
  path: string,
  changes: readonly StockSetting[],
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof PlatformRefusal)) return error;
  const { message, status, faults, request } = error;
  if (!faults.some((fault) => NO_SUCH_NAME.test(fault))) return error;
  const names = (await listedAt<StockItem>(remote, path, {})).map(({ name }) => name);
  const withMeant = faults.map((fault) => {
    const sent = changes[Number(NO_SUCH_NAME.exec(fault)?.[1])]?.name;
    const meant = typeof sent === 'string' ? didYouMean(sent, names) : '';
    return fault.replace(/: check it\.$/, meant || ': check it.');
  });
  return new PlatformRefusal(message, status, withMeant, request);
}

const NO_SUCH_NAME = /^changes\[(\d+)\]\.name:? names no item/;

/** The refusal with the lines of the file; what is none is given back. */
function inFile(document: Structured, error: unknown): unknown {
  if (!(error instanceof PlatformRefusal) || error.faults.length === 0) return error;
  const isList = Array.isArray(document.value);
  const lines = error.faults.toSorted(byLine).map((fault) => {
    // The list may be the document itself.
    const place = isList ? fault.replace(/^changes/, '') : fault;
    const told = placed(document, place);
    return `\n  ${isList ? told.replace(`: ${place}`, `: ${fault}`) : told}`;
  });
  return new CommandFailure(
    `${document.file} is not right, and nothing was changed${error.request}:${lines.join('')}`,
    exitCodes.refused,
    { cause: error },
  );
}

function byLine(one: string, other: string): number {
  const [first = 0, second = 0] = [one, other].map((fault) =>
    Number(/^changes\[(\d+)\]/.exec(fault)?.[1] ?? -1),
  );
  return first - second;
}

/** The same, with the words that were typed in place of `changes[0]`. */
function ofWords(words: readonly string[], error: unknown): unknown {
  if (!(error instanceof PlatformRefusal)) return error;
  const lines = error.faults.flatMap((fault) => {
    const [, at, field, says] = /^changes\[(\d+)\](\.\w+)?:? (.*)$/s.exec(fault) ?? [];
    const word = words[Number(at)];
    if (word === undefined) return [];
    return [`\n  ${field === '.until' ? '--until' : JSON.stringify(word)} ${says}`];
  });
  if (lines.length === 0 || lines.length < error.faults.length) return error;
  const isOfItems = lines.some((line) => !line.startsWith('\n  --until '));
  const next = isOfItems ? '\n"servery stock list" shows the items.' : '';
  return new CommandFailure(
    `nothing was changed${error.request}:${[...new Set(lines)].join('')}${next}`,
    exitCodes.refused,
    { cause: error },
  );
}

/** The words but the last are items; the last one is what all of them are set to. */
async function changesOf(
  words: readonly string[],
  until: string | undefined,
  { remote }: Call<SetFlags>,
): Promise<StockSetting[]> {
  const items = words.slice(0, -1);
  if (items.length === 0) {
    throw invalidUsage(
      'which items, and what? Such as servery stock set "Apple Slices" out, or --file.',
    );
  }
  const state = stateOf(words.at(-1) ?? '');
  if (until === undefined) return items.map((item) => ({ ...itemOf(item), ...state }));
  if (state.status !== 'OUT_OF_STOCK') throw invalidUsage('--until goes with "out" only.');
  const instant = await whenOf('--until', until, remote);
  return items.map((item) => ({ ...itemOf(item), ...state, until: instant }));
}

function changesIn(
  { value, placeOf }: Structured,
  { words, flags }: Call<SetFlags>,
): StockSetting[] {
  if (words.length > 0 || flags.until !== undefined) {
    throw invalidUsage('--file says all: leave items, stock and --until out.');
  }
  const changes = Array.isArray(value) ? value : (value as { changes?: unknown } | null)?.changes;
  if (Array.isArray(changes)) return changes;
  throw invalidUsage(`${placeOf([])}: write a list of changes, each with an item and its status.`);
}

function itemOf(text: string): Partial<StockSetting> {
  const [, kind, code] = /^(sku|plu):(.*)$/.exec(text) ?? [];
  if (kind !== undefined && code === '') throw invalidUsage(`${kind}: names no item: ${kind}:123.`);
  if (kind !== undefined) return { [kind]: code };
  return isGuid(text) ? { guid: text.toLowerCase() } : { name: text };
}

const STATUSES: Readonly<Record<string, StockSetting['status']>> = {
  in: 'IN_STOCK',
  out: 'OUT_OF_STOCK',
  quantity: 'QUANTITY',
};

function stateOf(text: string): Pick<StockSetting, 'status' | 'quantity'> {
  const word = text.toLowerCase();
  if (word === 'in' || word === 'out') return { status: STATUSES[word] ?? 'IN_STOCK' };
  if (/^\d{1,12}(\.\d{1,4})?$/.test(word) && Number(word) > 0) {
    return { status: 'QUANTITY', quantity: Number(word) };
  }
  throw invalidUsage(
    `${JSON.stringify(text)} is no stock: end with in, out, or what remains, such as 12.`,
  );
}

function readStatuses(text: string): string {
  const statuses = text.split(',').map((word) => {
    const key = word.trim().toLowerCase();
    const known = Object.entries(STATUSES).find(([name, own]) =>
      [name, own.toLowerCase()].includes(key),
    );
    if (known) return known[1];
    throw invalidUsage(`--status ${JSON.stringify(word)} is none: write in, out or quantity.`);
  });
  return statuses.join(',');
}

/** The GUID of an item by its name. */
async function itemCalled(
  { remote }: Call<PlaceFlags>,
  path: string,
  text: string,
): Promise<string> {
  return await oneOf(ITEM, text, (name) => listedAt<StockItem>(remote, path, { name }));
}

async function ranOut(call: Call<RanOutFlags>): Promise<Shown> {
  const { date, limit } = call.flags;
  const path = `${await pathOf(call)}/ranOut`;
  const day = await call.remote.get<RanOutPage>(path, { date, pageSize: '1' });
  const listed = await readPages<RanOutItem>(call.remote, path, { date: day.date }, limit);
  const empty = `Nothing ran out on ${day.date} (from ${day.from} to ${day.to}).`;
  return rows(ranOutColumns, listed, empty);
}

function listOf(results: readonly StockItem[]): Shown {
  return rows(itemColumns, { results, hasMore: false }, 'Nothing was set.');
}

function stateText({ status, quantity }: Pick<StockItem, 'status' | 'quantity'>): string {
  if (status === 'QUANTITY') return String(quantity);
  return status === 'IN_STOCK' ? 'in' : 'out';
}
