import { PartialArguments } from './google-arguments.ts'
import { count, list, object, text, type Json } from './json.ts'
import { emptyChoice, type SaidAnswer, type SaidChoice, type SaidUsage } from './said-answer.ts'

/**
 * Gemini's answer, plain or as the chunks of a stream, each of which has the same format:
 * https://ai.google.dev/api/generate-content#v1beta.GenerateContentResponse.
 */
export function googleAnswer(bodies: readonly Json[]): SaidAnswer {
  const candidates = new Map<number, Candidate>()
  let usage: SaidUsage | undefined
  let blocked = false
  for (const body of bodies) {
    blocked ||= object(body['promptFeedback'])['blockReason'] !== undefined
    for (const candidate of list(body['candidates'])) {
      const index = count(candidate['index'])
      const open = candidates.get(index) ?? { said: emptyChoice(), partial: undefined }
      candidates.set(index, open)
      for (const part of list(object(candidate['content'])['parts'])) sayPart(open, part)
      const { finishReason } = candidate
      if (finishReason !== undefined) open.said.finish = finishOf(finishReason, open.said)
    }
    usage = usageOf(object(body['usageMetadata'])) ?? usage
  }
  // A blocked prompt has no candidates, but the caller still gets an answer that says so.
  if (candidates.size === 0 && blocked)
    candidates.set(0, { said: { ...emptyChoice(), finish: 'content_filter' }, partial: undefined })
  return { choices: [...candidates.values()].map(({ said }) => said), usage }
}

interface Candidate {
  said: SaidChoice
  /** The arguments of a call, if they come in pieces. */
  partial: PartialArguments | undefined
}

/** `toolCall` and `toolResponse` belong to tools that Google runs itself: no client can send them back. */
function sayPart(open: Candidate, part: Json): void {
  const { said } = open
  if (part['toolCall'] !== undefined || part['toolResponse'] !== undefined) return
  if (part['functionCall'] !== undefined) sayCall(open, object(part['functionCall']))
  else if (part['thought'] === true) said.reasoning += text(part['text'])
  else said.text += text(part['text'])
  const signature = text(part['thoughtSignature'])
  if (signature !== '') said.proofs.push({ signature, text: text(part['text']) })
}

function sayCall(open: Candidate, call: Json): void {
  const { said } = open
  const pieces = call['partialArgs'] !== undefined || call['willContinue'] === true
  if (open.partial === undefined) {
    if (pieces) open.partial = new PartialArguments()
    const id = text(call['id'])
    said.toolCalls.push({
      id: id === '' ? undefined : id,
      name: text(call['name']),
      arguments: open.partial?.value ?? call['args'] ?? {},
    })
  }
  open.partial?.add(call['partialArgs'])
  if (call['willContinue'] !== true) open.partial = undefined
}

/** Some clients record the enumeration's numbers instead of its names. */
const numbered = ['', 'STOP', 'MAX_TOKENS', 'SAFETY', 'RECITATION', 'OTHER']

const filtered = new Set([
  'SAFETY',
  'RECITATION',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'IMAGE_SAFETY',
  'MODEL_ARMOR',
])

/** Google reports STOP even after a tool call. */
function finishOf(reason: unknown, said: SaidChoice): string {
  const name = typeof reason === 'number' ? numbered[reason]! : text(reason)
  if (filtered.has(name)) return 'content_filter'
  if (name === 'MAX_TOKENS') return 'length'
  return said.toolCalls.length > 0 ? 'tool_calls' : 'stop'
}

/** Reasoning tokens are not included in the candidates, nor the tools' prompt tokens in the prompt. */
function usageOf(usage: Json): SaidUsage | undefined {
  if (typeof usage['promptTokenCount'] !== 'number') return undefined
  const reasoning = count(usage['thoughtsTokenCount'])
  return {
    prompt: usage['promptTokenCount'] + count(usage['toolUsePromptTokenCount']),
    completion: count(usage['candidatesTokenCount']) + reasoning,
    cached: count(usage['cachedContentTokenCount']),
    cacheWritten: 0,
    written1h: 0,
    reasoning,
  }
}
