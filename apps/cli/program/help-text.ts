import { groups, sections } from '../commands/all-commands.ts'
import { environmentVariables } from '../settings.ts'
import type { Screen } from '../terminal/screen.ts'
import { pad, textWidth, wrap } from '../terminal/text-width.ts'
import { argumentSign, flagOf, type Command, type OptionSpec } from './command.ts'
import { globalOptions } from './global-options.ts'

const maxWidth = 100
const maxSignWidth = 26
const indent = '  '

type Row = readonly [sign: string, description: string]

/** `turnpike topup --amount <usd> [flags]` */
export function usageLine({ name, arguments: named, options }: Command): string {
  const needed = Object.entries(options)
    .filter(([, { kind }]) => kind === 'required')
    .map(([option, spec]) => optionSign(option, spec))
  const signs = Object.entries(named).map(([argument, spec]) => argumentSign(argument, spec))
  return ['turnpike', name, ...signs, ...needed, '[flags]'].join(' ')
}

/** `--amount <usd>` */
export function optionSign(name: string, spec: OptionSpec): string {
  return spec.kind === 'flag' ? flagOf(name) : `${flagOf(name)} <${spec.placeholder}>`
}

export function optionRows({ options }: Command): Row[] {
  return Object.entries(options).map(([name, spec]) => {
    const choices = spec.kind !== 'flag' && spec.choices ? `: ${spec.choices.join(', ')}` : ''
    const need = spec.kind === 'required' ? ' (required)' : ''
    return [optionSign(name, spec), spec.description + choices + need]
  })
}

export function argumentRows({ arguments: named }: Command): Row[] {
  return Object.entries(named).map(([name, spec]) => {
    const choices = spec.choices ? `: ${spec.choices.join(', ')}` : ''
    return [argumentSign(name, spec), spec.description + choices]
  })
}

export const globalRows: Row[] = Object.values(globalOptions).map(({ sign, description }) => [
  sign,
  description,
])

/** The output of `--help` for one command. */
export function commandHelp(command: Command, screen: Screen): string {
  const { dim } = screen.style
  const examples = command.examples.flatMap(({ does, line }) => [dim(`# ${does}`), `$ ${line}`, ''])
  return page([
    [
      command.summary,
      ...(command.details ?? []).flatMap((text) => ['', ...wrap(text, widthOf(screen))]),
    ].join('\n'),
    block('USAGE', [usageLine(command)], screen),
    block('ARGUMENTS', aligned(argumentRows(command), screen), screen),
    block('FLAGS', aligned(optionRows(command), screen), screen),
    block('GLOBAL FLAGS', aligned(globalRows, screen), screen),
    block('FIELDS', wrap(command.fields.join(', '), widthOf(screen) - indent.length), screen),
    block('EXAMPLES', examples.slice(0, -1), screen),
  ])
}

/** The output of `turnpike` alone. */
export function programHelp(screen: Screen): string {
  const lists = sections.map(({ title, commands }) =>
    block(
      title.toUpperCase(),
      aligned(
        commands.map(({ name, summary }) => [name, summary]),
        screen,
        18,
      ),
      screen,
    ),
  )
  return page([
    'One API key for every vendor’s models.',
    block('USAGE', ['turnpike <command> [flags]'], screen),
    ...lists,
    block('GLOBAL FLAGS', aligned([...globalRows, ['--version', 'Show the version']], screen), screen),
    block('ENVIRONMENT', aligned(Object.entries(environmentVariables), screen), screen),
    block('EXIT CODES', aligned(exitCodeRows, screen), screen),
    block(
      'EXAMPLES',
      ['$ turnpike login', '$ turnpike keys create --name laptop', '$ turnpike chat "Hello"'],
      screen,
    ),
  ])
}

export const exitCodeRows: Row[] = [
  ['0', 'Success'],
  ['1', 'Your input, key or credit: a 4xx from the API; Ctrl-C'],
  ['2', 'The network: no connection, a timeout, or a broken answer'],
  ['3', 'The server: a 5xx from the API, or a login or checkout that was denied or timed out'],
]

/** The output of `turnpike keys` alone. */
export function groupHelp(group: string, screen: Screen): string {
  const members = sections
    .flatMap(({ commands }) => commands)
    .filter(({ name }) => name.startsWith(`${group} `))
  return page([
    groups[group]!,
    block('USAGE', [`turnpike ${group} <command> [flags]`], screen),
    block(
      'COMMANDS',
      aligned(
        members.map(({ name, summary }) => [name.slice(group.length + 1), summary]),
        screen,
      ),
      screen,
    ),
    block('GLOBAL FLAGS', aligned(globalRows, screen), screen),
    block('LEARN MORE', [`turnpike ${group} <command> --help`], screen),
  ])
}

function page(parts: string[]): string {
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function block(title: string, lines: string[], { style }: Screen): string {
  if (lines.length === 0 || lines.join('') === '') return ''
  return `${style.bold(title)}\n${lines.map((line) => (line === '' ? '' : indent + line)).join('\n')}`
}

/** Terms and their meanings, the meanings aligned and wrapped at the terminal's width. */
function aligned(rows: readonly Row[], screen: Screen, leastWidth = 0): string[] {
  const widths = rows.map(([sign]) => textWidth(sign)).filter((width) => width <= maxSignWidth)
  const width = Math.max(leastWidth, ...widths)
  const room = Math.max(widthOf(screen) - indent.length - width - 2, 20)
  return rows.flatMap(([sign, description]) => {
    const [first = '', ...others] = wrap(description, room)
    const rest = others.map((line) => `${' '.repeat(width + 2)}${line}`)
    if (textWidth(sign) <= width) return [`${pad(sign, width)}  ${first}`, ...rest]
    return [sign, `${' '.repeat(width + 2)}${first}`, ...rest]
  })
}

function widthOf({ width }: Screen): number {
  return Math.min(width, maxWidth)
}
