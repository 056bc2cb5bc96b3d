import { wordsIn } from './embeddings.ts'
import { SandboxError } from './error.ts'
import { isFields } from './request.ts'
import { countTokens } from './tokens.ts'

/** The fields of OpenAI's moderation request that the sandbox reads. */
export interface SandboxModerateRequest {
  model: string
  /** Each is judged separately. */
  texts: string[]
}

/** Words that trigger a category. */
const words: Record<string, readonly string[]> = {
  harassment: ['idiot', 'stupid'],
  hate: ['hate'],
  illicit: ['bomb', 'steal'],
  'self-harm': ['suicide'],
  sexual: ['porn'],
  violence: ['kill', 'murder', 'attack'],
}

/** @throws {SandboxError} 400 naming the field */
export function readModerateRequest(body: Buffer): SandboxModerateRequest {
  const fields: unknown = JSON.parse(body.toString('utf8'))
  if (!isFields(fields) || typeof fields.model !== 'string')
    throw new SandboxError(400, 'you must provide a model parameter', { param: 'model' })
  const { input } = fields
  if (typeof input === 'string') return { model: fields.model, texts: [input] }
  if (!Array.isArray(input) || input.length === 0)
    throw new SandboxError(400, "'$.input' is invalid.", { param: 'input' })
  const parts: unknown[] = input
  if (parts.every((one) => typeof one === 'string')) return { model: fields.model, texts: parts }
  const partTexts = parts.map((one) => (isFields(one) && typeof one.text === 'string' ? one.text : ''))
  return { model: fields.model, texts: [partTexts.join('\n')] }
}

/** Flags an input by its words alone, so that results are the same on every machine. */
export function moderationBody(
  id: string,
  { model, texts }: SandboxModerateRequest,
  told: { usage: boolean },
): { body: string; tokens: number } {
  let tokens = 0
  const results = texts.map((text) => {
    tokens += countTokens(text)
    const spokenWords = new Set(wordsIn(text))
    const judged = Object.entries(words).map(
      ([category, ofIt]) => [category, ofIt.some((word) => spokenWords.has(word))] as const,
    )
    return {
      flagged: judged.some(([, isSaid]) => isSaid),
      categories: Object.fromEntries(judged),
      category_scores: Object.fromEntries(judged.map(([name, isSaid]) => [name, isSaid ? 0.98 : 0.01])),
    }
  })
  const usage = told.usage ? { usage: { prompt_tokens: tokens, total_tokens: tokens } } : {}
  return { body: JSON.stringify({ id, model, results, ...usage }), tokens }
}
