import type { Argument, Command, Option } from 'commander';
import { type AnyCommand, type Context, command, type Value } from '../command.ts';
import { invalidUsage } from '../exit-codes.ts';
import { argument, several } from '../values.ts';

/** What makes each shell ask `servery complete` with the words before the cursor. */
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

/** What an argument or an option of the program was declared as. */
type DeclaredAs = (own: Argument | Option) => Value | undefined;

/** `servery completion`, and what its scripts ask at each press of the Tab key. */
export function completionCommands(program: Command, declaredAs: DeclaredAs): AnyCommand[] {
  return [
    command({
      name: 'completion',
      summary: 'Print a script that completes these commands in a shell',
      examples: [
        'source <(servery completion bash)',
        'source <(servery completion zsh)',
        'servery completion fish | source',
      ],
      on: 'nothing',
      hasNoJson: true,
      arguments: {
        shell: {
          ...argument('bash, zsh, or fish', readShell),
          completions: async () => Object.keys(scripts),
        },
      },
      run: async ({ args }) => ({ json: null, text: () => scripts[args.shell] ?? '' }),
    }),
    command({
      name: 'complete',
      summary: 'Print the words that can complete a command line',
      examples: [],
      on: 'nothing',
      hasNoJson: true,
      takesAnything: true,
      isHidden: true,
      arguments: { words: several('the words so far') },
      run: async (call) => {
        const { words } = call.args;
        const begun = words.at(-1) ?? '';
        const found = await candidates(call, { program, declaredAs }, words.slice(0, -1), begun);
        const fitting = [...new Set(found)].filter((word) => word.startsWith(begun));
        return { json: null, text: () => fitting.map((word) => `${word}\n`).join('') };
      },
    }),
  ];
}

function readShell(written: string): string {
  if (Object.hasOwn(scripts, written)) return written;
  throw invalidUsage(
    `${JSON.stringify(written)} is not a supported shell. Use one of ` +
      `${Object.keys(scripts).join(', ')}.`,
  );
}

interface Program {
  readonly program: Command;
  readonly declaredAs: DeclaredAs;
}

/** No platform is asked, so that it is as fast as typing. */
async function candidates(
  context: Context,
  { program, declaredAs }: Program,
  before: readonly string[],
  begun: string,
): Promise<readonly string[]> {
  const valuesOf = async (own: Argument | Option) =>
    own.argChoices ?? (await declaredAs(own)?.completions?.(context)) ?? [];
  const { command: reached, wanting, given } = walk(program, before);
  if (wanting) return await valuesOf(wanting);
  if (begun.startsWith('-')) {
    return [...optionsOf(reached).flatMap(({ long }) => long ?? []), '--help'];
  }
  const names = namesBelow(reached);
  if (names.length > 0) return names;
  const last = reached.registeredArguments.at(-1);
  const wanted = reached.registeredArguments[given] ?? (last?.variadic ? last : undefined);
  return wanted ? await valuesOf(wanted) : [];
}

/** The command that the words lead to, and the option that still needs its value. */
function walk(program: Command, words: readonly string[]) {
  let reached = program;
  let wanting: Option | null = null;
  /** How many arguments the command already has. */
  let given = 0;
  for (const word of words) {
    if (wanting) {
      wanting = null;
    } else if (word.startsWith('-')) {
      const option = optionsOf(reached).find(({ long, short }) => word === long || word === short);
      wanting = option?.required && !word.includes('=') ? option : null;
    } else {
      const below = reached.commands.find((one) => one.name() === word);
      // The words behind help are commands too.
      if (below && word !== 'help') reached = below;
      else given += 1;
    }
  }
  return { command: reached, wanting, given };
}

function optionsOf(reached: Command): readonly Option[] {
  return [...reached.options, ...(reached.parent ? optionsOf(reached.parent) : [])];
}

function namesBelow(reached: Command): readonly string[] {
  const visible = reached.createHelp().visibleCommands(reached);
  return visible.map((one) => one.name()).filter((name) => name !== 'help' || !reached.parent);
}
