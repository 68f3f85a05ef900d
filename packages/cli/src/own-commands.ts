import type { Command } from 'commander';
import { asDefault, examples, withExamples } from './command-shape.ts';
import type { EnvAddFlags, EnvFlags } from './commands/env.ts';
import type { LoginFlags } from './commands/login.ts';
import type { WhoAmIFlags } from './commands/whoami.ts';
import { invalidUsage } from './exit-codes.ts';
import { readProfileName } from './profiles.ts';
import type { RemoteDeps, RemoteFlags } from './session.ts';
import { onRemote } from './verbs/verb.ts';

/** Adds the commands about whoever types: who am I, which token, which platforms, completion. */
export function addOwnCommands(program: Command, deps: RemoteDeps): void {
  addWhoAmI(program, deps);
  addLogin(program, deps);
  addToken(program, deps);
  addEnv(program, deps);
  addCompletion(program, deps);
}

function addWhoAmI(program: Command, deps: RemoteDeps): void {
  onRemote(program.command('whoami'))
    .description('tell who you are to a platform, what you may do, and why a call is refused')
    .option('--operation <id>', 'would this be refused? Such as stock.update; exit code 3 if so')
    .option('--restaurant <restaurant>', 'at which restaurant: name or GUID')
    .option('--token-file <file>', 'about the access token in a file; - for standard input')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examples([
        'servery whoami',
        'servery whoami --client-id readOnly --operation stock.update --restaurant "Early Wren"',
      ]),
    )
    .action(async (flags: WhoAmIFlags) => {
      const { runWhoAmI } = await import('./commands/whoami.ts');
      await runWhoAmI(deps, flags);
    });
}

function addLogin(program: Command, deps: RemoteDeps): void {
  const load = () => import('./commands/login.ts');
  onRemote(program.command('login'))
    .description('log in as a person, with e-mail address and password')
    .argument('[email]', 'who logs in; prompts if omitted')
    .option('--email <address>', 'the same, as a flag')
    .option(
      '--password-file <file>',
      'file with the password, and a code on the second line; - for standard input',
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examples([
        'servery login --url https://platform.example --email ada@example.com',
        'servery login ada@example.com',
        'servery login --profile prod',
        'servery login --email ada@example.com < /run/secrets/password',
      ]),
    )
    .action(async (email: string | undefined, flags: LoginFlags) => {
      await (await load()).runLogin(deps, readEmail(email, flags));
    });
  onRemote(program.command('logout'))
    .description('end the session of a person who logged in')
    .option('--json', 'print JSON')
    .addHelpText('after', examples(['servery logout', 'servery logout --profile prod']))
    .action(async (flags: RemoteFlags) => {
      await (await load()).runLogout(deps, flags);
    });
}

function readEmail(email: string | undefined, flags: LoginFlags): LoginFlags {
  if (email === undefined) return flags;
  if (flags.email === undefined) return { ...flags, email };
  throw invalidUsage('the e-mail address stands there twice: leave out --email.');
}

function addToken(program: Command, deps: RemoteDeps): void {
  onRemote(program.command('token'))
    .description('log in and print an access token, for curl')
    .option('--header', 'print the whole header')
    .option('--json', 'print JSON')
    .addHelpText('after', examples(['curl -H "$(servery token --header)" "$SERVERY_URL/…"']))
    .action(async (flags: RemoteFlags & { readonly header?: boolean }) => {
      const { runToken } = await import('./commands/token.ts');
      await runToken(deps, flags);
    });
}

const ADDED =
  'servery env add staging --url https://platform.example --client-id operator < secret';

function addEnv(program: Command, deps: RemoteDeps): void {
  const load = () => import('./commands/env.ts');
  const env = onRemote(program.command('env'))
    .description('which platforms you talk to: profiles, and shell variables')
    .option('--json', 'print JSON');
  withExamples(env, ['eval "$(servery env)"', ADDED, 'servery env use staging']);
  const add = (name: string, description: string, example: string, options = {}) =>
    withExamples(env.command(name, options), [example]).description(description);
  asDefault(
    add('export', 'print the variables for a shell, with the secret', 'eval "$(servery env)"', {
      isDefault: true,
    }),
  ).action(async (_flags: unknown, command: Command) => {
    await (await load()).runEnvExport(deps, command.optsWithGlobals<EnvFlags>());
  });
  add('show', 'which platform commands talk to now, and as whom', 'servery env show').action(
    async (_flags: unknown, command: Command) => {
      await (await load()).runEnvShow(deps, command.optsWithGlobals<EnvFlags>());
    },
  );
  add('list', 'your profiles, without their secrets', 'servery env list').action(
    async (_flags: unknown, command: Command) => {
      await (await load()).runEnvList(deps, command.optsWithGlobals<EnvFlags>());
    },
  );
  const secret = 'the secret is read from here; standard input without it';
  add('add', 'keep a platform and an account under a name', ADDED)
    .argument('<name>', 'what you call it', readProfileName)
    .option('--secret-file <file>', secret)
    .action(async (name: string, _flags: unknown, command: Command) => {
      await (await load()).runEnvAdd(deps, name, command.optsWithGlobals<EnvAddFlags>());
    });
  add('use', 'talk to the platform of a profile from now on', 'servery env use staging')
    .argument('[name]', 'which one; without it, none', readProfileName)
    .action(async (name: string | undefined, _flags: unknown, command: Command) => {
      await (await load()).runEnvUse(deps, name ?? null, command.optsWithGlobals<EnvFlags>());
    });
  add('remove', 'forget a profile', 'servery env remove staging')
    .argument('<name>', 'which one', readProfileName)
    .action(async (name: string, _flags: unknown, command: Command) => {
      await (await load()).runEnvRemove(deps, name, command.optsWithGlobals<EnvFlags>());
    });
}

function addCompletion(program: Command, deps: RemoteDeps): void {
  const load = () => import('./commands/completion.ts');
  program
    .command('completion')
    .description('print what makes a shell complete these commands')
    .argument('<shell>', 'bash, zsh or fish')
    .addHelpText(
      'after',
      examples([
        'source <(servery completion bash)',
        'source <(servery completion zsh)',
        'servery completion fish | source',
      ]),
    )
    .action(async (shell: string) => {
      (await load()).runCompletion(deps, shell);
    });
  // What the scripts ask at each press of the tabulator.
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .allowUnknownOption()
    .helpOption(false)
    .action(async (words: string[]) => {
      await (await load()).runComplete(deps, program, words);
    });
}
