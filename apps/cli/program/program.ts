import { Command as Commander, CommanderError, Option } from 'commander'
import { entries, groups, loadCommand } from '../commands/all-commands.ts'
import type { CommandEntry } from '../commands/command-section.ts'
import { badInput, type Failure } from '../failure.ts'
import type { Screen } from '../terminal/screen.ts'
import { argumentSign, type Command } from './command.ts'
import { globalOptions } from './global-options.ts'
import { commandHelp, groupHelp, optionSign, programHelp } from './help-text.ts'

export type Input = Record<string, boolean | string | string[] | undefined>

/** What a command line requests. */
export type Request =
  | {
      kind: 'run'
      command: Command
      input: Input
      fields: string[] | undefined
      organization: string | undefined
    }
  | { kind: 'text'; text: string }

/**
 * Reads a command line.
 * @throws {Failure} exit code 1 if it is wrong
 */
export async function readCommandLine(
  words: readonly string[],
  version: string,
  screen: Screen,
): Promise<Request> {
  let request: Request | undefined
  let printed = ''
  const entry = entryNamed(words)
  const program = programWith(version, screen)
  if (entry === undefined) declareNames(program)
  else declare(program, await loadCommand(entry), screen, (found) => (request = found))
  const print = (text: string): void => {
    printed += text
  }
  for (const one of [program, ...program.commands, ...program.commands.flatMap((group) => group.commands)]) {
    one.exitOverride().configureOutput({ writeOut: print, writeErr: print, outputError: () => undefined })
  }
  try {
    program.parse(words, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    // A command line without a command also requests help.
    if (error.exitCode === 0 || error.code === 'commander.help') return { kind: 'text', text: printed }
    throw inputFailure(error, entry)
  }
  if (request === undefined) throw badInput('Expected a command. See: turnpike --help')
  return request
}

const withValue = new Set<string | undefined>(['--fields', '--org'])

/** The command on the line, whatever flags precede it. */
function entryNamed(words: readonly string[]): CommandEntry | undefined {
  const isFlag = (word: string | undefined): boolean => word?.startsWith('-') === true
  const [first, second] = words.filter((word, at) => !isFlag(word) && !withValue.has(words[at - 1]))
  return entries.find(({ name }) => name === first || name === `${first} ${second}`)
}

function programWith(version: string, screen: Screen): Commander {
  const program = new Commander('turnpike')
    .version(`turnpike ${version}`, '--version', 'Show the version')
    .option(globalOptions.json.sign, globalOptions.json.description)
    .option(globalOptions.fields.sign, globalOptions.fields.description)
    .option(globalOptions.org.sign, globalOptions.org.description)
    .helpCommand(false)
  program.configureHelp({ formatHelp: () => programHelp(screen) })
  for (const group of Object.keys(groups)) {
    const parent = program.command(group).helpCommand(false)
    parent.configureHelp({ formatHelp: () => groupHelp(group, screen) })
  }
  return program
}

/** Enables suggestions for typos. */
function declareNames(program: Commander): void {
  for (const { name } of entries) commandIn(program, name)
}

function commandIn(program: Commander, path: string): Commander {
  const [name, group] = path.split(' ').toReversed()
  const parent = group === undefined ? program : program.commands.find((one) => one.name() === group)!
  return parent.command(name!)
}

function declare(
  program: Commander,
  command: Command,
  screen: Screen,
  onRequest: (request: Request) => void,
): void {
  const added = commandIn(program, command.name)
  added.configureHelp({ formatHelp: () => commandHelp(command, screen) })
  declareInput(added, command)
  added.action(() => {
    const { fields, org } = program.opts<{ fields?: string; org?: string }>()
    onRequest({
      kind: 'run',
      command,
      input: inputOf(added, command),
      fields: fieldsOf(fields, command),
      organization: org,
    })
  })
}

function declareInput(added: Commander, command: Command): void {
  for (const [name, spec] of Object.entries(command.arguments)) added.argument(argumentSign(name, spec))
  for (const [name, spec] of Object.entries(command.options)) {
    const option = new Option(optionSign(name, spec))
    if (spec.kind === 'required') option.makeOptionMandatory()
    if (spec.kind === 'list') {
      option.argParser((value: string, before: string[] | undefined) => {
        if (spec.choices !== undefined && !isChoice(value, spec.choices))
          throw badChoice(option.flags, value, spec.choices)
        return [...(before ?? []), value]
      })
    } else if (spec.kind !== 'flag' && spec.choices !== undefined) option.choices(spec.choices)
    added.addOption(option)
  }
}

/** A choice such as `tag:<key>` allows any text in place of its placeholder. */
function isChoice(value: string, choices: readonly string[]): boolean {
  return choices.some((choice) => {
    const sign = choice.indexOf('<')
    if (sign === -1) return choice === value
    return value.length > sign && value.startsWith(choice.slice(0, sign))
  })
}

/** The arguments and options of a command line, by their names in code. */
function inputOf(added: Commander, command: Command): Input {
  const values = added.opts<Record<string, boolean | string | string[] | undefined>>()
  const input: Input = {}
  for (const [name, spec] of Object.entries(command.options)) {
    const option = added.options.find(({ long }) => long === optionSign(name, spec).split(' ')[0])!
    const value = values[option.attributeName()]
    // `--no-open` is `open: false` for commander.
    if (option.negate) input[name] = value === false
    else if (spec.kind === 'flag') input[name] = value === true
    else input[name] = value ?? (spec.kind === 'list' ? [] : undefined)
  }
  for (const [index, [name, spec]] of Object.entries(command.arguments).entries()) {
    const value: unknown = added.processedArgs[index]
    input[name] = value as string | string[] | undefined
    const { choices } = spec
    if (typeof value === 'string' && choices !== undefined && !choices.includes(value)) {
      throw badChoice(`<${name}>`, value, choices)
    }
  }
  return input
}

/** The fields in `--fields`, checked before the command runs, so that a typo does not hide its result. */
function fieldsOf(text: string | undefined, command: Command): string[] | undefined {
  if (text === undefined) return undefined
  const fields = text
    .split(',')
    .map((field) => field.trim())
    .filter((field) => field !== '')
  const unknown = fields.find((field) => !command.fields.includes(field))
  if (unknown === undefined && fields.length > 0) return fields
  const what = unknown === undefined ? 'expected names' : `unknown field "${unknown}"`
  throw badInput(`--fields: ${what}. Available fields: ${command.fields.join(', ')}.`, '--fields')
}

function badChoice(what: string, value: string, choices: readonly string[]): Failure {
  return badInput(`${what}: expected one of ${choices.join(', ')}, got "${value}".`, what.split(' ')[0])
}

function inputFailure({ message, code }: CommanderError, entry: CommandEntry | undefined): Failure {
  const [sentence = '', ...hints] = message.replace(/^error: /, '').split('\n')
  const [, option] = /'(--?[a-z-]+)/.exec(sentence) ?? []
  const text = `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`.replace(/([^.?])$/, '$1.')
  const suggestion = hints.join(' ').trim()
  const known = code === 'commander.excessArguments' ? ' Put texts with spaces in quotes.' : ''
  const help = entry === undefined ? 'turnpike --help' : `turnpike ${entry.name} --help`
  return badInput(`${text}${suggestion === '' ? '' : ` ${suggestion}`}${known}`, option, `See: ${help}`)
}
