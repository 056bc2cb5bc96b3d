import { headerTags, told, unlessEmpty, type Body, type Json } from './bodies/body.ts'
import { chatBody } from './bodies/chat.ts'
import { completionsBody, misfitOfCompletions } from './bodies/completions.ts'
import { configOf, contentsOf, generateBody } from './bodies/gemini.ts'
import { messagesBody, misfitOfMessages } from './bodies/messages.ts'
import { responsesBody } from './bodies/responses.ts'
import { keyVariable, type CodeRequest } from './code-request.ts'
import { literal } from './literal.ts'

export const languages = ['curl', 'Python', 'Node'] as const
export type Language = (typeof languages)[number]

/** An API by which the gateway can be asked, and how its vendor's clients ask. */
export interface Api {
  name: string
  code: Record<Language, (request: CodeRequest) => string>
  /** Why it cannot say the request; undefined where it can. */
  misfit?: (request: CodeRequest) => string | undefined
}

/** In the order in which they are offered. */
export const apis = {
  chat: {
    name: 'Chat completions',
    code: {
      curl: (request) => curl(`${request.origin}/v1/chat/completions`, [bearer], chatBody(request)),
      Python: (request) =>
        openaiPython(request, 'chat.completions.create', chatBody(request), 'choices[0].message.content'),
      Node: (request) =>
        openaiNode(request, 'chat.completions.create', chatBody(request), 'choices[0].message.content'),
    },
  },
  messages: {
    name: 'Messages',
    misfit: misfitOfMessages,
    code: {
      curl: (request) => curl(`${request.origin}/v1/messages`, messagesHeaders, messagesBody(request)),
      Python: anthropicPython,
      Node: anthropicNode,
    },
  },
  responses: {
    name: 'Responses',
    code: {
      curl: (request) => curl(`${request.origin}/v1/responses`, [bearer], responsesBody(request)),
      Python: (request) => openaiPython(request, 'responses.create', responsesBody(request), 'output_text'),
      Node: (request) => openaiNode(request, 'responses.create', responsesBody(request), 'output_text'),
    },
  },
  gemini: { name: 'Gemini', code: { curl: googleCurl, Python: googlePython, Node: googleNode } },
  completions: {
    name: 'Completions',
    misfit: misfitOfCompletions,
    code: {
      curl: (request) => curl(`${request.origin}/v1/completions`, [bearer], completionsBody(request)),
      Python: (request) => {
        // Its SDK knows these of chat completions alone.
        const { metadata, reasoning_effort, ...known } = completionsBody(request)
        const further = told({ metadata, reasoning_effort })
        const body = Object.keys(further).length === 0 ? known : { ...known, extra_body: further }
        return openaiPython(request, 'completions.create', body, 'choices[0].text')
      },
      Node: (request) =>
        openaiNode(request, 'completions.create', completionsBody(request), 'choices[0].text'),
    },
  },
} satisfies Record<string, Api>

export type ApiName = keyof typeof apis
export const apiNames = Object.keys(apis) as ApiName[]

const bearer = `Authorization: Bearer $${keyVariable}`
const messagesHeaders = [`x-api-key: $${keyVariable}`, 'anthropic-version: 2023-06-01']

/** @param headers may hold the key's variable, which the shell puts in */
function curl(url: string, headers: readonly string[], body: Body): string {
  const lines = [...headers, 'Content-Type: application/json'].map((header) => `  -H "${header}"`)
  return [`curl ${quoted(url)}`, ...lines, `  -d ${quoted(JSON.stringify(body, null, 2))}`].join(' \\\n')
}

/** As one word for a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

function openaiPython({ origin }: CodeRequest, method: string, body: Body, answer: string): string {
  return `# pip install openai
import os
from openai import OpenAI

client = OpenAI(base_url="${origin}/v1", api_key=os.environ["${keyVariable}"])
answer = client.${method}(
${keywords(body)})
print(answer.${answer})`
}

function openaiNode({ origin }: CodeRequest, method: string, body: Body, answer: string): string {
  return `// npm install openai
import OpenAI from 'openai'

const client = new OpenAI({
  baseURL: '${origin}/v1',
  apiKey: process.env.${keyVariable},
})
const answer = await client.${method}(${literal(body, 'node')})
console.log(answer.${answer})`
}

/** The SDK wants an answer that may take long to be streamed. */
const longAnswer = 16_000

