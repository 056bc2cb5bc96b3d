import { expect, test } from 'vitest'
import { spansOf } from './spans.ts'

const attempt = (result: string, durationMs: number, status: number | null = null) => ({
  provider: 'openai',
  model: 'gpt-5-mini',
  status,
  result,
  duration_ms: durationMs,
})

test('spansOf puts attempts one after the other, and the answer after its first token', () => {
  const spans = spansOf({
    attempts: [attempt('status-529', 200, 529), attempt('ok', 600, 200)],
    latency_ms: 2000,
    time_to_first_token_ms: 800,
  })
  expect(spans.map(({ kind, startPercent, widthPercent }) => [kind, startPercent, widthPercent])).toEqual([
    ['failed', 0, 10],
    ['serving', 10, 30],
    ['answer', 40, 60],
  ])
  expect(spans.map(({ note }) => note)).toEqual([
    'status-529',
    'until the first token',
    'until the last token',
  ])
})

test('spansOf stays within the chart, whatever was measured', () => {
  for (const [latency, first] of [
    [0, null],
    [0, 0],
    [100, 300],
  ] as const) {
    const spans = spansOf({
      attempts: [attempt('connect-timeout', 5000)],
      latency_ms: latency,
      time_to_first_token_ms: first,
    })
    for (const { startPercent, widthPercent, durationMs } of spans) {
      expect(startPercent).toBeLessThan(100)
      expect(widthPercent).toBeLessThanOrEqual(100)
      expect(durationMs).toBeGreaterThanOrEqual(0)
    }
  }
})
