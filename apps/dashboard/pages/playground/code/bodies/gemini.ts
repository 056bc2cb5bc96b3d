import type { Turn } from '../../conversation/turn.ts'
import type { CodeRequest, Format } from '../code-request.ts'
import { argumentsOf, base64Of, textOf, withoutUndefined, unlessEmpty, type Body, type Json } from './body.ts'

/** The request in the format of generateContent; the model is in the path. */
export function generateBody(request: CodeRequest): Body {
  const { system, turns } = request
  const { tools, toolConfig, serviceTier, ...generationConfig } = configOf(request)
  return withoutUndefined({
    systemInstruction: system === '' ? undefined : { parts: [{ text: system }] },
    contents: contentsOf(turns),
    generationConfig: unlessEmpty(generationConfig),
    tools,
    toolConfig,
    serviceTier,
  })
}

/** Why Gemini's API cannot express a request; undefined if it can. */
export function misfitOfGemini({ serviceTier }: CodeRequest): string | undefined {
  if (serviceTier === undefined || tiers.includes(serviceTier)) return undefined
  return `Gemini only supports the service tiers ${tiers.join(' and ')}.`
}

const tiers: readonly string[] = ['flex', 'priority']

/** The request's `config` in the SDK: everything except the conversation. */
export function configOf({ maxTokens, effort, temperature, topP, stop, seed, ...more }: CodeRequest): Body {
  return withoutUndefined({
    maxOutputTokens: maxTokens,
    temperature,
    topP,
    stopSequences: stop && [...stop],
    seed,
    thinkingConfig: thinkingOf(effort),
    ...formatOf(more.format),
    tools: more.tools && [{ functionDeclarations: more.tools.map(declarationOf) }],
    toolConfig: toolConfigOf(more.toolChoice),
    serviceTier: more.serviceTier,
  })
}

function declarationOf({ name, description, parameters }: NonNullable<CodeRequest['tools']>[number]): Body {
  return withoutUndefined({ name, description, parametersJsonSchema: parameters })
}

/** Tool results have the role `user` here; all results of one answer are in one turn. */
export function contentsOf(turns: CodeRequest['turns']): Json[] {
  const contents: { role: string; parts: Json[]; ofTools: boolean }[] = []
  for (const turn of turns) {
    const last = contents.at(-1)
    if (turn.role === 'tool' && last?.ofTools === true) last.parts.push(...partsOf(turn))
    else
      contents.push({
        role: turn.role === 'assistant' ? 'model' : 'user',
        parts: partsOf(turn),
        ofTools: turn.role === 'tool',
      })
  }
  return contents.map(({ role, parts }) => ({ role, parts }))
}

function partsOf(turn: Turn): Json[] {
  if (turn.role === 'tool')
    return [{ functionResponse: { id: turn.callId, name: turn.name, response: { result: turn.text } } }]
  const texts = turn.text === '' ? [] : [{ text: turn.text }]
  if (turn.role === 'assistant') {
    const calls = (turn.toolCalls ?? []).map(({ id, name, arguments: text }) => ({
      functionCall: { id, name, args: argumentsOf(text) },
    }))
    return [...texts, ...calls]
  }
  const parts = (turn.attachments ?? []).map((one): Json =>
    one.kind === 'text'
      ? { text: textOf(one) }
      : { inlineData: { mimeType: one.mimeType, data: base64Of(one) } },
  )
  return [...parts, ...texts]
}

/** The effort in Google's terms. */
function thinkingOf(effort: CodeRequest['effort']): Body | undefined {
  if (effort === undefined) return undefined
  return effort === 'none' ? { thinkingBudget: 0 } : { thinkingLevel: effort.toUpperCase() }
}

function formatOf(format: Format | undefined): Body {
  if (format === undefined) return {}
  const schema = format.kind === 'schema' ? format.schema : undefined
  return withoutUndefined({ responseMimeType: 'application/json', responseJsonSchema: schema })
}

function toolConfigOf(choice: CodeRequest['toolChoice']): Json | undefined {
  if (choice === undefined) return undefined
  const config =
    typeof choice === 'object'
      ? { mode: 'ANY', allowedFunctionNames: [choice.name] }
      : { mode: choice === 'required' ? 'ANY' : 'NONE' }
  return { functionCallingConfig: config }
}
