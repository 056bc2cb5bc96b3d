import { list, object, text, type Json } from '../oracle/json.ts'
import { mediaOf, schemaOf } from '../parity/google-spelling.ts'

/**
 * The request in OpenAI's format that has the meaning of this request to Google; undefined if OpenAI cannot
 * express it, for example tools that Google runs itself.
 */
export function askedOfGoogle(recorded: Json): Json | undefined {
  const { systemInstruction, contents, tools, toolConfig, generationConfig, ...others } = recorded
  if (Object.keys(others).length > 0) return undefined
  const declared = list(tools).flatMap((tool) => list(tool['functionDeclarations']))
  if (list(tools).some((tool) => tool['functionDeclarations'] === undefined)) return undefined
  const messages = new Conversation()
  for (const content of list(contents)) messages.add(content)
  const system = list(object(systemInstruction)['parts'])
  return present({
    messages: [
      ...(system.length === 0 ? [] : [{ role: 'system', content: system.map(openaiPart) }]),
      ...messages.said,
    ],
    tools: declared.length === 0 ? undefined : declared.map(openaiTool),
    ...openaiChoice(object(object(toolConfig)['functionCallingConfig'])),
    ...openaiSettings(object(generationConfig)),
  })
}

/** Google matches calls and results by position and name, OpenAI by identifier. */
class Conversation {
  readonly said: Json[] = []
  #open: { id: string; name: unknown }[] = []
  #calls = 0

  add({ role, parts: given }: Json): void {
    const parts = list(given)
    if (role === 'model') this.#answer(parts)
    else this.#question(parts)
  }

  #answer(parts: readonly Json[]): void {
    const calls = parts.filter((part) => part['functionCall'] !== undefined)
    const texts = parts.filter((part) => part['text'] !== undefined)
    const made = calls.map((part) => {
      const { name, args } = object(part['functionCall'])
      const id = `call_${this.#calls++}`
      this.#open.push({ id, name })
      return { id, type: 'function', function: { name, arguments: JSON.stringify(args ?? {}) } }
    })
    const content = texts.length === 0 ? null : texts.map(openaiPart)
    this.said.push(present({ role: 'assistant', content, tool_calls: made.length === 0 ? undefined : made }))
  }

  #question(parts: readonly Json[]): void {
    const others: Json[] = []
    for (const part of parts) {
      const { name, response, parts: attached } = object(part['functionResponse'])
      if (part['functionResponse'] === undefined) others.push(openaiPart(part))
      else {
        const at = this.#open.findIndex((call) => call.name === name)
        const [call] = this.#open.splice(at, 1)
        const result = resultText(object(response))
        const media = list(attached).map(openaiPart)
        const content = media.length === 0 ? result : [{ type: 'text', text: result }, ...media]
        this.said.push({ role: 'tool', tool_call_id: call!.id, content })
      }
    }
    if (others.length > 0) this.said.push({ role: 'user', content: others })
  }
}

/** A text is under `output`, as Google documents; every other object is JSON. */
function resultText(response: Json): string {
  const only = Object.keys(response).length === 1 ? response['output'] : undefined
  return typeof only === 'string' ? only : JSON.stringify(response)
}

function openaiPart(part: Json): Json {
  const media = mediaOf(part)
  if (media === undefined) return { type: 'text', text: part['text'] }
  const { mimeType, data } = media
  const [kind, format] = mimeType.split('/')
  const url = `data:${mimeType};base64,${data}`
  if (kind === 'image') return { type: 'image_url', image_url: { url } }
  if (kind === 'audio') return { type: 'input_audio', input_audio: { data, format } }
  return { type: 'file', file: { file_data: url } }
}

function openaiTool(declaration: Json): Json {
  const { name, description } = declaration
  return { type: 'function', function: present({ name, description, parameters: schemaOf(declaration) }) }
}

function openaiChoice({ mode, allowedFunctionNames }: Json): Json {
  const [name] = (allowedFunctionNames ?? []) as unknown[]
  if (name !== undefined) return { tool_choice: { type: 'function', function: { name } } }
  const words: Json = { ANY: 'required', AUTO: 'auto', NONE: 'none' }
  return present({ tool_choice: words[text(mode)] })
}

function openaiSettings(config: Json): Json {
  const { thinkingBudget, thinkingLevel, includeThoughts } = object(config['thinkingConfig'])
  const reasoning = present({
    max_tokens: thinkingBudget,
    effort: typeof thinkingLevel === 'string' ? thinkingLevel.toLowerCase() : undefined,
    exclude: includeThoughts === false ? true : undefined,
  })
  const schema = config['responseJsonSchema']
  const json_schema = { name: 'answer', schema }
  return present({
    max_completion_tokens: config['maxOutputTokens'],
    temperature: config['temperature'],
    top_p: config['topP'],
    top_k: config['topK'],
    stop: config['stopSequences'],
    seed: config['seed'],
    presence_penalty: config['presencePenalty'],
    frequency_penalty: config['frequencyPenalty'],
    logprobs: config['responseLogprobs'],
    top_logprobs: config['logprobs'],
    reasoning: Object.keys(reasoning).length === 0 ? undefined : reasoning,
    response_format: schema === undefined ? undefined : { type: 'json_schema', json_schema },
  })
}

function present(fields: Json): Json {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
