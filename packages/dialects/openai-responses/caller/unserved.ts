import { invalidRequest } from '@turnpike/protocol'
import { wrongMember } from './members.ts'
import type { ResponsesRequest } from './request-schema.ts'

/** Fields that name what would have been kept of earlier requests, or for the operator alone. */
const stateful: Record<string, string> = {
  previous_response_id: 'answers are not kept here: send the whole conversation as input',
  conversation: 'conversations are not kept here: send the whole of it as input',
  prompt: 'prompts that are kept at a vendor cannot be named here: send its text as instructions and input',
}

/** What an answer may hold besides: of vendors' own tools and of the input there is nothing to add. */
const includable: ReadonlySet<string> = new Set([
  'reasoning.encrypted_content',
  'message.output_text.logprobs',
  'message.input_image.image_url',
  'web_search_call.action.sources',
  'web_search_call.results',
  'file_search_call.results',
  'code_interpreter_call.outputs',
  'computer_call_output.output.image_url',
])

/** @throws {GatewayError} 400 for what no answer of ours would keep to */
export function refuseUnserved(body: ResponsesRequest): void {
  for (const name in stateful) {
    const value = (body as Record<string, unknown>)[name]
    if (value !== undefined && value !== null) throw invalidRequest(name, `${name}: ${stateful[name]}.`)
  }
  if (body.background === true)
    throw invalidRequest('background', 'background: answers are given at once: leave it out, and stream.')
  const context = body.reasoning?.context ?? undefined
  if (context !== undefined && context !== 'auto')
    throw wrongMember(
      context,
      'reasoning.context',
      '"auto", as no vendor that this is translated for has another',
    )
  for (const [at, name] of (body.include ?? []).entries())
    if (!includable.has(name))
      throw wrongMember(name, `include[${at}]`, `one of ${[...includable].join(', ')}`)
}
