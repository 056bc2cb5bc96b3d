import { createHash } from 'node:crypto'
import type { ModelRequest } from '@turnpike/protocol'
import type { Target } from '../../vendor.ts'
import { jsonAnswer } from './json-answer.ts'
import { formatConversation } from './messages.ts'
import { formatSampling } from '../../requests/claude/sampling.ts'
import { formatThinking } from '../../requests/claude/thinking.ts'
import { formatTools } from './tools.ts'
import { withoutUndefined } from '../../json/object.ts'

/**
 * The body of `POST /v1/messages` (https://platform.claude.com/docs/en/api/messages).
 * @throws {GatewayError} 400 that names a caller's field without an equivalent at this model
 */
export function formatRequest(request: ModelRequest, target: Target): Record<string, unknown> {
  const { claude: model } = target.traits
  const { system, messages, unthoughtCalls } = formatConversation(request.messages, model)
  const answer = jsonAnswer(request, model)
  const { tools, toolChoice, forced } = formatTools(request, model, answer.tool)
  // Anthropic requires a bound. If the caller sets none, one below the model's own would cut answers.
  const maxTokens = request.maxOutputTokens ?? target.maxOutputTokens
  const bounds = { maxTokens, budgetRefused: forced || unthoughtCalls }
  const { thinking, effort, on } = formatThinking(request, model, bounds)
  return withoutUndefined({
    model: target.model,
    max_tokens: maxTokens,
    system: system.length === 0 ? undefined : system,
    messages,
    tools,
    tool_choice: toolChoice,
    thinking,
    output_config:
      effort === undefined && answer.format === undefined
        ? undefined
        : withoutUndefined({ effort, format: answer.format }),
    ...formatSampling(request, model, on),
    metadata: formatUser(request),
    stream: request.stream ? true : undefined,
  })
}

/** Anthropic asks for ids that do not identify a person, so what may be an address or a number is hashed. */
function formatUser({ user, extensions }: ModelRequest): { user_id: string } | undefined {
  const id = user ?? extensions['safety_identifier']
  if (typeof id !== 'string' || id === '') return undefined
  const opaque = /^[\w-]{8,256}$/.test(id) && /[a-z]/i.test(id)
  return { user_id: opaque ? id : createHash('sha256').update(id).digest('hex') }
}
