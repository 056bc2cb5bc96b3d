import { readFileSync } from 'node:fs'
import type { PromptScore } from './prompt-score.ts'
import type { PromptToScore } from './prompt-to-score.ts'
import { createScorer } from './scorer.ts'
import { decodeWeights } from './weights.ts'

const weights = decodeWeights(readFileSync(new URL('weights.bin', import.meta.url)))
const score = createScorer(weights)

/** The weights in use: their version and the training run that they come from (SHA-256, hexadecimal). */
export const scorerWeights: Readonly<{ version: number; trainingRun: string }> = weights.header

/** Scores how hard a prompt is. Reads at most the first 2,000 and the last 1,000 characters of its text. */
export function scorePrompt(prompt: Pick<PromptToScore, 'text'>): PromptScore {
  return score(prompt.text)
}
