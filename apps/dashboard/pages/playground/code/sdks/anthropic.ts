import type { Body } from '../bodies/body.ts'
import { messagesBody } from '../bodies/messages.ts'
import { keyVariable, type CodeRequest } from '../code-request.ts'
import { argument, defaultHeaders, keywords, withExtraBody } from './client.ts'

/** From this many tokens on, the SDK requires streaming. */
const longAnswer = 16_000

/**
 * Fields that the SDK's types do not cover: its newest models refuse the first two, others accept them;
 * service tiers also have the names of other vendors.
 */
const untyped = ['temperature', 'top_p', 'service_tier']

export function anthropicPython(request: CodeRequest): string {
  const body = messagesBody(request)
  const parameters = `(\n${keywords(withExtraBody(body, untyped))})`
  const call = isLong(body)
    ? `with client.messages.stream${parameters} as stream:\n    message = stream.get_final_message()`
    : `message = client.messages.create${parameters}`
  const text = '"".join(block.text for block in message.content if block.type == "text")'
  return `# pip install anthropic
import os
from anthropic import Anthropic

client = Anthropic(base_url="${request.origin}", api_key=os.environ["${keyVariable}"])
${call}
print(${request.tools === undefined ? text : 'message.content'})`
}

export function anthropicTypeScript(request: CodeRequest): string {
  const body = messagesBody(request)
  const parameters = `(${argument(body, untyped)})`
  const call = isLong(body) ? `stream${parameters}.finalMessage()` : `create${parameters}`
  const text = "message.content.map((block) => (block.type === 'text' ? block.text : '')).join('')"
  return `// npm install @anthropic-ai/sdk
import Anthropic from '@anthropic-ai/sdk'

const client = new Anthropic({
  baseURL: '${request.origin}',
  apiKey: process.env.${keyVariable},${defaultHeaders(request.tags)}
})
const message = await client.messages.${call}
console.log(${request.tools === undefined ? text : 'message.content'})`
}

function isLong({ max_tokens: bound }: Body): boolean {
  return typeof bound === 'number' && bound > longAnswer
}
