import { invalidRequest } from '@turnpike/protocol'
import { isIncludable } from './includable.ts'
import type { ResponsesRequest } from './request-schema.ts'

/** Fields that name what would have been kept of earlier requests, or for the operator alone. */
const stateful: Record<string, string> = {
  previous_response_id: 'this gateway does not store responses: send the whole conversation as input',
  conversation: 'this gateway does not store conversations: send the whole conversation as input',
  prompt: 'prompts stored at a vendor cannot be used here: send the text as instructions and input',
}

/**
 * Where answers are kept, a request that goes on from one holds the conversation by now, and names none.
 * @throws {GatewayError} 400 for what no answer of ours would keep to
 */
export function refuseUnserved(body: ResponsesRequest): void {
  for (const name in stateful) {
    const value = (body as Record<string, unknown>)[name]
    if (value !== undefined && value !== null) throw invalidRequest(name, `${name}: ${stateful[name]}.`)
  }
  if (body.background === true)
    throw invalidRequest(
      'background',
      'background: background responses are not supported. Leave it out and stream instead.',
    )
}

/** What vendors of Responses alone have, by the field's name there. */
export function ownSettings({ reasoning, include }: ResponsesRequest): [string, unknown][] {
  const settings: [string, unknown][] = []
  const context = reasoning?.context ?? 'auto'
  if (context !== 'auto') settings.push(['reasoning.context', context])
  const others = (include ?? []).filter((name) => !isIncludable(name))
  if (others.length > 0) settings.push(['include', others])
  return settings
}
