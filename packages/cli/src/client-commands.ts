import { type Command, InvalidArgumentError, Option } from 'commander';
import { asDefault, withExamples } from './command-shape.ts';
import type { ClientsFlags, CreateFlags } from './commands/clients.ts';
import type { Environment } from './connection.ts';
import type { CommandContext } from './platform.ts';
import { configOf, onPlatform, type PlatformFlags } from './platform-flags.ts';

type Flags = ClientsFlags & PlatformFlags;

/** Adds `servery clients`: the API accounts of a platform, by way of its database. */
export function addClients(
  program: Command,
  deps: CommandContext & { readonly env: Environment },
): void {
  const load = () => import('./commands/clients.ts');
  const clients = onPlatform(program.command('clients'))
    .description('make, list and end API accounts')
    .option('--json', 'print JSON')
    .configureHelp({ showGlobalOptions: true });
  const create = 'servery clients create --type back-office --name "Orders" --scopes all';
  withExamples(clients, [create, 'servery clients revoke 4f0c…']);
  const add = (name: string, description: string, example: string, options = {}) =>
    withExamples(clients.command(name, options), [example]).description(description);
  asDefault(
    add('list', 'every API account; no secrets', 'servery clients', { isDefault: true }),
  ).action(async (_flags: unknown, command: Command) => {
    const flags = command.optsWithGlobals<Flags>();
    await (await load()).runClientsList(configOf(deps.env, flags), flags, deps);
  });
  add('create', 'make an API account and show its secret, once', create)
    .addOption(typeOption())
    .requiredOption('--name <name>', 'required: what people call it')
    .requiredOption(
      '--scopes <scopes>',
      'required: what it may do: scopes separated by commas, or all',
    )
    .option('--group <name or guid>', 'whose restaurants it reaches; all without it')
    .action(async (_flags: unknown, command: Command) => {
      const flags = command.optsWithGlobals<CreateFlags & PlatformFlags>();
      await (await load()).runClientsCreate(configOf(deps.env, flags), flags, deps);
    });
  add('add-secret', 'make one more secret and show it, once', 'servery clients add-secret 4f0c…')
    .argument('<client id>', 'see servery clients list')
    .action(async (clientId: string, _flags: unknown, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      await (await load()).runClientsAddSecret(configOf(deps.env, flags), clientId, flags, deps);
    });
  add('revoke', 'end an API account with all its tokens, at once', 'servery clients revoke 4f0c…')
    .argument('<client id>', 'see servery clients list')
    .action(async (clientId: string, _flags: unknown, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      await (await load()).runClientsRevoke(configOf(deps.env, flags), clientId, flags, deps);
    });
}

function typeOption(): Option {
  return new Option('--type <type>', 'what kind of account: back-office')
    .makeOptionMandatory()
    .argParser((text) => {
      const type = text.toLowerCase().replaceAll('_', '-');
      if (type === 'back-office') return type;
      throw new InvalidArgumentError(
        type === 'partner' || type === 'customer'
          ? 'PARTNER and CUSTOMER accounts come with the group document: write it there, and ' +
              'import it with servery import.'
          : 'Use back-office.',
      );
    });
}
