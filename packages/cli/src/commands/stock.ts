import { Refused, type RefusedField } from '@servery/client/back-office';
import type { RanOutItem, StockChange, StockItem, StockSetting } from '@servery/contract';
import { type At, command, type Family, type PlatformCall, type Values } from '../command.ts';
import { CommandFailure, exitCodes, invalidUsage } from '../exit-codes.ts';
import { didYouMean } from '../find/did-you-mean.ts';
import { filtersOf } from '../find/filters.ts';
import { allOf, named, oneOf } from '../find/find.ts';
import { day, instant, isGuid, quoted, someOf } from '../readers.ts';
import { requestOf } from '../refusals.ts';
import { type Columns, row, rows } from '../shown.ts';
import { placed, readStructured, type Structured } from '../structured-file.ts';
import { as, atRestaurant, guid, limit, loading, naming, several, text } from '../values.ts';
import { untilCloseOut } from '../when.ts';

const columns: Columns<StockItem> = {
  item: 'guid',
  name: 'name',
  sku: 'sku',
  plu: 'plu',
  stock: stateText,
  until: 'until',
  since: ({ lastChange }) => lastChange?.at,
  by: ({ lastChange }) => lastChange?.byName ?? lastChange?.by,
};

const changeColumns: Columns<StockChange> = {
  change: 'guid',
  at: 'at',
  item: ({ itemName, itemGuid }) => itemName ?? itemGuid,
  from: ({ before }) => stateText(before),
  to: ({ after }) => stateText(after),
  until: ({ after }) => after.until,
  cause: 'cause',
  by: ({ byName, by }) => byName ?? by,
  undone: ({ undoneBy }) => undoneBy !== null,
};

const ranOutColumns: Columns<RanOutItem> = {
  item: ({ itemName, itemGuid }) => itemName ?? itemGuid,
  'ran out': 'at',
  by: ({ byName, by }) => byName ?? by,
  now: ({ isStillOut }) => (isStillOut ? 'out' : 'back'),
  until: 'until',
  back: 'backAt',
  change: 'changeGuid',
};

const STATUSES = { in: 'IN_STOCK', out: 'OUT_OF_STOCK', quantity: 'QUANTITY' } as const;
const ITEM = named('item', 'items', 'servery stock list');
const NAME_OF_CHANGE = /^changes\[(\d+)\]\.name:/;
const at = { restaurant: atRestaurant() };

export const stock: Family = {
  name: 'stock',
  summary: 'View and set stock',
  examples: [
    'servery stock set "Apple Slices" out --until tomorrow',
    'servery stock ran-out --restaurant "The Early Wren"',
  ],
  commands: [
    command({
      name: 'list',
      summary: 'List the items of a restaurant with their stock, by name',
      examples: ['servery stock list --status out,quantity'],
      isDefault: true,
      options: {
        ...at,
        status: text('<statuses>', 'in, out, or quantity, separated by commas', someOf(STATUSES)),
        name: text('<text>', 'name contains this text'),
        limit,
      },
      operation: 'backOffice.stock.list',
      pages: { columns, empty: 'No item matches.' },
    }),
    command({
      name: 'set',
      summary: 'Set items in stock, out of stock, or to a quantity',
      examples: ['servery stock set "Apple Slices" out --until tomorrow'],
      arguments: {
        itemsAndStock: as(
          null,
          several('items by name, GUID, sku:…, or plu:…, then in, out, or a quantity'),
        ),
      },
      options: {
        ...at,
        until: untilCloseOut(
          text('<when>', 'back in stock: tomorrow (the closeout), 2h, or ISO 8601'),
          null,
        ),
        file: as(
          null,
          loading(
            readChanges,
            text('<file>', 'a JSON or YAML list of changes instead; - for standard input'),
          ),
        ),
      },
      check: ({ args: { itemsAndStock }, options: { file, until } }) => {
        if (file === undefined) changesOf(itemsAndStock, until);
        else if (itemsAndStock.length > 0 || until !== undefined) {
          throw invalidUsage('--file has everything. Leave out items, stock and --until.');
        }
      },
      operation: 'backOffice.stock.set',
      run: async (call) => {
        const { ask, args, options } = call;
        const { file } = options;
        const changes = file ? file.changes : changesOf(args.itemsAndStock, options.until);
        try {
          return rows(columns, await ask({ body: { changes } }), 'Nothing was set.');
        } catch (error) {
          if (!(error instanceof Refused)) throw error;
          const faults = await withMeant(call, error, changes);
          throw file
            ? inFile(file.document, error, faults)
            : ofWords(args.itemsAndStock, error, faults);
        }
      },
    }),
    command({
      name: 'history',
      summary: 'List stock changes, newest first',
      examples: ['servery stock history --from 2026-01-31T00:00:00Z'],
      options: {
        ...at,
        item: naming(findItem, 'item', text('<item>', 'one item: name or GUID')),
        by: naming(
          filtersOf('backOffice.stock.history').actor('by'),
          'by',
          text('<who>', 'account or person: name or ID'),
        ),
        from: text('<instant>', 'at this time or later', instant),
        to: text('<instant>', 'before this time', instant),
        limit,
      },
      operation: 'backOffice.stock.history',
      pages: { columns: changeColumns, empty: 'No change matches.' },
    }),
    command({
      name: 'undo',
      summary: 'Undo a stock change, and restore the previous stock',
      examples: ['servery stock undo 0192…'],
      arguments: { change: guid('changeGuid', 'a stock change', 'servery stock history') },
      options: at,
      operation: 'backOffice.stock.undo',
      show: (item) => row(columns, item),
    }),
    command({
      name: 'ran-out',
      summary: 'List the items that ran out on a business day',
      examples: ['servery stock ran-out --date 2026-01-31'],
      options: {
        ...at,
        date: text('<date>', 'business day, for example 2026-01-31 (default: today)', day),
        limit,
      },
      operation: 'backOffice.stock.ranOut',
      run: async ({ ask, client, request: { params }, options }) => {
        const { date, from, to } = await ask({ query: { pageSize: 1 } });
        const request = { params: params as { restaurantGuid: string }, query: { date } };
        const page = await client.list('backOffice.stock.ranOut', request, options.limit);
        const empty = `Nothing ran out on ${date} (from ${from} to ${to}).`;
        return rows(ranOutColumns, page.results, empty, page);
      },
    }),
  ],
};

