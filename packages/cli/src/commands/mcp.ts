import { load } from '@servery/server';
import { type AnyCommand, command } from '../command.ts';
import { sandboxPlaceOf } from '../connection.ts';
import { keepSandboxDemo } from '../sandbox-accounts.ts';
import { toggle } from '../values.ts';

export const mcp: AnyCommand = command({
  name: 'mcp',
  summary: 'Serve tools for an AI assistant on standard input and output (MCP)',
  examples: ['servery mcp', 'servery mcp --sandbox pull-42 --allow-writes'],
  options: { allowWrites: toggle('also offer tools that change something') },
  run: async (call) => {
    const { client, env, terminal, signal, options } = call;
    const { serveOverStdio, Tools } = await import('@servery/mcp');
    const { namedTestCards } = await load.cards();
    const tools = new Tools({
      client,
      isSandbox: null,
      allowsWrites: options.allowWrites ?? false,
      howToAllowWrites: 'To allow others, start "servery mcp" with --allow-writes.',
      testCards: namedTestCards,
      onSandbox: async (created) => {
        await keepSandboxDemo(env, sandboxPlaceOf(call, created.name), created.demo);
        return `To use it, start "servery mcp --sandbox ${created.name}".`;
      },
    });
    await tools.identify();
    await serveOverStdio(tools, { input: process.stdin, output: terminal.out as never, signal });
    signal.throwIfAborted();
    return null;
  },
});
