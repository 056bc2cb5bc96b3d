import type { Usage } from '@turnpike/protocol'
import { memberOf, tierNamed } from '../../answers/paid-services.ts'
import { isMiscount, tokenCount as count } from '../../answers/token-count.ts'

/** https://ai.google.dev/api/generate-content#UsageMetadata */
interface UsageMetadata {
  promptTokenCount?: unknown
  cachedContentTokenCount?: unknown
  candidatesTokenCount?: unknown
  thoughtsTokenCount?: unknown
  toolUsePromptTokenCount?: unknown
  promptTokensDetails?: unknown
  cacheTokensDetails?: unknown
  candidatesTokensDetails?: unknown
  toolUsePromptTokensDetails?: unknown
  /** The tier that answered, under the Gemini API's name and Vertex AI's. */
  serviceTier?: unknown
  trafficType?: unknown
}

const counts = [
  'promptTokenCount',
  'candidatesTokenCount',
  'thoughtsTokenCount',
  'toolUsePromptTokenCount',
] as const

/** Also by number, which Vertex sends if enumerations are requested as integers. */
const audio = new Set<unknown>(['AUDIO', 4])
const picture = new Set<unknown>(['IMAGE', 2])
/** Pages of documents are read, counted and priced as images. */
const image = new Set<unknown>(['IMAGE', 2, 'DOCUMENT', 5])

/**
 * Splits Google's counts into disjoint buckets. Cached tokens are included in the prompt's; input of its own
 * tools and thoughts are counted separately. Undefined if there is no count of the prompt, as in all but the
 * last of Vertex's events.
 */
export function parseUsage(raw: unknown): Usage | undefined {
  if (typeof raw !== 'object' || raw === null) return undefined
  const body = raw as UsageMetadata
  if (counts.some((name) => isMiscount(body[name]))) return { raw, disbelieved: 'implausible' }
  const prompt = count(body.promptTokenCount)
  if (prompt === undefined) return undefined
  const usage: Usage = { raw }
  const toolUse = count(body.toolUsePromptTokenCount) ?? 0
  const cached = count(body.cachedContentTokenCount)
  let rest = prompt + toolUse
  const part = (tokens: number): number => {
    const taken = Math.max(0, Math.min(tokens, rest))
    rest -= taken
    return taken
  }
  const cachedAudio = cached === undefined ? undefined : ofModality(body.cacheTokensDetails, audio)
  if (cachedAudio !== undefined) usage.cacheReadAudioTokens = part(Math.min(cachedAudio, cached ?? 0))
  if (cached !== undefined) usage.cacheReadTokens = part(cached - (usage.cacheReadAudioTokens ?? 0))
  const audioTokens = readTokens(body, audio)
  if (audioTokens !== undefined) usage.inputAudioTokens = part(audioTokens)
  const imageTokens = readTokens(body, image)
  if (imageTokens !== undefined) usage.inputImageTokens = part(imageTokens)
  usage.inputTokens = rest
  parseOutput(usage, body)
  const tier = tierNamed(body.serviceTier) ?? tierNamed(body.trafficType)
  if (tier !== undefined) usage.serviceTier = tier
  return usage
}

function parseOutput(usage: Usage, body: UsageMetadata): void {
  const candidates = count(body.candidatesTokenCount)
  const thoughts = count(body.thoughtsTokenCount)
  if (thoughts !== undefined) usage.reasoningTokens = thoughts
  if (candidates === undefined) return
  const audioTokens = ofModality(body.candidatesTokensDetails, audio)
  if (audioTokens !== undefined) usage.outputAudioTokens = Math.min(audioTokens, candidates)
  let rest = candidates - (usage.outputAudioTokens ?? 0)
  const drawn = ofModality(body.candidatesTokensDetails, picture)
  if (drawn !== undefined) {
    usage.outputImageTokens = Math.min(drawn, rest)
    rest -= usage.outputImageTokens
  }
  usage.outputTokens = rest
}

/** Tokens of a kind with its own price, without those from the cache, which have the cache's price. */
function readTokens(body: UsageMetadata, kind: ReadonlySet<unknown>): number | undefined {
  const prompt = ofModality(body.promptTokensDetails, kind)
  const toolUse = ofModality(body.toolUsePromptTokensDetails, kind)
  if (prompt === undefined && toolUse === undefined) return undefined
  return (prompt ?? 0) + (toolUse ?? 0) - (ofModality(body.cacheTokensDetails, kind) ?? 0)
}

function ofModality(details: unknown, kind: ReadonlySet<unknown>): number | undefined {
  if (!Array.isArray(details)) return undefined
  let total: number | undefined
  for (const detail of details as ({ modality?: unknown; tokenCount?: unknown } | null)[]) {
    const tokens = kind.has(detail?.modality) ? count(detail?.tokenCount) : undefined
    if (tokens !== undefined) total = (total ?? 0) + tokens
  }
  return total
}

/**
 * How often Google searched the web for these candidates. Each query is billed, except empty ones
 * (https://ai.google.dev/gemini-api/docs/google-search#pricing).
 */
export function searchesOf(candidates: unknown): number {
  if (!Array.isArray(candidates)) return 0
  let searches = 0
  for (const candidate of candidates as unknown[]) {
    const grounding = memberOf(candidate, 'groundingMetadata')
    if (grounding === undefined) continue
    searches += queriesOf(grounding, 'webSearchQueries') + queriesOf(grounding, 'imageSearchQueries')
  }
  return searches
}

function queriesOf(grounding: unknown, name: string): number {
  const queries = memberOf(grounding, name)
  return Array.isArray(queries) ? queries.filter((query) => query !== '').length : 0
}
