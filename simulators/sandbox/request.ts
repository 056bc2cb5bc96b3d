import { SandboxError } from './error.ts'

/** The fields of a chat completion request that the sandbox reads; all others are accepted and ignored. */
export interface SandboxRequest {
  model: string
  messages: SandboxMessage[]
  stream: boolean
  includeUsage: boolean
  choices: number
  maxTokens: number | undefined
  stop: string[]
  tools: SandboxTool[]
  toolChoice: SandboxToolChoice
  output: { type: 'text' } | { type: 'json-object' } | { type: 'json-schema'; schema: unknown }
}

interface SandboxMessage {
  role: string
  text: string
}

export interface SandboxTool {
  name: string
  parameters: unknown
}

type SandboxToolChoice = { type: 'none' | 'auto' | 'required' } | { type: 'named'; name: string }

/** More would let one request create a script of many megabytes. */
const largestChoiceCount = 8

type Fields = Record<string, unknown>

/** @throws {SandboxError} 400 naming the field, as OpenAI would */
export function readRequest(body: Buffer): SandboxRequest {
  const fields = parseBody(body)
  if (typeof fields.model !== 'string' || fields.model === '')
    throw new SandboxError(400, 'you must provide a model parameter', { param: 'model' })
  const tools = readTools(fields.tools)
  return {
    model: fields.model,
    messages: readMessages(fields.messages),
    stream: fields.stream === true,
    includeUsage: isFields(fields.stream_options) && fields.stream_options.include_usage === true,
    choices: wholeNumber(fields, 'n', largestChoiceCount) ?? 1,
    maxTokens: wholeNumber(fields, 'max_completion_tokens') ?? wholeNumber(fields, 'max_tokens'),
    stop: readStop(fields.stop),
    tools,
    toolChoice: readToolChoice(fields.tool_choice, tools),
    output: readOutput(fields.response_format),
  }
}

function parseBody(body: Buffer): Fields {
  let value: unknown
  try {
    value = JSON.parse(body.toString('utf8'))
  } catch (error) {
    throw new SandboxError(400, `We could not parse the JSON body of your request: ${String(error)}`)
  }
  if (isFields(value)) return value
  throw new SandboxError(400, 'The body of the request must be a JSON object.')
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function readMessages(value: unknown): SandboxMessage[] {
  if (!Array.isArray(value) || value.length === 0)
    throw new SandboxError(400, "Invalid 'messages': expected an array with at least one message.", {
      param: 'messages',
    })
  return value.map((message: unknown, index) => {
    if (!isFields(message) || typeof message.role !== 'string')
      throw new SandboxError(400, `Invalid 'messages[${index}]': expected an object with a role.`, {
        param: `messages[${index}].role`,
      })
    return { role: message.role, text: contentText(message.content) }
  })
}

/** The text of a content, which is a string or a list of parts; a part without text is shown by its type. */
function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .map((part: unknown) => {
      if (!isFields(part)) return ''
      return typeof part.text === 'string' ? part.text : `[${String(part.type)}]`
    })
    .join('\n')
}

function wholeNumber(fields: Fields, name: string, largest = Number.MAX_SAFE_INTEGER): number | undefined {
  const value = fields[name]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= largest) return value
  const bound = largest === Number.MAX_SAFE_INTEGER ? 'of at least 1' : `from 1 to ${largest}`
  throw new SandboxError(400, `Invalid '${name}': expected an integer ${bound}.`, { param: name })
}

function readStop(value: unknown): string[] {
  if (value === undefined || value === null) return []
  const list: unknown[] = Array.isArray(value) ? value : [value]
  if (list.length > 4 || !list.every((one) => typeof one === 'string'))
    throw new SandboxError(400, "Invalid 'stop': expected a string or up to 4 strings.", { param: 'stop' })
  return list.filter((one) => one !== '')
}

function readTools(value: unknown): SandboxTool[] {
  if (!Array.isArray(value)) return []
  const tools: SandboxTool[] = []
  for (const tool of value as unknown[]) {
    if (!isFields(tool) || tool.type !== 'function' || !isFields(tool.function)) continue
    if (typeof tool.function.name === 'string')
      tools.push({ name: tool.function.name, parameters: tool.function.parameters })
  }
  return tools
}

function readToolChoice(value: unknown, tools: SandboxTool[]): SandboxToolChoice {
  if (value === undefined || value === null) return { type: 'auto' }
  if (value === 'none' || value === 'auto' || value === 'required') return { type: value }
  const namedFunction = isFields(value) && isFields(value.function) ? value.function.name : undefined
  const tool = tools.find((one) => one.name === namedFunction)
  if (tool !== undefined) return { type: 'named', name: tool.name }
  throw new SandboxError(
    400,
    "Invalid 'tool_choice': expected none, auto, required or a function in 'tools'.",
    {
      param: 'tool_choice',
    },
  )
}

function readOutput(value: unknown): SandboxRequest['output'] {
  if (!isFields(value)) return { type: 'text' }
  if (value.type === 'json_object') return { type: 'json-object' }
  if (value.type === 'json_schema' && isFields(value.json_schema))
    return { type: 'json-schema', schema: value.json_schema.schema }
  return { type: 'text' }
}
