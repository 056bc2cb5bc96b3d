import { Command as Commander, CommanderError, Option } from 'commander'
import { commands, groups } from '../commands/all-commands.ts'
import { badInput, type Failure } from '../failure.ts'
import type { Screen } from '../terminal/screen.ts'
import { argumentSign, type Command } from './command.ts'
import { globalOptions } from './global-options.ts'
import { commandHelp, groupHelp, optionSign, programHelp } from './help-text.ts'

export type Input = Record<string, boolean | string | string[] | undefined>

/** What a command line asks for. */
export type Request =
  | { kind: 'run'; command: Command; input: Input; fields: string[] | undefined }
  | { kind: 'text'; text: string }

/**
 * Reads a command line.
 * @throws {Failure} exit code 1 where it is wrong
 */
export function readCommandLine(words: readonly string[], version: string, screen: Screen): Request {
  let request: Request | undefined
  let printed = ''
  const program = programWith(version, screen, (found) => (request = found))
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
    // Help is what a command line without a command asks for, too.
    if (error.exitCode === 0 || error.code === 'commander.help') return { kind: 'text', text: printed }
    throw inputFailure(error)
  }
  if (request === undefined) throw badInput('Expected a command: turnpike --help lists them.')
  return request
}

function programWith(version: string, screen: Screen, onRequest: (request: Request) => void): Commander {
  const program = new Commander('turnpike')
    .version(`turnpike ${version}`, '--version', 'Show the version')
    .option(globalOptions.json.sign, globalOptions.json.description)
    .option(globalOptions.fields.sign, globalOptions.fields.description)
    .helpCommand(false)
  program.configureHelp({ formatHelp: () => programHelp(screen) })
  const parents = new Map<string, Commander>([['', program]])
  for (const group of Object.keys(groups)) {
    const parent = program.command(group).helpCommand(false)
    parent.configureHelp({ formatHelp: () => groupHelp(group, screen) })
    parents.set(group, parent)
  }
  for (const command of commands) {
    const [name, group = ''] = command.name.split(' ').toReversed()
    const added = parents.get(group)!.command(name!)
    added.configureHelp({ formatHelp: () => commandHelp(command, screen) })
    declare(added, command)
    added.action(() => {
      const { fields } = program.opts<{ fields?: string }>()
      onRequest({ kind: 'run', command, input: inputOf(added, command), fields: fieldsOf(fields, command) })
    })
  }
  return program
}

function declare(added: Commander, command: Command): void {
  for (const [name, spec] of Object.entries(command.arguments)) added.argument(argumentSign(name, spec))
  for (const [name, spec] of Object.entries(command.options)) {
    const option = new Option(optionSign(name, spec))
    if (spec.kind === 'required') option.makeOptionMandatory()
    if (spec.kind === 'list') {
      option.argParser((value: string, before: string[] | undefined) => {
        if (spec.choices !== undefined && !spec.choices.includes(value))
          throw badChoice(option.flags, value, spec.choices)
        return [...(before ?? []), value]
      })
    } else if (spec.kind !== 'flag' && spec.choices !== undefined) option.choices(spec.choices)
    added.addOption(option)
  }
}

/** The words and options of a command line, under their names in code. */
function inputOf(added: Commander, command: Command): Input {
  const given = added.opts<Record<string, boolean | string | string[] | undefined>>()
  const input: Input = {}
  for (const [name, spec] of Object.entries(command.options)) {
    const option = added.options.find(({ long }) => long === optionSign(name, spec).split(' ')[0])!
    const value = given[option.attributeName()]
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

/** What `--fields` names. Known before the command runs, so that a typo does not hide what it has done. */
function fieldsOf(text: string | undefined, command: Command): string[] | undefined {
  if (text === undefined) return undefined
  const fields = text
    .split(',')
    .map((field) => field.trim())
    .filter((field) => field !== '')
  const unknown = fields.find((field) => !command.fields.includes(field))
  if (unknown === undefined && fields.length > 0) return fields
  const what = unknown === undefined ? 'expected names' : `there is no field "${unknown}"`
  throw badInput(`--fields: ${what}; there are ${command.fields.join(', ')}.`, '--fields')
}

function badChoice(what: string, value: string, choices: readonly string[]): Failure {
  return badInput(`${what}: expected one of ${choices.join(', ')}, got "${value}".`, what.split(' ')[0])
}

function inputFailure({ message, code }: CommanderError): Failure {
  const [said = '', ...hints] = message.replace(/^error: /, '').split('\n')
  const [, option] = /'(--?[a-z-]+)/.exec(said) ?? []
  const text = `${said.charAt(0).toUpperCase()}${said.slice(1)}`.replace(/([^.?])$/, '$1.')
  const suggestion = hints.join(' ').trim()
  const known = code === 'commander.excessArguments' ? ' Texts with spaces need quotes.' : ''
  return badInput(`${text}${suggestion === '' ? '' : ` ${suggestion}`}${known}`, option)
}
