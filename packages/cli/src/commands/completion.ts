import type { Command, Option } from 'commander';
import { readDemo } from '../connection.ts';
import { invalidUsage } from '../exit-codes.ts';
import { readProfiles } from '../profiles.ts';
import type { RemoteDeps } from '../session.ts';

/** What makes each shell ask `servery complete` with the words that stand before the cursor. */
const scripts: Readonly<Record<string, string>> = {
  bash: `_servery() {
  local IFS=$'\\n' words
  words=("\${COMP_WORDS[@]:1:COMP_CWORD}")
  COMPREPLY=()
  local line
  while read -r line; do
    COMPREPLY+=("$(printf '%q' "$line")")
  done < <(servery complete -- "\${words[@]}" 2>/dev/null)
}
complete -o default -F _servery servery
`,
  zsh: `#compdef servery
_servery() {
  local -a found
  found=("\${(@f)$(servery complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if (( \${#found} )) && [[ -n "\${found[1]}" ]]; then compadd -a found; else _files; fi
}
compdef _servery servery
`,
  fish: `function __servery_complete
  set -l words (commandline -opc) (commandline -ct)
  servery complete -- $words[2..-1] 2>/dev/null
end
complete -c servery -f -a '(__servery_complete)'
complete -c servery -l file -l out -l secret-file -l token-file -l public-key -r -F
`,
};

/** `servery completion SHELL`: prints the script for a shell. Throws CommandFailure for another. */
export function runCompletion({ terminal }: Pick<RemoteDeps, 'terminal'>, shell: string): void {
  const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
  if (script === undefined) {
    throw invalidUsage(
      `${JSON.stringify(shell)} is no shell that can be completed: use one of ` +
        `${Object.keys(scripts).join(', ')}.`,
    );
  }
  terminal.out.write(script);
}

/**
 * What the scripts ask: a line for each word that can stand where the last of `words` is begun. No
 * platform is asked, so that it is as quick as typing.
 */
export async function runComplete(
  deps: RemoteDeps,
  program: Command,
  words: readonly string[],
): Promise<void> {
  const begun = words.at(-1) ?? '';
  const found = await candidates(deps, program, words.slice(0, -1), begun);
  const fitting = [...new Set(found)].filter((word) => word.startsWith(begun));
  if (fitting.length > 0) deps.terminal.out.write(`${fitting.join('\n')}\n`);
}

async function candidates(
  deps: RemoteDeps,
  program: Command,
  before: readonly string[],
  begun: string,
): Promise<readonly string[]> {
  const { command, wanting, given } = walk(program, before);
  if (wanting) return valuesOf(deps, wanting);
  if (begun.startsWith('-')) return flagsOf(command);
  const commands = namesBelow(command);
  if (commands.length > 0) return commands;
  return (await argumentWords(deps, command, given)).concat();
}

/** The command that the words lead to, and the option that still wants its value. */
function walk(program: Command, words: readonly string[]) {
  let command = program;
  let wanting: Option | null = null;
  /** How many arguments of the command stand there already. */
  let given = 0;
  for (const word of words) {
    if (wanting) {
      wanting = null;
    } else if (word.startsWith('-')) {
      const option = optionsOf(command).find(({ long, short }) => word === long || word === short);
      wanting =
        option && (option.required || option.optional) && !word.includes('=') ? option : null;
    } else {
      const below = command.commands.find((one) => one.name() === word);
      if (below) command = below;
      else given += 1;
    }
  }
  return { command, wanting, given };
}

/** The options of a command and of those around it. */
function optionsOf(command: Command): readonly Option[] {
  return [...command.options, ...(command.parent ? optionsOf(command.parent) : [])];
}

function flagsOf(command: Command): readonly string[] {
  return [...optionsOf(command).flatMap(({ long }) => long ?? []), '--help'];
}

function namesBelow(command: Command): readonly string[] {
  const visible = command.createHelp().visibleCommands(command);
  return visible.map((one) => one.name()).filter((name) => name !== 'help' || !command.parent);
}

async function valuesOf(deps: RemoteDeps, option: Option): Promise<readonly string[]> {
  if (option.argChoices) return option.argChoices;
  switch (option.attributeName()) {
    case 'profile':
      return Object.keys((await readProfiles(deps.env)).profiles);
    case 'restaurant':
      return restaurantNames(deps);
    case 'client':
    case 'clientId':
      return clientNames(deps);
    case 'role': {
      const { roleNames } = await import('@servery/contract/roles.ts');
      return roleNames.map((name) => name.toLowerCase().replaceAll('_', '-'));
    }
    case 'type':
      return ['partner', 'customer', 'back-office'];
    case 'operation': {
      const { operations } = await import('@servery/contract');
      return operations.map(({ id }) => id);
    }
    default:
      return [];
  }
}

/** The words that an argument may be, where they are known without asking anybody. */
async function argumentWords(
  deps: RemoteDeps,
  command: Command,
  given: number,
): Promise<readonly string[]> {
  const { registeredArguments } = command;
  const last = registeredArguments.at(-1);
  const wanted = registeredArguments[given] ?? (last?.variadic ? last : undefined);
  if (!wanted) return [];
  if (wanted.argChoices) return wanted.argChoices;
  switch (wanted.name()) {
    case 'restaurant':
    case 'restaurants':
      return restaurantNames(deps);
    case 'client':
      return clientNames(deps);
    case 'shell':
      return Object.keys(scripts);
    case 'name':
      return command.parent?.name() === 'env'
        ? Object.keys((await readProfiles(deps.env)).profiles)
        : [];
    case 'collection': {
      const { collections } = await import('@servery/contract');
      return collections.map(({ name }) => name);
    }
    default:
      return [];
  }
}

async function restaurantNames({ env }: RemoteDeps): Promise<readonly string[]> {
  return (await readDemo(env, {}))?.restaurants.map(({ name }) => name) ?? [];
}

async function clientNames({ env }: RemoteDeps): Promise<readonly string[]> {
  return Object.keys((await readDemo(env, {}))?.clients ?? {});
}
