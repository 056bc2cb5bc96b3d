import type { PromptScore } from './prompt-score.ts'
import type { PromptToScore } from './prompt-to-score.ts'
import { cheapestTierWithin, profileDeltas } from './profiles.ts'

/** How hard a prompt is. Scans at most the first 2,000 and the last 1,000 characters of its text. */
export function scorePrompt(prompt: PromptToScore): PromptScore {
  const length = Math.min(1, Math.log1p(prompt.text.length) / Math.log(20_000))
  const probabilities = {
    SIMPLE: 0.98 - 0.4 * length,
    MEDIUM: 0.98 - 0.2 * length,
    COMPLEX: 0.98 - 0.05 * length,
    REASONING: 0.98,
  }
  return {
    tier: cheapestTierWithin(probabilities, profileDeltas.auto),
    score: length,
    probabilities,
    confident: true,
    known: 0,
    reasons: () => [{ text: `${prompt.text.length} characters`, weight: length }],
  }
}