function anthropicPython(request: CodeRequest): string {
  const body = messagesBody(request)
  const asked = `(\n${keywords(body)})`
  const ask = isLong(body)
    ? `with client.messages.stream${asked} as stream:\n    message = stream.get_final_message()`
    : `message = client.messages.create${asked}`
  return `# pip install anthropic
import os
from anthropic import Anthropic

client = Anthropic(base_url="${request.origin}", api_key=os.environ["${keyVariable}"])
${ask}
print("".join(block.text for block in message.content if block.type == "text"))`
}

function anthropicNode(request: CodeRequest): string {
  const body = messagesBody(request)
  const asked = `(${literal(body, 'node')})`
  const ask = isLong(body) ? `stream${asked}.finalMessage()` : `create${asked}`
  return `// npm install @anthropic-ai/sdk
import Anthropic from '@anthropic-ai/sdk'

const client = new Anthropic({
  baseURL: '${request.origin}',
  apiKey: process.env.${keyVariable},
})
const message = await client.messages.${ask}
console.log(message.content.map((block) => (block.type === 'text' ? block.text : '')).join(''))`
}

function isLong({ max_tokens: bound }: Body): boolean {
  return typeof bound === 'number' && bound > longAnswer
}

function googleCurl(request: CodeRequest): string {
  const tags = headerTags(request.tags)
  const headers = [`x-goog-api-key: $${keyVariable}`]
  if (tags.length > 0) headers.push(`X-Turnpike-Tags: ${inDoubleQuotes(tags.join(','))}`)
  const url = `${request.origin}/v1beta/models/${encodeURI(request.model)}:generateContent`
  return curl(url, headers, generateBody(request))
}

/** What a shell would read otherwise between them. */
function inDoubleQuotes(text: string): string {
  return text.replaceAll(/["$\\`]/g, String.raw`\$&`)
}

function googlePython(request: CodeRequest): string {
  const { origin, model, turns, tags } = request
  const config = told({ system_instruction: instructionOf(request), ...inSnakeCase(configOf(request)) })
  return `# pip install google-genai
import os
from google import genai

client = genai.Client(
    api_key=os.environ["${keyVariable}"],
    http_options=${literal({ base_url: origin, ...headersOf(tags) }, 'python', 1)},
)
answer = client.models.generate_content(
${keywords({ model, contents: asked(turns), ...configured(config) })})
print(answer.text)`
}

function googleNode(request: CodeRequest): string {
  const { origin, model, turns, tags } = request
  const config = told({ systemInstruction: instructionOf(request), ...configOf(request) })
  const body = { model, contents: asked(turns), ...configured(config) }
  return `// npm install @google/genai
import { GoogleGenAI } from '@google/genai'

const client = new GoogleGenAI({
  apiKey: process.env.${keyVariable},
  httpOptions: ${literal({ baseUrl: origin, ...headersOf(tags) }, 'node', 1)},
})
const answer = await client.models.generateContent(${literal(body, 'node')})
console.log(answer.text)`
}

function instructionOf({ system }: CodeRequest): string | undefined {
  return system === '' ? undefined : system
}

/** Of Google's own members; what callers named themselves, as in a schema, stays as it is. */
function inSnakeCase(value: Body): Body {
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      name.endsWith('JsonSchema') ? member : membersInSnakeCase(member),
    ]),
  )
}

function membersInSnakeCase(value: Json): Json {
  if (Array.isArray(value)) return value.map(membersInSnakeCase)
  return typeof value === 'object' && value !== null ? inSnakeCase(value as Body) : value
}

function asked(turns: CodeRequest['turns']): Json {
  const [first] = turns
  const isText = turns.length === 1 && first?.role === 'user' && (first.attachments ?? []).length === 0
  return isText ? first.text : contentsOf(turns)
}

function headersOf(tags: readonly string[]): Body {
  const kept = headerTags(tags)
  return kept.length === 0 ? {} : { headers: { 'X-Turnpike-Tags': kept.join(',') } }
}

function configured(config: Body): Body {
  const given = unlessEmpty(config)
  return given === undefined ? {} : { config: given }
}

/** The arguments of a call in Python, each on a line. */
function keywords(body: Body): string {
  return Object.entries(body)
    .map(([name, value]) => `    ${name}=${literal(value, 'python', 1)},\n`)
    .join('')
}
