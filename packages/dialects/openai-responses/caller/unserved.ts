import { invalidRequest } from '@turnpike/protocol'
import { isIncludable } from './includable.ts'
import type { ResponsesRequest } from './request-schema.ts'

/** Fields that refer to earlier requests kept at the vendor, or that are for the operator only. */
const stateful: Record<string, string> = {
  previous_response_id: 'this gateway does not store responses: send the whole conversation as input',
  conversation: 'this gateway does not store conversations: send the whole conversation as input',
  prompt: 'prompts stored at a vendor cannot be used here: send the text as instructions and input',
}

/**
 * Refuses fields that the gateway cannot honour. If answers are kept, a request that continues from one
 * already contains the conversation and names no answer.
 * @throws {GatewayError} 400 that names the field
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

/** Settings that only vendors of Responses have, by their names there. */
export function ownSettings({ reasoning, include }: ResponsesRequest): [string, unknown][] {
  const settings: [string, unknown][] = []
  const context = reasoning?.context ?? 'auto'
  if (context !== 'auto') settings.push(['reasoning.context', context])
  const others = (include ?? []).filter((name) => !isIncludable(name))
  if (others.length > 0) settings.push(['include', others])
  return settings
}
