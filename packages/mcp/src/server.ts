import { type CallToolResult, type Tool as ListedTool, Server } from '@modelcontextprotocol/server';
import type { Client, RequestFor } from '@servery/client/back-office';
import { brandedHeaders, type CreatedSandbox } from '@servery/contract';
import manifest from '../package.json' with { type: 'json' };
import { type Arguments, inputSchema, operationOf, requestOf } from './arguments.ts';
import { type Caller, identify, mayCall } from './caller.ts';
import { PAY_AGAIN, pay, payOperation, payTool, type TestCards } from './pay.ts';
import { failed, failureOf, resultOf } from './results.ts';
import { type Tool, tools } from './tools.ts';

export interface ToolsOptions {
  readonly client: Client;
  /** Null if the platform is to be asked. */
  readonly isSandbox: boolean | null;
  /** Whether tools that change something are there. */
  readonly allowsWrites: boolean;
  /** How to allow them. */
  readonly howToAllowWrites: string;
  readonly testCards: TestCards;
  /** Keeps the accounts of a new sandbox; says how to use it. */
  readonly onSandbox: (created: CreatedSandbox) => Promise<string>;
}

const CALL_AGAIN = 'Call the tool again with the same arguments.';

/** The tools of one caller. */
export class Tools {
  readonly #options: ToolsOptions;
  #caller: Caller | null = null;
  #hasListed = false;

  constructor(options: ToolsOptions) {
    this.#options = options;
  }

  /** Throws what the client throws. */
  async identify(): Promise<Caller> {
    const { client, isSandbox } = this.#options;
    this.#caller = await identify(client, this.#caller?.isSandbox ?? isSandbox);
    return this.#caller;
  }

  /** An MCP server without a transport. Call `identify` first. */
  createServer(): Server {
    const info = { name: 'servery', title: 'Servery', version: manifest.version };
    const server = new Server(info, {
      capabilities: { tools: {} },
      instructions: this.#instructions(),
    });
    server.setRequestHandler('tools/list', async () => ({ tools: await this.#list() }));
    server.setRequestHandler('tools/call', ({ params }) =>
      this.#call(params.name, params.arguments ?? {}),
    );
    return server;
  }

  #instructions(): string {
    const { allowsWrites, howToAllowWrites, client } = this.#options;
    return (
      `Tools of the restaurant platform at ${client.baseUrl}. Start with who_am_i: it lists the ` +
      'restaurants with their GUIDs, and what you may do. Amounts are in currency units. ' +
      (this.#caller?.isSandbox
        ? 'It is a sandbox: nothing there is real. '
        : 'It is in production: changes there are real. ') +
      (allowsWrites
        ? "Some tools make changes. Before you call one whose change can't be undone, ask the user."
        : `No tool changes anything. ${howToAllowWrites}`)
    );
  }

  async #list(): Promise<ListedTool[]> {
    // Rights may have changed since the last list.
    const known = this.#hasListed ? null : this.#caller;
    this.#hasListed = true;
    const caller = known ?? (await this.identify());
    const own = this.#toolsOf(caller).map(listed);
    return this.#mayPay(caller) ? [...own, payTool(this.#options.testCards)] : own;
  }

  #toolsOf(caller: Caller): Tool[] {
    const { allowsWrites } = this.#options;
    return tools.filter(
      ({ operation, effect }) => (allowsWrites || effect === 'reads') && mayCall(caller, operation),
    );
  }

  #mayPay(caller: Caller): boolean {
    return this.#options.allowsWrites && caller.isSandbox && mayCall(caller, payOperation);
  }

  async #call(name: string, given: Arguments): Promise<CallToolResult> {
    const { client, testCards } = this.#options;
    let mayExplain = false;
    let repeating: string | null = null;
    try {
      const caller = this.#caller ?? (await this.identify());
      const own = this.#toolsOf(caller);
      mayExplain = own.some((tool) => tool.name === 'explain_request');
      if (name === 'pay' && this.#mayPay(caller)) {
        repeating = PAY_AGAIN;
        return resultOf(await pay(client, testCards, given), { isRead: false });
      }
      const tool = own.find((one) => one.name === name);
      if (!tool) return this.#unknown(name);
      repeating = tool.isRepeatable ? CALL_AGAIN : null;
      return await this.#use(tool, given);
    } catch (error) {
      return failureOf(error, { mayExplain, repeating });
    }
  }

  async #use(tool: Tool, given: Arguments): Promise<CallToolResult> {
    const { client, onSandbox } = this.#options;
    const request = requestOf(tool, given, client.brand);
    const id = operationOf(tool, given);
    const { body, headers } = await client.send(id, request as RequestFor<typeof id>);
    const isSandbox = tool.operation.id === 'backOffice.sandboxes.create';
    const notes = isSandbox ? [await onSandbox(body as CreatedSandbox)] : [];
    const next = nextOf(headers, client.brand);
    const json = Array.isArray(body) ? { results: body, ...next } : { ...body, ...next };
    return resultOf(json, { omitted: tool.omitted, notes, isRead: tool.effect === 'reads' });
  }

  #unknown(name: string): CallToolResult {
    const { allowsWrites, howToAllowWrites } = this.#options;
    const isWrite =
      name === 'pay' || tools.some((tool) => tool.name === name && tool.effect !== 'reads');
    return failed(
      isWrite && !allowsWrites
        ? `${name} changes something, and only tools that read are allowed. ${howToAllowWrites}`
        : `There is no tool ${name} for this caller. tools/list names those that there are.`,
    );
  }
}

/** Where the next page is, if only headers say so. */
function nextOf(headers: Headers, brand: string): object {
  const pageToken = headers.get(brandedHeaders(brand).nextPageToken);
  if (pageToken !== null) return { next: { pageToken } };
  const [, address] = /<([^>]*)>; *rel="?next"?/.exec(headers.get('link') ?? '') ?? [];
  if (address === undefined) return {};
  return { next: Object.fromEntries(new URL(address, 'http://platform').searchParams) };
}

function listed(tool: Tool): ListedTool {
  const { name, summary, description, effect, isRepeatable, note } = tool;
  return {
    name,
    title: summary,
    description: [`${summary}.`, description, note].filter((part) => part !== '').join(' '),
    inputSchema: inputSchema(tool) as ListedTool['inputSchema'],
    annotations: {
      readOnlyHint: effect === 'reads',
      destructiveHint: effect === 'destroys',
      idempotentHint: isRepeatable,
      openWorldHint: false,
    },
  };
}
