import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { besideCheckout } from './beside-checkout.ts'

/** For tests only: validates responses by OpenAI's own schemas. */
export interface OpenaiSchemas {
  /** Violations in a whole completion; empty if it is valid. */
  faultsOfCompletion(value: unknown): string[]
  /** Violations in one chunk of a stream. */
  faultsOfChunk(value: unknown): string[]
  faultsOfModel(value: unknown): string[]
  faultsOfModelList(value: unknown): string[]
  /** Violations in a whole response of the Responses API. */
  faultsOfResponse(value: unknown): string[]
  /** Violations in one event of a stream of the Responses API. */
  faultsOfResponseEvent(value: unknown): string[]
  /** Violations in an error's envelope, where `code` must be a string. */
  faultsOfError(value: unknown): string[]
}

/** Undefined if the schemas are missing. */
export function openaiSchemas(): OpenaiSchemas | undefined {
  const specification = besideCheckout('openaiSchemas')
  if (specification === undefined) return undefined
  const document: unknown = withNullUnions(JSON.parse(readFileSync(specification, 'utf8')))
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })
  ajv.addSchema(document as object, 'openai')
  const faultsOf = (name: string) => {
    const validate = ajv.compile({ $ref: `openai#/components/schemas/${name}` })
    return (value: unknown): string[] =>
      validate(value) ? [] : (validate.errors ?? []).map((one) => `${one.instancePath} ${one.message}`)
  }
  return {
    faultsOfCompletion: faultsOf('CreateChatCompletionResponse'),
    faultsOfChunk: faultsOf('CreateChatCompletionStreamResponse'),
    faultsOfModel: faultsOf('Model'),
    faultsOfModelList: faultsOf('ListModelsResponse'),
    faultsOfResponse: faultsOf('Response'),
    faultsOfResponseEvent: eventFaults(document as SchemaDocument, faultsOf),
    faultsOfError: faultsOf('ErrorResponse'),
  }
}

interface SchemaDocument {
  components: { schemas: Record<string, { properties?: { type?: { enum?: string[] } } }> }
}

/** Validates by the schema of the event's own type, so that the messages name the real violation. */
function eventFaults(
  { components }: SchemaDocument,
  faultsOf: (name: string) => (value: unknown) => string[],
): (event: unknown) => string[] {
  const byType = new Map<string, (value: unknown) => string[]>()
  return (event) => {
    const { type, response, ...rest } = event as { type: string; response?: { usage?: unknown } }
    const [name] =
      Object.entries(components.schemas).find(
        ([key, { properties }]) => key.startsWith('Response') && properties?.type?.enum?.includes(type),
      ) ?? []
    if (name === undefined) return [`${type} is no event of Responses`]
    const faults = byType.get(type) ?? faultsOf(name)
    byType.set(type, faults)
    if (response === undefined) return faults({ type, ...rest })
    // Until a response is complete, OpenAI itself sends null, which its schema does not allow.
    const { usage, ...told } = response
    return faults({ type, ...rest, response: usage === null ? told : response })
  }
}

/** Translates OpenAPI 3.0's `nullable`, which the document still uses, to JSON Schema as in OpenAPI 3.1. */
function withNullUnions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNullUnions)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, inner]) => [name, withNullUnions(inner)] as const)
  if (!('nullable' in value) || value.nullable !== true) return Object.fromEntries(entries)
  const rest = Object.fromEntries(entries.filter(([name]) => name !== 'nullable'))
  return { anyOf: [rest, { type: 'null' }] }
}
