import { list, object, text, type Json } from '../oracle/json.ts'
import { withoutAbsent, type Meaning } from './meaning.ts'

/** What a request to Gemini means: the same whatever shorthand it was written in. */
export function googleMeaning(body: Json): Meaning {
  const { systemInstruction, contents, tools, toolConfig, generationConfig, model: _model, ...others } = body
  const calling = object(object(toolConfig)['functionCallingConfig'])
  return withoutAbsent({
    system: list(object(systemInstruction)['parts']),
    turns: list(contents).map(turnOf),
    tools: list(tools).flatMap((tool) => list(tool['functionDeclarations']).map(declarationOf)),
    toolChoice: { mode: calling['mode'] ?? 'AUTO', names: calling['allowedFunctionNames'] ?? [] },
    generation: object(generationConfig),
    others,
  })
}

/** An answer that is sent back as it came may lack its role or its parts. */
function turnOf({ role, parts }: Json): Json {
  return { role: role ?? 'model', parts: list(parts).map(partOf) }
}

function partOf(part: Json): Json {
  if (part['functionCall'] === undefined) return part
  return { ...part, functionCall: { args: {}, ...object(part['functionCall']) } }
}

/** Types in capitals are Google's older spelling, `parametersJsonSchema` its newer field. */
function declarationOf({ parameters, parametersJsonSchema, ...declaration }: Json): Json {
  return { ...declaration, schema: lowerTypes(parametersJsonSchema ?? parameters) }
}

function lowerTypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lowerTypes)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, inner]): [string, unknown] =>
    name === 'type' && typeof inner === 'string'
      ? [name, text(inner).toLowerCase()]
      : [name, lowerTypes(inner)],
  )
  return Object.fromEntries(entries)
}
