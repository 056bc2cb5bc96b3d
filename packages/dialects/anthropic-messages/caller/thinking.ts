import { invalidRequest, type OutputFormat, type ReasoningOptions } from '@turnpike/protocol'
import { wrongMember } from '../../requests/fields/typed-members.ts'
import type { MessagesRequest } from './request-schema.ts'

/** The effort of adaptive thinking if the caller names none. */
const plainEffort = 'medium'

/** An answer's schema has no name in this format, but other formats require one. */
const schemaName = 'answer'

/** Members of `output_config` that `ModelRequest` has. */
const spokenMembers: ReadonlySet<string> = new Set(['effort', 'format'])

/** Types of thinking that `ModelRequest` can express. Newer types travel unchanged. */
const spokenKinds: ReadonlySet<string> = new Set(['enabled', 'adaptive', 'disabled', 'between_tools'])

/**
 * Combines `thinking` and `output_config.effort`
 * (https://platform.claude.com/docs/en/build-with-claude/extended-thinking and …/effort).
 * @throws {GatewayError} 400 for a budget that is missing or leaves no room for the answer
 */
export function parseThinking(body: MessagesRequest): ReasoningOptions | undefined {
  const { thinking, output_config: config } = body
  const effort = config?.effort ?? undefined
  switch (thinking?.type) {
    case 'enabled':
      return { ...effortOf(effort), budgetTokens: budgetOf(body), ...displayOf(thinking) }
    case 'adaptive':
      return { effort: effort ?? plainEffort, ...displayOf(thinking) }
    case 'disabled':
    case 'between_tools':
      return { effort: 'none' }
    default:
      return effort === undefined ? undefined : { effort }
  }
}

function effortOf(effort: string | undefined): { effort?: string } {
  return effort === undefined ? {} : { effort }
}

function displayOf({ display }: { display?: string | null }): { hidden?: true } {
  return display === 'omitted' ? { hidden: true } : {}
}

/** Between tool calls, the model may think for more than one answer's bound, with a beta from the headers. */
function budgetOf({ thinking, max_tokens: bound, tools }: MessagesRequest): number {
  const path = 'thinking.budget_tokens'
  const budget = thinking?.budget_tokens ?? undefined
  if (budget === undefined) throw wrongMember(undefined, path, 'an integer of at least 1024')
  if (budget >= bound && (tools ?? []).length === 0)
    throw invalidRequest(path, `${path}: expected fewer tokens than max_tokens, which is ${bound}.`)
  return budget
}

/** Reads `output_config.format`, or the earlier beta's `output_format`. */
export function parseOutput(body: MessagesRequest): OutputFormat | undefined {
  const format = body.output_config?.format ?? body.output_format
  if (format === undefined || format === null) return undefined
  return { type: 'json-schema', name: schemaName, schema: format.schema }
}

/** Adds members of both that have no equivalent here. */
export function addUnknownFields(body: MessagesRequest, extensions: Record<string, unknown>): void {
  const { thinking, output_config: config } = body
  if (thinking !== undefined && thinking !== null && !spokenKinds.has(thinking.type))
    extensions['thinking'] = thinking
  for (const name in config) {
    if (spokenMembers.has(name)) continue
    extensions['output_config'] = unknownFieldsOf(config)
    return
  }
}

function unknownFieldsOf(config: object): object {
  return Object.fromEntries(Object.entries(config).filter(([name]) => !spokenMembers.has(name)))
}
