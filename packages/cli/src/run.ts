import { operations, type Request } from '@servery/client';
import type { OperationId } from '@servery/contract';
import type {
  AnyCommand,
  At,
  Call,
  Context,
  Flags,
  PlatformCall,
  Value,
  Values,
} from './command.ts';
import { failureOf } from './refusals.ts';
import { lookOf, openSession } from './session.ts';
import { rows, type Shown } from './shown.ts';
import { printable } from './terminal.ts';

type Words = Readonly<Record<string, unknown>>;
type Elsewhere = Extract<AnyCommand, { on: 'database' | 'nothing' }>;
type OnPlatform = Extract<AnyCommand, { on?: 'platform' }>;
type Declared = AnyCommand & { readonly arguments?: Values; readonly options?: Values };

/** Runs a command with the words of the command line, and shows what it gives. */
export async function runCommand(
  own: AnyCommand,
  context: Context,
  { args, options, flags }: { args: Words; options: Words; flags: Flags },
): Promise<void> {
  const call = { ...context, args, options, flags } as Call<never, never>;
  await own.check?.(call);
  const shown = await (own.on === undefined || own.on === 'platform'
    ? atPlatform(own as OnPlatform, call)
    : (own as Elsewhere).run(call));
  if (shown !== null) show(shown, call);
}

/** Writes what a command gives; throws the failure that comes with it. */
function show(shown: Shown, { terminal, flags, env }: Call<Values, Values>): void {
  if (flags.json) terminal.out.write(`${JSON.stringify(shown.json, null, 2)}\n`);
  else terminal.out.write(shown.text(lookOf({ env, terminal })));
  const notes = flags.json && isEmptyList(shown) ? [] : (shown.notes ?? []);
  for (const note of notes) terminal.err.write(`${printable(note)}\n`);
  if (shown.failure) throw shown.failure;
}

/** A program sees that a list is empty. */
function isEmptyList({ json }: Shown): boolean {
  return Array.isArray(json) && json.length === 0;
}

async function atPlatform(own: OnPlatform, call: Call<never, never>): Promise<Shown | null> {
  const local = own.local?.(call) ?? null;
  if (local !== null) return await local;
  const session = await openSession(call, call.flags, own.role ?? 'operator');
  try {
    const { client, demo } = session;
    const given = await found(own as Declared, call, { client, demo, given: {} });
    const ask = (more: Request = {}) =>
      client.call(idOf(own), requestOf(own as Declared, idOf(own), given, more)) as Promise<never>;
    const open: PlatformCall<never, never, never> = { ...call, ...given, client, demo, ask };
    if (own.run) return await own.run(open);
    if (own.pages) return await pagesOf(own as Declared, open);
    return (await own.show?.(await open.ask(), open)) ?? null;
  } catch (error) {
    throw failureOf(error, { ...session, labels: labelsOf(own as Declared) });
  }
}

/** Replaces names by what the platform takes: first of the options, then of the arguments. */
async function found(own: Declared, { args, options }: Call<never, never>, at: At) {
  const given: Record<string, unknown> = {};
  const look = async (values: Values | undefined, written: Words) => {
    const result: Record<string, unknown> = { ...written };
    for (const [name, { find }] of Object.entries(values ?? {})) {
      const text = written[name];
      if (find) result[name] = await find(text as string | undefined, { ...at, given });
      given[name] = result[name];
    }
    return result;
  };
  const foundOptions = await look(own.options, options);
  return { options: foundOptions, args: await look(own.arguments, args) } as {
    options: never;
    args: never;
  };
}

async function pagesOf(own: Declared, call: PlatformCall<never, never, never>): Promise<Shown> {
  const { columns, empty, rows: toRows } = (own as { pages: NonNullable<PagesOf> }).pages;
  const id = idOf(own);
  const { limit } = call.options as { limit: number };
  const { results, hasMore } = await call.client.list(id, requestOf(own, id, call, {}), limit);
  const shown = (await toRows?.(results, call)) ?? results;
  return { ...rows(columns, shown as never[], empty, hasMore), json: results };
}

type PagesOf = OnPlatform['pages'];

function idOf(own: AnyCommand): OperationId {
  if ('operation' in own && own.operation !== undefined) return own.operation;
  throw new Error(`"${own.name}" declares no operation.`);
}

/** The arguments and options as parameters of the path, of the query, or as fields of the body. */
function requestOf(
  own: Declared,
  id: OperationId,
  { args, options }: { args: Words; options: Words },
  more: Request,
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
    ? { ...more, params: { ...params, ...more.params }, body: more.body ?? rest }
    : {
        ...more,
        params: { ...params, ...more.params },
        query: { ...(rest as Request['query']), ...more.query },
      };
}

function* fieldsOf(values: Values | undefined, given: Words): Iterable<[string, unknown]> {
  for (const [name, { field = name }] of Object.entries(values ?? {})) {
    if (field !== null && given[name] !== undefined) yield [field, given[name]];
  }
}

function put(into: Record<string, unknown>, [name = '', ...below]: string[], value: unknown): void {
  if (below.length === 0) {
    into[name] = value;
    return;
  }
  const inner = (into[name] ?? {}) as Record<string, unknown>;
  into[name] = inner;
  put(inner, below, value);
}

/** What a person calls the fields of the operation. */
function labelsOf(own: Declared): ReadonlyMap<string, string> {
  const labels = (values: Values | undefined, label: (name: string, value: Value) => string) =>
    Object.entries(values ?? {}).map(
      ([name, value]) => [value.field ?? name, label(name, value)] as const,
    );
  return new Map([
    ...labels(own.arguments, (name) => `<${kebab(name)}>`),
    ...labels(own.options, (name) => `--${kebab(name)}`),
  ]);
}

/** `restaurantRef` as a flag has it: `restaurant-ref`. */
export function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
