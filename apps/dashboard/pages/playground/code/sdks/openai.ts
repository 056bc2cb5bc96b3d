import type { Body } from '../bodies/body.ts'
import { keyVariable, type CodeRequest } from '../code-request.ts'
import { argument, defaultHeaders, keywords, withExtraBody } from './client.ts'

/** The SDK only has these for chat completions. */
const chatAlone = ['metadata', 'reasoning_effort']

/** A call of OpenAI's SDK. */
interface Call {
  /** `chat.completions.create` */
  method: string
  body: Body
  /** The expression for the text of the answer. */
  answer: string
}

export function openaiPython({ origin }: CodeRequest, { method, body, answer }: Call): string {
  return `# pip install openai
import os
from openai import OpenAI

client = OpenAI(base_url="${origin}/v1", api_key=os.environ["${keyVariable}"])
answer = client.${method}(
${keywords(withExtraBody(body, method === 'completions.create' ? chatAlone : []))})
print(answer.${answer})`
}

export function openaiTypeScript(
  { origin, tags, tools }: CodeRequest,
  { method, body, answer }: Call,
): string {
  const printed = tools === undefined ? `log(answer.${answer})` : `dir(answer.${answer}, { depth: null })`
  return `// npm install openai
import OpenAI from 'openai'

const client = new OpenAI({
  baseURL: '${origin}/v1',
  apiKey: process.env.${keyVariable},${defaultHeaders(tags)}
})
const answer = await client.${method}(${argument(body, method === 'completions.create' ? chatAlone : [])})
console.${printed}`
}
