import assert from 'node:assert/strict';
import {
  type CallToolResult,
  Client,
  StreamableHTTPClientTransport,
  type Tool,
  type Transport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { DemoClientName, DemoFile } from '../../server/src/sandbox/demo-file.ts';
import { programFile } from '../../support/test/program.ts';

/** What an assistant does with the tools of one server. */
export interface Assistant {
  readonly instructions: string;
  tools(): Promise<readonly Tool[]>;
  names(): Promise<readonly string[]>;
  /** The structured result; fails if the tool failed. */
  call<Result = Record<string, unknown>>(name: string, given?: object): Promise<Result>;
  /** The whole result. */
  try(name: string, given?: object): Promise<CallToolResult>;
  close(): Promise<void>;
}

/** Starts `servery mcp` with these arguments, and speaks to it as a host does. */
export async function overStdio(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Assistant> {
  const launcher = programFile('packages/cli/bin/servery.mjs');
  return await connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [launcher, 'mcp', ...args],
      env: { ...env },
      stderr: 'inherit',
    }),
  );
}

/** Speaks to `/mcp` of a sandbox as one of its accounts. */
export async function overHttp(
  { baseUrl, clients }: Pick<DemoFile, 'baseUrl' | 'clients'>,
  name: DemoClientName,
  query = '',
): Promise<Assistant> {
  const token = await tokenOf({ baseUrl, clients }, name);
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  const url = new URL(`${baseUrl}/mcp${query}`);
  return await connect(new StreamableHTTPClientTransport(url, { requestInit }));
}

async function tokenOf(
  { baseUrl, clients }: Pick<DemoFile, 'baseUrl' | 'clients'>,
  name: DemoClientName,
): Promise<string> {
  const { clientId, clientSecret } = clients[name];
  const answer = await fetch(`${baseUrl}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}

async function connect(transport: Transport): Promise<Assistant> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport);
  const listed = async () => (await client.listTools()).tools;
  const attempt = (name: string, given: object = {}) =>
    client.callTool({ name, arguments: { ...given } });
  return {
    instructions: client.getInstructions() ?? '',
    tools: listed,
    names: async () => (await listed()).map(({ name }) => name),
    call: async <Result>(name: string, given?: object) => {
      const result = await attempt(name, given);
      assert.ok(!result.isError, textOf(result));
      return result.structuredContent as Result;
    },
    try: attempt,
    close: () => client.close(),
  };
}

export function textOf({ content }: CallToolResult): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}
