import type { Message, ModelRequest, OutputFormat } from '@turnpike/protocol'

type SchemaOutput = Extract<OutputFormat, { type: 'json-schema' }>

/** For a vendor that only knows JSON: appends the schema to the instructions, without enforcement. */
export function withInstructedSchema(request: ModelRequest): ModelRequest {
  const { output, messages } = request
  if (output?.type !== 'json-schema') return request
  return { ...request, output: { type: 'json-object' }, messages: [...addInstruction(messages, output)] }
}

function addInstruction(messages: readonly Message[], output: SchemaOutput): readonly Message[] {
  const instruction: Message = { role: 'system', content: [{ kind: 'text', text: instructionOf(output) }] }
  const at = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer')
  const before = at === -1 ? messages.length : at
  return [...messages.slice(0, before), instruction, ...messages.slice(before)]
}

function instructionOf({ schema, description }: SchemaOutput): string {
  const what = description === undefined || description === '' ? '' : ` ${description}`
  return (
    'Answer with one JSON object that follows this JSON schema, and with nothing else: no Markdown, no ' +
    `text around it.${what}\n${JSON.stringify(schema)}`
  )
}
