import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { scorePrompt } from '@turnpike/routing'
import { besideCheckout } from '@turnpike/simulators/beside-checkout'

/* What auto-routing adds to a request: scoring its prompt, which happens within the event loop. */

const rounds = 9

/** Microseconds (docs/contract.md, 16). */
const budgets = { p50: 100, p99: 1_000 }

/** Kilobytes that a call may leave to be collected. */
const maxGarbageKb = 100

interface Times {
  p50: number
  p99: number
}

/** Prints how long prompts take; false where a budget is broken. */
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

/** Each text's median over the rounds: what the machine does besides is not the scorer's. Microseconds. */
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
 * What the heap grew by over a few hundred calls; a collection between them only makes it less, so the
 * largest counts.
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

/** Hard prompts that people asked, where they lie beside the checkout. */
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

/** Flat strings of their own, as a request's would be. */
function longPrompts(prompts: readonly string[], characters: number): string[] {
  const joined = prompts.join('\n\n')
  const whole = joined.repeat(Math.ceil((characters * 2) / joined.length))
  return Array.from({ length: 200 }, (_, index) =>
    Buffer.from(whole.slice(index * 101, index * 101 + characters)).toString('utf8'),
  )
}
