import type { Schemas } from '../../../api/client.ts'
import type { CodeRequest, Effort, Format, Tool } from '../code/code-request.ts'
import { readSchema, readTools } from './read-json.ts'

/** The parts of a request other than the conversation, as they were typed. */
export interface Settings {
  system: string
  tags: readonly string[]
  temperature: string
  topP: string
  maxTokens: string
  stop: readonly string[]
  seed: string
  /** Empty: the model's default. */
  effort: Effort | ''
  format: 'text' | 'json' | 'schema'
  /** JSON. */
  schema: string
  /** JSON: a list of tools. */
  tools: string
  /** `auto`, `none`, `required`, or `tool:` and a tool's name. */
  toolChoice: string
  /** Empty: the vendor's default. */
  serviceTier: string
}

export const plainSettings: Settings = {
  system: '',
  tags: ['playground'],
  temperature: '',
  topP: '',
  maxTokens: '',
  stop: [],
  seed: '',
  effort: '',
  format: 'text',
  schema: '',
  tools: '',
  toolChoice: 'auto',
  serviceTier: '',
}

/** What is wrong with a field, in words for the user. */
export type Mistakes = Partial<Record<keyof Settings, string>>

/** The settings as request parameters, without those that the model does not support; and the mistakes. */
export function readSettings(settings: Settings, has: (parameter: Parameter) => boolean): Read {
  const mistakes: Mistakes = {}
  const number = (name: 'temperature' | 'topP' | 'seed' | 'maxTokens', rule: NumberRule) => {
    const text = settings[name].trim()
    if (text === '') return undefined
    const value = Number(text)
    if (isWithin(value, rule)) return value
    mistakes[name] = rule.expected
    return undefined
  }
  const tools = has('tools') ? readTools(settings.tools) : {}
  if (tools.mistake !== undefined) mistakes.tools = tools.mistake
  const schema = settings.format === 'schema' && has('format') ? readSchema(settings.schema) : {}
  if (schema.mistake !== undefined) mistakes.schema = schema.mistake
  const parameters = {
    temperature: has('temperature') ? number('temperature', rules.temperature) : undefined,
    topP: has('topP') ? number('topP', rules.topP) : undefined,
    seed: has('seed') ? number('seed', rules.seed) : undefined,
    maxTokens: number('maxTokens', rules.maxTokens),
    stop: has('stop') && settings.stop.length > 0 ? settings.stop : undefined,
    effort: has('effort') && settings.effort !== '' ? settings.effort : undefined,
    format: has('format') ? formatOf(settings, schema.value) : undefined,
    tools: tools.value,
    toolChoice: tools.value === undefined ? undefined : toolChoiceOf(settings.toolChoice, tools.value),
    serviceTier: has('serviceTier') && settings.serviceTier !== '' ? settings.serviceTier : undefined,
  }
  return { parameters: withoutUndefined(parameters), mistakes }
}

interface Read {
  parameters: Parameters
  mistakes: Mistakes
}

type Parameters = Omit<CodeRequest, 'origin' | 'model' | 'system' | 'turns' | 'tags'>

interface NumberRule {
  from: number
  to: number
  isWhole?: boolean
  expected: string
}

const mostTokens = 9_999_999
const rules = {
  temperature: { from: 0, to: 2, expected: 'Expected a number from 0 to 2.' },
  topP: { from: 0, to: 1, expected: 'Expected a number from 0 to 1.' },
  seed: {
    from: Number.MIN_SAFE_INTEGER,
    to: Number.MAX_SAFE_INTEGER,
    isWhole: true,
    expected: 'Expected a whole number.',
  },
  maxTokens: { from: 1, to: mostTokens, isWhole: true, expected: 'Expected a whole number, 1 or more.' },
} satisfies Record<string, NumberRule>

function isWithin(value: number, { from, to, isWhole }: NumberRule): boolean {
  return value >= from && value <= to && (isWhole !== true || Number.isInteger(value))
}

function formatOf({ format }: Settings, schema: Format | undefined): Format | undefined {
  return format === 'json' ? { kind: 'json' } : schema
}

const named = 'tool:'

function toolChoiceOf(choice: string, tools: readonly Tool[]): CodeRequest['toolChoice'] {
  if (choice === 'none' || choice === 'required') return choice
  const name = choice.startsWith(named) ? choice.slice(named.length) : undefined
  // The tool may have been removed since.
  return tools.some((tool) => tool.name === name) ? { name: name! } : undefined
}

/** The value of a choice of this tool. */
export function choiceOf(tool: Tool): string {
  return named + tool.name
}

function withoutUndefined<Value extends object>(
  value: Value,
): { [Name in keyof Value]?: NonNullable<Value[Name]> } {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as ReturnType<
    typeof withoutUndefined<Value>
  >
}

/** A parameter that not all models support. */
export type Parameter =
  | 'temperature'
  | 'topP'
  | 'stop'
  | 'seed'
  | 'effort'
  | 'format'
  | 'tools'
  | 'serviceTier'

const namesInApi: Record<Exclude<Parameter, 'serviceTier'>, readonly string[]> = {
  temperature: ['temperature'],
  topP: ['top_p'],
  stop: ['stop'],
  seed: ['seed'],
  effort: ['reasoning', 'reasoning_effort'],
  format: ['response_format'],
  tools: ['tools'],
}

/**
 * Whether a model supports a parameter, according to its catalog entry. An unknown model may support any.
 */
export function takes(model: Schemas['Model'] | undefined, parameter: Parameter): boolean {
  if (model === undefined) return true
  if (parameter === 'serviceTier') return serviceTiersOf(model).length > 0
  // For auto-routing the model is only chosen per request, so any parameter may be supported.
  if (model.supported_parameters.length === 0) return true
  return namesInApi[parameter].some((name) => model.supported_parameters.includes(name))
}

export function serviceTiersOf({ pricing }: Schemas['Model']): string[] {
  return Object.keys(pricing.service_tiers ?? {})
}
