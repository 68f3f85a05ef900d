import { load } from '@servery/server';
import { type AnyCommand, command } from '../command.ts';
import { sandboxPlaceOf } from '../connection.ts';
import { Interrupted } from '../exit-codes.ts';
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
        const place = sandboxPlaceOf(call, created.name);
        return await keepSandboxDemo(env, place, created.demo).then(
          () => `To use it, start "servery mcp --sandbox ${created.name}".`,
          (error: Error) => `It was created, but its accounts are not kept: ${error.message}`,
        );
      },
    });
    await tools.identify();
    await serveOverStdio(tools, { input: process.stdin, output: terminal.out as never, signal });
    // An assistant may end it by a signal at any time; what it had asked for may have been done.
    if (signal.reason instanceof Interrupted) throw new Interrupted('', signal.reason.exitCode);
    return null;
  },
});
