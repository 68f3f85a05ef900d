import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  type Tool as ListedTool,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { Client } from '@servery/client';
import { brandedHeaders, type CreatedSandbox } from '@servery/contract';
import manifest from '../package.json' with { type: 'json' };
import { type Arguments, inputSchema, requestOf } from './arguments.ts';
import { type Caller, identify, mayCall } from './caller.ts';
import { pay, payOperation, payTool, type TestCards } from './pay.ts';
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

/** The tools of one caller. */
export class Tools {
  readonly #options: ToolsOptions;
  #caller: Caller | null = null;

  constructor(options: ToolsOptions) {
    this.#options = options;
  }

  /** Throws what the client throws. */
  async identify(): Promise<Caller> {
    const { client, isSandbox } = this.#options;
    this.#caller = await identify(client, this.#caller?.isSandbox ?? isSandbox);
    return this.#caller;
  }

  /** An MCP server without a transport. */
  createServer(): Server {
    const info = { name: 'servery', title: 'Servery', version: manifest.version };
    const server = new Server(info, {
      capabilities: { tools: {} },
      instructions: this.#instructions(),
    });
    server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: await this.#list() }));
    server.setRequestHandler(CallToolRequestSchema, ({ params }) =>
      this.#call(params.name, params.arguments ?? {}),
    );
    return server;
  }

  #instructions(): string {
    const { allowsWrites, howToAllowWrites, client } = this.#options;
    return (
      `Tools of the restaurant platform at ${client.baseUrl}. Begin with who_am_i: it names the ` +
      'restaurants by GUID, and what you may do. Amounts are in currency units. ' +
      (allowsWrites
        ? 'Some tools change something: before you call one that takes something away, ask.'
        : `No tool changes anything. ${howToAllowWrites}`)
    );
  }

  async #list(): Promise<ListedTool[]> {
    const caller = await this.identify();
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
    try {
      const caller = this.#caller ?? (await this.identify());
      const own = this.#toolsOf(caller);
      mayExplain = own.some((tool) => tool.name === 'explain_request');
      if (name === 'pay' && this.#mayPay(caller)) {
        return resultOf(await pay(client, testCards, given), []);
      }
      const tool = own.find((one) => one.name === name);
      return tool ? await this.#use(tool, given) : this.#unknown(name);
    } catch (error) {
      return failureOf(error, mayExplain);
    }
  }

  async #use(tool: Tool, { ...given }: Arguments): Promise<CallToolResult> {
    const { client, onSandbox } = this.#options;
    const request = requestOf(tool, given, client.brand);
    const id = tool.byCollection?.[String(given.collection)] ?? tool.operation.id;
    const { body, headers } = await client.send(id, request as never);
    const nextPageToken = headers.get(brandedHeaders(client.brand).nextPageToken);
    const json = Array.isArray(body) ? { results: body, nextPageToken } : body;
    const isSandbox = tool.operation.id === 'backOffice.sandboxes.create';
    const notes = isSandbox ? [await onSandbox(body as unknown as CreatedSandbox)] : [];
    return resultOf(json, tool.omitted, notes);
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

function listed(tool: Tool): ListedTool {
  const { name, operation, effect, isRepeatable, note } = tool;
  const { summary, description } = operation;
  return {
    name,
    title: summary,
    description: [`${summary}.`, description, note].filter((part) => part !== '').join(' '),
    inputSchema: inputSchema(tool),
    annotations: {
      readOnlyHint: effect === 'reads',
      destructiveHint: effect === 'undoes',
      idempotentHint: isRepeatable,
      openWorldHint: false,
    },
  };
}
