import { withoutUndefined, unlessEmpty, type Body, type Json } from '../bodies/body.ts'
import { configOf, contentsOf } from '../bodies/gemini.ts'
import { keyVariable, type CodeRequest } from '../code-request.ts'
import { Code, literal, type Value } from '../literal.ts'
import { keywords, tagHeaders } from './client.ts'

export function googlePython(request: CodeRequest): string {
  const { origin, model, tags, tools } = request
  const config = withoutUndefined({
    system_instruction: instructionOf(request),
    ...inSnakeCase(configOf(request)),
  })
  const headers = tagHeaders(tags)
  const contents = withBytes(contentsOrText(request))
  const base64 = hasBytes(request) ? 'import base64\n' : ''
  return `# pip install google-genai
${base64}import os
from google import genai

client = genai.Client(
    api_key=os.environ["${keyVariable}"],
    http_options=${literal({ base_url: origin, ...(headers && { headers }) }, 'python', 1)},
)
answer = client.models.generate_content(
${keywords({ model, contents, ...toConfig(config) })})
print(answer.${tools === undefined ? 'text' : 'function_calls or answer.text'})`
}

export function googleTypeScript(request: CodeRequest): string {
  const { origin, model, tags, tools } = request
  const config = withoutUndefined({ systemInstruction: instructionOf(request), ...configOf(request) })
  const body = { model, contents: contentsOrText(request), ...toConfig(withEnums(config)) }
  const headers = tagHeaders(tags)
  const names = ['GoogleGenAI', ...enumsIn(config)].join(', ')
  return `// npm install @google/genai
import { ${names} } from '@google/genai'

const client = new GoogleGenAI({
  apiKey: process.env.${keyVariable},
  httpOptions: ${literal({ baseUrl: origin, ...(headers && { headers }) }, 'typescript', 1)},
})
const answer = await client.models.generateContent(${literal(body, 'typescript')})
console.log(answer.${tools === undefined ? 'text' : 'functionCalls ?? answer.text'})`
}

function instructionOf({ system }: CodeRequest): string | undefined {
  return system === '' ? undefined : system
}

function contentsOrText({ turns }: CodeRequest): Json {
  const [first] = turns
  const isText = turns.length === 1 && first?.role === 'user' && (first.attachments ?? []).length === 0
  return isText ? first.text : contentsOf(turns)
}

function toConfig<Config extends Record<string, Value>>(config: Config): { config?: Config } {
  return unlessEmpty(config as Body) === undefined ? {} : { config }
}

/** Members whose values are enumerations in the TypeScript SDK; Python accepts their names. */
const enums: Readonly<Record<string, string>> = {
  thinkingLevel: 'ThinkingLevel',
  mode: 'FunctionCallingConfigMode',
  serviceTier: 'ServiceTier',
}

function withEnums(config: Body): Record<string, Value> {
  const { thinkingConfig, toolConfig, serviceTier, ...rest } = config
  return {
    ...rest,
    ...(typeof serviceTier === 'string' && {
      serviceTier: new Code(`ServiceTier.${serviceTier.toUpperCase()}`),
    }),
    ...(thinkingConfig !== undefined && { thinkingConfig: nameEnums(thinkingConfig) }),
    ...(toolConfig !== undefined && { toolConfig: nameEnums(toolConfig) }),
  }
}

function nameEnums(value: Json): Value {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const type = enums[name]
      if (type !== undefined && typeof member === 'string') return [name, new Code(`${type}.${member}`)]
      return [name, member === undefined ? undefined : nameEnums(member)]
    }),
  )
}

function enumsIn({ thinkingConfig, toolConfig, serviceTier }: Body): string[] {
  const text = JSON.stringify([thinkingConfig, toolConfig, { serviceTier }])
  return Object.entries(enums).flatMap(([name, type]) => (text.includes(`"${name}":`) ? [type] : []))
}

function hasBytes({ turns }: CodeRequest): boolean {
  return turns.some((turn) => turn.role === 'user' && turn.attachments?.some(({ kind }) => kind !== 'text'))
}

/** The SDK takes bytes and encodes them in base64 itself. */
function withBytes(contents: Json): Value {
  if (!Array.isArray(contents)) return contents
  return contents.map((content) => {
    const { role, parts } = content as { role: string; parts: { [name: string]: Json }[] }
    return { role, parts: parts.map(partWithBytes) }
  })
}

function partWithBytes(part: { [name: string]: Json }): Value {
  const { inlineData } = part
  if (inlineData === undefined) return inSnakeCase(part)
  const { mimeType, data } = inlineData as { mimeType: string; data: string }
  const bytes = new Code(`base64.b64decode(${literal(data, 'python')})`)
  return { inline_data: { mime_type: mimeType, data: bytes } }
}

/** Converts Google's own names only; names that callers or models chose, as in a schema, stay unchanged. */
function inSnakeCase(value: Body): Body {
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      name.endsWith('JsonSchema') || name === 'args' ? member : membersInSnakeCase(member),
    ]),
  )
}

function membersInSnakeCase(value: Json): Json {
  if (Array.isArray(value)) return value.map(membersInSnakeCase)
  return typeof value === 'object' && value !== null ? inSnakeCase(value as Body) : value
}
