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
  const asked = `(\n${keywords(withExtraBody(body, untyped))})`
  const ask = isLong(body)
    ? `with client.messages.stream${asked} as stream:\n    message = stream.get_final_message()`
    : `message = client.messages.create${asked}`
  const text = '"".join(block.text for block in message.content if block.type == "text")'
  return `# pip install anthropic
import os
from anthropic import Anthropic

client = Anthropic(base_url="${request.origin}", api_key=os.environ["${keyVariable}"])
${ask}
print(${request.tools === undefined ? text : 'message.content'})`
}

export function anthropicTypeScript(request: CodeRequest): string {
  const body = messagesBody(request)
  const asked = `(${argument(body, untyped)})`
  const ask = isLong(body) ? `stream${asked}.finalMessage()` : `create${asked}`
  const text = "message.content.map((block) => (block.type === 'text' ? block.text : '')).join('')"
  return `// npm install @anthropic-ai/sdk
import Anthropic from '@anthropic-ai/sdk'

const client = new Anthropic({
  baseURL: '${request.origin}',
  apiKey: process.env.${keyVariable},${defaultHeaders(request.tags)}
})
const message = await client.messages.${ask}
console.log(${request.tools === undefined ? text : 'message.content'})`
}

function isLong({ max_tokens: bound }: Body): boolean {
  return typeof bound === 'number' && bound > longAnswer
}
