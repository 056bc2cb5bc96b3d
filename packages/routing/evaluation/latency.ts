import { scorePrompt } from '../scoring/score-prompt.ts'

const rounds = 9

/** Microseconds that scoring a text takes: of each its median over the rounds, since machines are shared. */
export function scoringTimes(texts: readonly string[]): { p50: number; p99: number } {
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

/** Texts of so many characters, made of others. */
export function longTexts(texts: readonly string[], characters: number, count: number): string[] {
  const joined = texts.join('\n\n')
  const whole = joined.repeat(Math.ceil((characters + count * 997) / joined.length))
  // Through bytes, so that each is a flat string of its own, as a request's would be.
  return Array.from({ length: count }, (_, index) =>
    Buffer.from(whole.slice(index * 997, index * 997 + characters)).toString('utf8'),
  )
}
