import { invalidRequest, type OutputFormat, type ReasoningOptions } from '@turnpike/protocol'
import { wrongMember } from '../../requests/fields/typed-members.ts'
import type { MessagesRequest } from './request-schema.ts'

/** What adaptive thinking is where the caller names no effort. */
const plainEffort = 'medium'

/** The schema of an answer has no name in this format; others want one. */
const schemaName = 'answer'

/** Members of `output_config` that have a word of ours. */
const spokenMembers: ReadonlySet<string> = new Set(['effort', 'format'])

/** Kinds of thinking that have a word of ours; one that came later travels as it is. */
const spokenKinds: ReadonlySet<string> = new Set(['enabled', 'adaptive', 'disabled', 'between_tools'])

/**
 * `thinking` and `output_config.effort` as one wish
 * (https://platform.claude.com/docs/en/build-with-claude/extended-thinking and …/effort).
 * @throws {GatewayError} 400 for a budget that is absent or leaves nothing for the answer
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

/** Between calls of tools it may think for more than one answer's bound, by a beta that headers ask for. */
function budgetOf({ thinking, max_tokens: bound, tools }: MessagesRequest): number {
  const path = 'thinking.budget_tokens'
  const budget = thinking?.budget_tokens ?? undefined
  if (budget === undefined) throw wrongMember(undefined, path, 'an integer of at least 1024')
  if (budget >= bound && (tools ?? []).length === 0)
    throw invalidRequest(path, `${path}: expected fewer tokens than max_tokens, which is ${bound}.`)
  return budget
}

/** `output_config.format`, or `output_format` as the beta before it had it. */
export function parseOutput(body: MessagesRequest): OutputFormat | undefined {
  const format = body.output_config?.format ?? body.output_format
  if (format === undefined || format === null) return undefined
  return { type: 'json-schema', name: schemaName, schema: format.schema }
}

/** What of both has no word of ours. */
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
