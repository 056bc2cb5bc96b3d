import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { scorePrompt } from '@turnpike/routing'
import { besideCheckout } from '@turnpike/simulators/beside-checkout'

/* Measures what auto-routing adds to a request: scoring its prompt, which blocks the event loop. */

const rounds = 9

/** Microseconds (docs/contract.md, 16). */
const budgets = { p50: 100, p99: 1_000 }

/** Kilobytes of garbage that a call may produce. */
const maxGarbageKb = 100

interface Times {
  p50: number
  p99: number
}

/** Prints how long scoring takes; false if a budget is exceeded. */
export function measureScoring(): boolean {
  const prompts = realPrompts() ?? makePrompts()
  const sets: [string, string[]][] = [
    ['as they are', prompts],
    ['100,000 characters', longPrompts(prompts, 100_000)],
    [
      '100,000 characters, Chinese',
      longPrompts(['设计一个支持百万级并发的消息队列系统，并证明其正确性。'], 100_000),
    ],
  ]
  let holds = true
  for (const [name, texts] of sets) {
    const { p50, p99 } = timesOf(texts)
    const garbageKb = garbageOf(texts)
    const keeps = p50 <= budgets.p50 && p99 <= budgets.p99 && garbageKb <= maxGarbageKb
    holds &&= keeps
    const figures = `p50 ${p50.toFixed(0)} µs, p99 ${p99.toFixed(0)} µs, ${garbageKb.toFixed(1)} KB a call`
    console.log(`${keeps ? 'ok  ' : 'over'} ${name.padEnd(28)} ${figures} (${texts.length} prompts)`)
  }
  console.log(`budget: p50 ${budgets.p50} µs, p99 ${budgets.p99} µs, ${maxGarbageKb} KB a call`)
  return holds
}

/** The median of each text over the rounds, in microseconds, which excludes other load on the machine. */
function timesOf(texts: readonly string[]): Times {
  const times = texts.map(() => new Float64Array(rounds))
  for (let round = 0; round < rounds; round++) {
    for (const [index, text] of texts.entries()) {
      const begun = process.hrtime.bigint()
      scorePrompt({ text })
      times[index]![round] = Number(process.hrtime.bigint() - begun) / 1_000
    }
  }
  const medians = times.map((own) => own.sort()[rounds >> 1]!).sort((a, b) => a - b)
  return { p50: medians[medians.length >> 1]!, p99: medians[Math.floor(medians.length * 0.99)]! }
}

/**
 * Heap growth over a few hundred calls. A collection in between only makes it smaller, so the largest counts.
 */
function garbageOf(texts: readonly string[]): number {
  let largest = 0
  for (let round = 0; round < rounds; round++) {
    const before = process.memoryUsage().heapUsed
    for (const text of texts.slice(0, 100)) scorePrompt({ text })
    largest = Math.max(largest, process.memoryUsage().heapUsed - before)
  }
  return largest / Math.min(100, texts.length) / 1024
}

/** Difficult prompts of real users, if they are next to the checkout. */
function realPrompts(): string[] | undefined {
  const folder = besideCheckout('routingData')
  const name = folder && readdirSync(folder).find((one) => one.startsWith('arena-hard'))
  if (folder === undefined || name === undefined) return undefined
  const lines = gunzipSync(readFileSync(join(folder, name)))
    .toString('utf8')
    .trim()
    .split('\n')
  return lines.map((line) => (JSON.parse(line) as { prompt: string }).prompt)
}

function makePrompts(): string[] {
  const parts = [
    'Explain how',
    'the scheduler',
    'decides (in O(n log n))',
    'which of 17 tasks',
    'runs next; prove it.',
  ]
  return Array.from({ length: 800 }, (_, index) => parts.join(' ').repeat(1 + (index % 60)))
}

/** Each is a flat string of its own, as in a real request. */
function longPrompts(prompts: readonly string[], characters: number): string[] {
  const joined = prompts.join('\n\n')
  const whole = joined.repeat(Math.ceil((characters * 2) / joined.length))
  return Array.from({ length: 200 }, (_, index) =>
    Buffer.from(whole.slice(index * 101, index * 101 + characters)).toString('utf8'),
  )
}
