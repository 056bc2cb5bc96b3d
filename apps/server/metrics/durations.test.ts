import fc from 'fast-check'
import { Histogram, Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { Durations } from './durations.ts'

const seed = Date.now() % 2 ** 31
const described = { name: 'some_seconds', help: 'Some time.', buckets: [0.1, 0.5, 1, 30] }

it(`exposes what prom-client's own histogram would (seed ${seed})`, async () => {
  // Halves of milliseconds, and with them values that equal a bound.
  const seconds = fc.integer({ min: 0, max: 80_000 }).map((halves) => halves / 2_000)
  const observed = fc.array(fc.tuple(fc.constantFrom('openai', 'a "b"\\c', ''), seconds))
  await fc.assert(
    fc.asyncProperty(observed, async (values) => {
      const [ours, theirs] = [new Registry(), new Registry()]
      const durations = new Durations(ours, described)
      const histogram = new Histogram({ ...described, labelNames: ['provider'], registers: [theirs] })
      for (const [provider, value] of values) {
        durations.add(provider, value)
        histogram.observe({ provider }, value)
      }
      expect(await ours.metrics()).toBe(await theirs.metrics())
      // Theirs has empty exemplars besides.
      expect(await theirs.getMetricsAsJSON()).toMatchObject(await ours.getMetricsAsJSON())
    }),
    { seed },
  )
})
