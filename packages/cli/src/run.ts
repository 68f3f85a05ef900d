import { operations, type Request } from '@servery/client/back-office';
import type { OperationId } from '@servery/contract';
import type {
  AnyCommand,
  Call,
  Context,
  Flags,
  PlatformCall,
  PlatformCommand,
  Session,
  Values,
} from './command.ts';
import { sandboxOf } from './connection.ts';
import { invalidUsage } from './exit-codes.ts';
import { MAIN } from './sandbox-accounts.ts';
import { lookOf, withSession } from './session.ts';
import { fields, rows, type Shown } from './shown.ts';
import { tell } from './tell.ts';

type Words = Readonly<Record<string, unknown>>;
type AnyCall = Call<never, never>;
type AnyPlatformCall = PlatformCall<never, never, never>;
type OnPlatform = PlatformCommand<never, never, never> & {
  readonly arguments?: Values;
  readonly options?: Values;
};

/** Runs a command with the words of the command line, and shows what it gives. */
export async function runCommand(
  own: AnyCommand,
  context: Context,
  line: { args: Words; options: Words; flags: Flags },
): Promise<void> {
  const { args, options } = line;
  const loaded = {
    args: await load(own.arguments, args),
    options: await load(own.options, options),
  };
  const call = { ...context, ...line, ...loaded } as AnyCall;
  await own.check?.(call);
  const isElsewhere = own.on === 'database' || own.on === 'nothing';
  const { local } = options as { readonly local?: boolean };
  if (own.on === 'database' || local) refuseSandbox(call);
  const shown = await (isElsewhere ? own.run(call) : atPlatform(own as OnPlatform, call));
  if (shown !== null) show(shown, call);
}

/** The database of the data directory is that of the main environment. */
function refuseSandbox({ env, flags }: AnyCall): void {
  const name = sandboxOf(env, flags);
  if (name === null || name === MAIN) return;
  throw invalidUsage(
    `this command uses the database of the main environment, not the sandbox ${name}. Unset ` +
      'SERVERY_SANDBOX, or leave --sandbox out.',
  );
}

async function load(values: Values = {}, words: Words): Promise<Words> {
  const result: Record<string, unknown> = {};
  for (const [name, written] of Object.entries(words)) {
    const by = written === undefined ? undefined : values[name]?.load;
    result[name] = by ? await by(written as never) : written;
  }
  return result;
}

/** Writes what a command gives; throws the failure that comes with it. */
function show(shown: Shown, call: Call<Values, Values>): void {
  const { terminal, flags } = call;
  if (flags.json) terminal.out.write(`${JSON.stringify(shown.json, null, 2)}\n`);
  else terminal.out.write(shown.text(lookOf(call)));
  // A program sees that a list is empty.
  const isEmptyList = Array.isArray(shown.json) && shown.json.length === 0;
  const notes = flags.json && isEmptyList ? [] : (shown.notes ?? []);
  for (const note of notes) tell(call, note);
  if (shown.failure) throw shown.failure;
}

async function atPlatform(own: OnPlatform, call: AnyCall): Promise<Shown | null> {
  const local = own.local?.(call) ?? null;
  if (local !== null) return await local;
  const place = { role: own.role ?? 'operator', labels: labelsOf(own) } as const;
  return await withSession(call, call.flags, place, async ({ client, demo, connection }) => {
    const given = await found(own, call, { client, demo });
    const { operation: id } = own as { readonly operation?: OperationId };
    const request = id === undefined ? {} : requestOf(own, id, given);
    const ask = ({ query, ...other }: Request = {}) =>
      client.call(id as OperationId, {
        ...request,
        ...other,
        query: { ...request.query, ...query },
      });
    const read = (other: OperationId) => client.call(other, { params: request.params ?? {} });
    const { person } = connection;
    const all = { ...call, ...given, client, demo, person, request, ask, read };
    const open = all as unknown as AnyPlatformCall;
    if (own.run) return await own.run(open);
    if (own.pages) return await pagesOf(own, own.pages, open);
    return (own.show ?? fields)((await ask()) as never, open);
  });
}

/** Replaces names by what the platform takes: first of the options, then of the arguments. */
async function found(own: OnPlatform, { args, options }: AnyCall, session: Session) {
  const given: Record<string, unknown> = {};
  const look = async (values: Values = {}, words: Words) => {
    const result: Record<string, unknown> = {};
    for (const [name, { find, otherwise, placeholder }] of Object.entries(values)) {
      const at = { ...session, given, flag: placeholder === undefined ? '' : `--${kebab(name)} ` };
      const written = words[name];
      if (written === undefined) result[name] = await otherwise?.(at);
      else result[name] = find ? await find(written as never, at) : written;
      given[name] = result[name];
    }
    return result;
  };
  const foundOptions = await look(own.options, options);
  return { options: foundOptions, args: await look(own.arguments, args) };
}

async function pagesOf(
  own: OnPlatform,
  { columns, empty, rows: toRows }: NonNullable<OnPlatform['pages']>,
  call: AnyPlatformCall,
): Promise<Shown> {
  const { operation: id } = own as { readonly operation: OperationId };
  const { limit } = call.options as { limit: number };
  const { results, hasMore } = await call.client.list(id, call.request, limit);
  const shown = (await toRows?.(results as never[], call)) ?? results;
  const none = typeof empty === 'string' ? empty : empty(call);
  const page = { hasMore, narrowedBy: narrowingOptions(own.options, id) };
  return { ...rows(columns, shown as never[], none, page), json: results };
}

/** The options of a list that filter it. */
function narrowingOptions(options: Values = {}, id: OperationId): string[] {
  const [, path] = operations[id];
  return Object.entries(options)
    .filter(([name, { field = name }]) => field !== null && !path.includes(`{${field}}`))
    .map(([name]) => `--${kebab(name)}`);
}

/** The arguments and options as parameters of the path, of the query, or as fields of the body. */
function requestOf(
  own: OnPlatform,
  id: OperationId,
  { args, options }: { args: Words; options: Words },
): Request {
  const [, path, takesBody] = operations[id];
  const params: Record<string, string> = {};
  const rest: Record<string, unknown> = {};
  for (const [field, value] of [
    ...fieldsOf(own.arguments, args),
    ...fieldsOf(own.options, options),
  ]) {
    if (path.includes(`{${field}}`)) params[field] = String(value);
    else put(rest, field.split('.'), value);
  }
  return takesBody
    ? { params, body: rest }
    : { params, query: rest as NonNullable<Request['query']> };
}

function* fieldsOf(values: Values = {}, given: Words): Iterable<[string, unknown]> {
  for (const [name, { field = name }] of Object.entries(values)) {
    if (field !== null && given[name] !== undefined) yield [field, given[name]];
  }
}

function put(into: Record<string, unknown>, [name = '', ...below]: string[], value: unknown): void {
  if (below.length === 0) into[name] = value;
  else {
    into[name] ??= {};
    put(into[name] as Record<string, unknown>, below, value);
  }
}

function labelsOf(own: OnPlatform): ReadonlyMap<string, string> {
  const labels = (values: Values = {}, label: (name: string) => string) =>
    Object.entries(values).map(([name, { field }]) => [field ?? name, label(kebab(name))] as const);
  return new Map([
    ...labels(own.arguments, (name) => `<${name}>`),
    ...labels(own.options, (name) => `--${name}`),
  ]);
}

/** `restaurantRef` as a flag has it: `restaurant-ref`. */
export function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
