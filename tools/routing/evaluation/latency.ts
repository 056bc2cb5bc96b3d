import { scorePrompt } from '@turnpike/routing'
import type { Row } from '../training/rows.ts'

const rounds = 9

/**
 * How long scoring takes, as lines of a table. Call it before a second scorer exists: code that serves
 * several scorers is compiled for all of them, which no gateway does, and is slower.
 */
export function latencyLines(rows: readonly Row[]): string[] {
  const prompts = rows.filter(({ source }) => source === 'arena-hard-prompts').map(({ prompt }) => prompt)
  if (prompts.length === 0) return []
  const [times, longTimes] = [scoringTimes(prompts), scoringTimes(longTexts(prompts, 100_000, 200))]
  const formatUs = (microseconds: number): string => `${microseconds.toFixed(0)} µs`
  return [
    `| scoring an arena-hard prompt, p50 and p99 | ${formatUs(times.p50)}, ${formatUs(times.p99)} |`,
    `| scoring 100,000 characters, p50 and p99 | ${formatUs(longTimes.p50)}, ${formatUs(longTimes.p99)} |`,
  ]
}

/** Microseconds to score a text: each text's median over the rounds, since machines are shared. */
function scoringTimes(texts: readonly string[]): { p50: number; p99: number } {
  const times = texts.map(() => new Float64Array(rounds))
  for (let round = 0; round < rounds; round++) {
    for (const [index, text] of texts.entries()) {
      const begun = performance.now()
      scorePrompt({ text })
      times[index]![round] = (performance.now() - begun) * 1_000
    }
  }
  const medians = times.map((own) => own.sort()[rounds >> 1]!).sort((a, b) => a - b)
  return { p50: medians[medians.length >> 1]!, p99: medians[Math.floor(medians.length * 0.99)]! }
}

/** Texts of this length, composed of others. */
function longTexts(texts: readonly string[], characters: number, count: number): string[] {
  const joined = texts.join('\n\n')
  const whole = joined.repeat(Math.ceil((characters + count * 997) / joined.length))
  // Converted through bytes, so that each is a flat string of its own, as in a real request.
  return Array.from({ length: count }, (_, index) =>
    Buffer.from(whole.slice(index * 997, index * 997 + characters)).toString('utf8'),
  )
}
