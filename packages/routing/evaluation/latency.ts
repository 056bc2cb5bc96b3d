import { scorePrompt } from '../scoring/score-prompt.ts'

const rounds = 5

/**
 * Microseconds that scoring one of the texts takes: of the quietest of five rounds, since the machine is
 * shared.
 */
export function scoringTimes(texts: readonly string[]): { p50: number; p99: number } {
  const results = Array.from({ length: rounds }, () => {
    const times = texts.map((text) => {
      const begun = performance.now()
      scorePrompt({ text })
      return (performance.now() - begun) * 1_000
    })
    times.sort((a, b) => a - b)
    return { p50: times[Math.floor(times.length / 2)]!, p99: times[Math.floor(times.length * 0.99)]! }
  })
  return results.reduce((best, one) => (one.p99 < best.p99 ? one : best))
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
