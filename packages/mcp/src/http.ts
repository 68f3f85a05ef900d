import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import type { Tools } from './server.ts';

/** Answers one message over Streamable HTTP. No message needs an earlier one. */
export async function serveOverHttp(
  tools: Tools,
  request: Request,
  message: unknown,
): Promise<Response> {
  const server = tools.createServer();
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody: message });
  } finally {
    await server.close();
  }
}
