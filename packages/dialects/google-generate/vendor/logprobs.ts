/** One token of OpenAI's `logprobs.content[]`. */
interface TokenLogprob {
  token: string
  logprob: number
  bytes: number[]
}

interface GoogleToken {
  token?: unknown
  logProbability?: unknown
}

/**
 * Google's `logprobsResult` in the shape that OpenAI's clients read
 * (https://platform.openai.com/docs/api-reference/chat/object#chat/object-choices). Undefined if it has no
 * tokens.
 */
export function parseLogprobs(result: unknown): object | undefined {
  if (typeof result !== 'object' || result === null) return undefined
  const { chosenCandidates: chosen, topCandidates: top } = result as {
    chosenCandidates?: unknown
    topCandidates?: unknown
  }
  if (!Array.isArray(chosen) || chosen.length === 0) return undefined
  const content = (chosen as GoogleToken[]).map((token, index) => ({
    ...parseToken(token),
    top_logprobs: topOf(top, index).map(parseToken),
  }))
  return { content, refusal: null }
}

function topOf(top: unknown, index: number): GoogleToken[] {
  if (!Array.isArray(top)) return []
  const candidates = (top[index] as { candidates?: unknown } | null | undefined)?.candidates
  return Array.isArray(candidates) ? (candidates as GoogleToken[]) : []
}

function parseToken({ token, logProbability }: GoogleToken): TokenLogprob {
  const text = typeof token === 'string' ? token : ''
  return {
    token: text,
    // A probability of 1 has the logarithm 0, and Google omits zeros.
    logprob: typeof logProbability === 'number' ? logProbability : 0,
    bytes: [...Buffer.from(text)],
  }
}
