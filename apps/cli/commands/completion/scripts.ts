import { flagOf, type Command, type OptionSpec } from '../../program/command.ts'
import { globalFlags } from '../../program/global-options.ts'

/** What can follow some words: `keys` → `create`, `list`, …; `keys create` → `--name`, … */
export interface Words {
  path: string
  /** Each with its description. */
  follow: [word: string, description: string][]
  /** Options with a value, and its choices if there are any. */
  values: [flag: string, choices: readonly string[]][]
}

export function wordsOf(commands: readonly Command[], groups: Readonly<Record<string, string>>): Words[] {
  const top = commands.filter(({ name }) => !name.includes(' '))
  const first: Words = {
    path: '',
    follow: [
      ...top.map(({ name, summary }): [string, string] => [name, summary]),
      ...Object.entries(groups),
      ['--version', 'Show the version'],
      ...globals(),
    ],
    values: [],
  }
  const within = Object.keys(groups).map((group): Words => ({
    path: group,
    follow: commands
      .filter(({ name }) => name.startsWith(`${group} `))
      .map(({ name, summary }) => [name.slice(group.length + 1), summary]),
    values: [],
  }))
  return [first, ...within, ...commands.map(wordsOfCommand)]
}

function globals(): [string, string][] {
  return globalFlags.map((flag) => [flag, ''])
}

function wordsOfCommand({ name, arguments: named, options }: Command): Words {
  const specs = Object.entries(options)
  return {
    path: name,
    follow: [
      ...Object.values(named).flatMap(({ choices = [] }) =>
        choices.map((word): [string, string] => [word, '']),
      ),
      ...specs.map(([option, { description }]): [string, string] => [flagOf(option), description]),
      ...globals(),
    ],
    values: specs
      .filter(([, { kind }]) => kind !== 'flag')
      .map(([option, spec]): [string, readonly string[]] => [flagOf(option), choicesOf(spec)]),
  }
}

function choicesOf(spec: OptionSpec): readonly string[] {
  return spec.kind === 'flag' ? [] : (spec.choices ?? [])
}

export function scriptFor(shell: 'bash' | 'zsh' | 'fish', words: Words[]): string {
  return { bash, zsh, fish }[shell](words)
}

function bash(words: Words[]): string {
  return `# bash completion for turnpike
_turnpike() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD - 1]}" path="" follow="" part
  for part in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$path $part" in
${pathCases(words, '      ')}
    esac
  done
  case "$path:$before" in
${valueCases(words, (choices) => `follow="${choices.join(' ')}"`, '    ')}
    *) case "$path" in
${followCases(words, '        ')}
      esac ;;
  esac
  COMPREPLY=($(compgen -W "$follow" -- "$word"))
}
complete -o default -F _turnpike turnpike
`
}

/** The words so far name a command; options and their values do not count. */
function pathCases(words: Words[], indent: string): string {
  return words
    .filter(({ path }) => path !== '')
    .map(({ path }) => `${indent}"${path.includes(' ') ? '' : ' '}${path}") path="${path}" ;;`)
    .join('\n')
}

function valueCases(words: Words[], say: (choices: readonly string[]) => string, indent: string): string {
  return words
    .flatMap(({ path, values }) =>
      values.map(([flag, choices]) => `${indent}"${path}:${flag}") ${say(choices)} ;;`),
    )
    .join('\n')
}

function followCases(words: Words[], indent: string): string {
  return words
    .map(({ path, follow }) => `${indent}"${path}") follow="${follow.map(([word]) => word).join(' ')}" ;;`)
    .join('\n')
}

function zsh(words: Words[]): string {
  const choiceWords = (choices: readonly string[]): string =>
    `${choices.length === 0 ? '_default' : `compadd -- ${choices.join(' ')}`}; return`
  const describe = ({ path, follow }: Words): string => {
    const entries = follow.map(([word, description]) => quote(`${word}${description && `:${description}`}`))
    return `    "${path}") follow=(${entries.join(' ')}) ;;`
  }
  return `#compdef turnpike
# zsh completion for turnpike
_turnpike() {
  local turnpike_path="" before="\${words[CURRENT-1]}" part
  local -a follow
  for part in "\${words[@]:1:$((CURRENT - 2))}"; do
    case "$turnpike_path $part" in
${pathCases(words, '      ').replaceAll('path=', 'turnpike_path=')}
    esac
  done
  case "$turnpike_path:$before" in
${valueCases(words, choiceWords, '    ')}
  esac
  case "$turnpike_path" in
${words.map(describe).join('\n')}
  esac
  _describe 'turnpike' follow || _default
}
compdef _turnpike turnpike
`
}

function fish(words: Words[]): string {
  const lines = words.flatMap(({ path, follow, values }) => {
    const choices = new Map(values)
    const seen = path === '' ? '__fish_use_subcommand' : `__turnpike_is ${path}`
    return follow.map(([word, description]) => {
      const takes = choices.get(word)
      const name = word.startsWith('--') ? `-l ${word.slice(2)}` : `-f -a ${word}`
      const value = takes === undefined ? '' : takes.length === 0 ? ' -r' : ` -x -a ${quote(takes.join(' '))}`
      const descriptionOption = description === '' ? '' : ` -d ${quote(description)}`
      return `complete -c turnpike -n ${quote(seen)} ${name}${value}${descriptionOption}`
    })
  })
  return `# fish completion for turnpike
function __turnpike_is
  set -l words (commandline -opc)[2..]
  set -l plain (string match -v -- '-*' $words)
  test "$plain[1..$(count $argv)]" = "$argv"
end
complete -c turnpike -f
${lines.join('\n')}
`
}

/** Quotes a text for single quotes, which all three shells read alike except for the quote itself. */
function quote(text: string): string {
  return `'${text.replaceAll("'", '’')}'`
}