function findItem(written: string, { client, given }: At): Promise<string> {
  const params = { restaurantGuid: String(given.restaurant) };
  return oneOf(ITEM, written, (name) =>
    allOf(client, 'backOffice.stock.list', { params, query: { name } }),
  );
}

/** The words but the last are items; the last is what all of them are set to. */
function changesOf(words: readonly string[], until: string | undefined): StockSetting[] {
  const items = words.slice(0, -1);
  if (items.length === 0) {
    throw invalidUsage(
      'which items, and what? For example: servery stock set "Apple Slices" out. Or use --file.',
    );
  }
  const state = stateOf(words.at(-1) ?? '');
  if (until !== undefined && state.status !== 'OUT_OF_STOCK') {
    throw invalidUsage('--until works only with "out".');
  }
  return items.map((item) => ({ ...itemOf(item), ...state, ...(until && { until }) }));
}

async function readChanges(file: string) {
  const document = await readStructured(file);
  const { value, placeOf } = document;
  const changes = Array.isArray(value) ? value : (value as { changes?: unknown } | null)?.changes;
  if (Array.isArray(changes)) return { document, changes: changes as readonly StockSetting[] };
  throw invalidUsage(`${placeOf([])}: write a list of changes, each with an item and its status.`);
}

function itemOf(written: string): Partial<StockSetting> {
  const [, kind, code] = /^(sku|plu):(.*)$/.exec(written) ?? [];
  if (kind !== undefined && code === '') throw invalidUsage(`${kind}: needs a code: ${kind}:123.`);
  if (kind !== undefined) return { [kind]: code };
  return isGuid(written) ? { guid: written.toLowerCase() } : { name: written };
}

function stateOf(written: string): Pick<StockSetting, 'status' | 'quantity'> {
  const word = written.toLowerCase();
  if (word === 'in' || word === 'out') return { status: STATUSES[word] };
  if (/^\d{1,12}(\.\d{1,4})?$/.test(word) && Number(word) > 0) {
    return { status: 'QUANTITY', quantity: Number(word) };
  }
  throw invalidUsage(
    `${quoted(written)} is not a stock. End with in, out, or a quantity, for example 12.`,
  );
}

/** The faults with the names that were probably meant where no item has the one that was sent. */
async function withMeant(
  { client, options }: Pick<PlatformCall<Values, typeof at>, 'client' | 'options'>,
  { faults }: Refused,
  changes: readonly StockSetting[],
): Promise<readonly string[]> {
  const { errorClasses } = await import('@servery/contract');
  const sentName = ({ code, message }: RefusedField) => {
    const [, at] = NAME_OF_CHANGE.exec(message) ?? [];
    return code === errorClasses.unknownItem.code ? changes[Number(at)]?.name : undefined;
  };
  const told = faults.map(({ message }) => message);
  if (!faults.some(sentName)) return told;
  const params = { restaurantGuid: options.restaurant };
  const items = await allOf(client, 'backOffice.stock.list', { params });
  const names = items.map(({ name }) => name);
  return faults.map((fault) => {
    const sent = sentName(fault);
    return fault.message + (typeof sent === 'string' ? didYouMean(sent, names) : '');
  });
}

/** The refusal with the lines of the file. */
function inFile(document: Structured, cause: Refused, faults: readonly string[]): Error {
  if (faults.length === 0) return cause;
  const isList = Array.isArray(document.value);
  const order = (fault: string) => Number(/^changes\[(\d+)\]/.exec(fault)?.[1] ?? -1);
  const lines = faults
    .toSorted((one, other) => order(one) - order(other))
    .map((fault) => {
      // The list may be the document itself.
      const place = isList ? fault.replace(/^changes/, '') : fault;
      const told = placed(document, place);
      return `\n  ${isList ? told.replace(`: ${place}`, `: ${fault}`) : told}`;
    });
  return new CommandFailure(
    `${document.file} is wrong, and nothing was changed${requestOf(cause)}:${lines.join('')}`,
    exitCodes.refused,
    { cause },
  );
}

/** The refusal with the words that were typed in place of `changes[0]`. */
function ofWords(words: readonly string[], cause: Refused, faults: readonly string[]): Error {
  const lines = faults.flatMap((fault) => {
    const [, index, field, says] = /^changes\[(\d+)\](\.\w+)?:? (.*)$/s.exec(fault) ?? [];
    const word = words[Number(index)];
    if (word === undefined) return [];
    return [`\n  ${field === '.until' ? '--until' : quoted(word)} ${says}`];
  });
  if (lines.length === 0 || lines.length < faults.length) return cause;
  const isOfItems = lines.some((line) => !line.startsWith('\n  --until '));
  const next = isOfItems ? '\n"servery stock list" shows the items.' : '';
  return new CommandFailure(
    `nothing was changed${requestOf(cause)}:${[...new Set(lines)].join('')}${next}`,
    exitCodes.refused,
    { cause },
  );
}

function stateText({ status, quantity }: Pick<StockItem, 'status' | 'quantity'>): string {
  if (status === 'QUANTITY') return String(quantity);
  return status === 'IN_STOCK' ? 'in' : 'out';
}
