import { list, object, text, type Json } from '../oracle/json.ts'
import { mediaOf, schemaOf } from './google-spelling.ts'
import { withoutAbsent, type Meaning } from './meaning.ts'

/** The meaning of a request to Gemini, whatever shorthand it uses. */
export function googleMeaning(body: Json): Meaning {
  const { systemInstruction, contents, tools, toolConfig, generationConfig, model: _model, ...others } = body
  const calling = object(object(toolConfig)['functionCallingConfig'])
  return withoutAbsent({
    system: list(object(systemInstruction)['parts']),
    turns: turnsOf(list(contents)),
    tools: list(tools).flatMap((tool) => list(tool['functionDeclarations']).map(declarationOf)),
    toolChoice: { mode: calling['mode'] ?? 'AUTO', names: calling['allowedFunctionNames'] ?? [] },
    generation: settingsOf(object(generationConfig)),
    others,
  })
}

/**
 * Consecutive turns of one role are one turn. An answer that is sent back unchanged may lack its role or its
 * parts.
 */
function turnsOf(contents: readonly Json[]): { role: unknown; parts: Json[] }[] {
  const turns: { role: unknown; parts: Json[] }[] = []
  for (const { role: given, parts: said } of contents) {
    const role = given ?? 'model'
    const parts = list(said).map(partOf)
    const last = turns.at(-1)
    if (last?.role === role) last.parts.push(...parts)
    else turns.push({ role, parts })
  }
  return turns
}

function partOf(part: Json): Json {
  const media = mediaOf(part)
  if (media !== undefined) return { inlineData: media }
  const { functionCall: call, functionResponse: result, ...others } = part
  if (call !== undefined) return { ...others, functionCall: { args: {}, ...object(call) } }
  if (result === undefined) return part
  const { parts, ...response } = object(result)
  return {
    functionResponse: parts === undefined ? response : { ...response, parts: list(parts).map(partOf) },
  }
}

/** The schema of an object without properties means no schema, and Google's older API refuses it. */
function declarationOf(given: Json): Json {
  const { name, description } = given
  const schema = schemaOf(given)
  const properties = Object.keys(object(object(schema)['properties']))
  return { name, description, ...(properties.length === 0 ? {} : { schema }) }
}

/** Levels may be in either case, and text is the default modality. */
function settingsOf({ thinkingConfig, responseModalities, ...settings }: Json): Json {
  const { thinkingLevel: level, ...thinking } = object(thinkingConfig)
  const thinkingLevel = level === undefined ? {} : { thinkingLevel: text(level).toLowerCase() }
  const isText = JSON.stringify(responseModalities ?? ['TEXT']) === '["TEXT"]'
  return {
    ...settings,
    ...(thinkingConfig === undefined ? {} : { thinkingConfig: { ...thinking, ...thinkingLevel } }),
    ...(isText ? {} : { responseModalities }),
  }
}
