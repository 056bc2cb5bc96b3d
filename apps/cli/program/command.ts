import type { Context } from '../context.ts'
import type { Result } from '../output/result.ts'

/** `--yes`: set or not. */
interface FlagOption {
  kind: 'flag'
  description: string
}

interface TextOption {
  kind: 'text' | 'required'
  /** `<usd>` in the help. */
  placeholder: string
  description: string
  choices?: readonly string[]
}

/** Can be repeated. */
interface ListOption {
  kind: 'list'
  placeholder: string
  description: string
  choices?: readonly string[]
}

export type OptionSpec = FlagOption | TextOption | ListOption

export interface ArgumentSpec {
  /** `words`: all remaining words, possibly none. */
  kind: 'one' | 'optional' | 'words'
  description: string
  choices?: readonly string[]
}

export interface Example {
  /** `Make a key and keep it for this machine` */
  does: string
  line: string
}

type ValueOf<Spec> = Spec extends { kind: 'flag' }
  ? boolean
  : Spec extends { kind: 'list' | 'words' }
    ? string[]
    : Spec extends { kind: 'required' | 'one' }
      ? string
      : string | undefined

type Options = Record<string, OptionSpec>
type Arguments = Record<string, ArgumentSpec>
type None = { [Name in never]: never }

export type InputOf<O, A> = { [Name in keyof O]: ValueOf<O[Name]> } & { [Name in keyof A]: ValueOf<A[Name]> }

/** The part of a command in its own file; its name and summary are in `commands/all-commands.ts`. */
interface CommandDefinition<O extends Options, A extends Arguments> {
  /** Paragraphs below the summary. */
  details?: readonly string[]
  /** Absent: there are none. */
  arguments?: A
  /** By their names in code: `noOpen` is `--no-open`. Absent: there are none. */
  options?: O
  /** The fields of its JSON, or of the rows in it. */
  fields: readonly string[]
  examples: readonly Example[]
  run(context: Context, input: InputOf<O, A>): Promise<Result>
}

export interface CommandBody<
  O extends Options = Options,
  A extends Arguments = Arguments,
> extends CommandDefinition<O, A> {
  arguments: A
  options: O
}

/** A command as data: its help, completion and reference are generated from it. */
export interface Command extends CommandBody {
  /** As typed: `keys create`. */
  name: string
  /** One sentence, which the list of commands shows. */
  summary: string
}

/** Infers the types of `run`'s input from the declarations beside it. */
export function command<const O extends Options = None, const A extends Arguments = None>(
  definition: CommandDefinition<O, A>,
): CommandBody<O, A> {
  return { arguments: {} as A, options: {} as O, ...definition }
}

export function flag(description: string): FlagOption {
  return { kind: 'flag', description }
}

export function text(placeholder: string, description: string): TextOption & { kind: 'text' } {
  return { kind: 'text', placeholder, description }
}

export function requiredText(placeholder: string, description: string): TextOption & { kind: 'required' } {
  return { kind: 'required', placeholder, description }
}

export function list(placeholder: string, description: string, choices?: readonly string[]): ListOption {
  return { kind: 'list', placeholder, description, ...(choices !== undefined && { choices }) }
}

export function choice(
  placeholder: string,
  description: string,
  choices: readonly string[],
): TextOption & { kind: 'text' } {
  return { kind: 'text', placeholder, description, choices }
}

/** `noOpen` → `--no-open` */
export function flagOf(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

/** `<id>`, `[model]`, `[prompt…]` */
export function argumentSign(name: string, { kind }: ArgumentSpec): string {
  if (kind === 'one') return `<${name}>`
  return kind === 'words' ? `[${name}...]` : `[${name}]`
}
