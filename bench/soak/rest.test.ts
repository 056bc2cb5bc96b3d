import { expect, test } from 'vitest'
import { MetricSamples } from '../client/metric-samples.ts'
import { atRest, judgeRest } from './rest.ts'

function metricsWith(held: string): MetricSamples {
  return new MetricSamples(
    [
      '# HELP process_open_fds Number of open file descriptors.',
      'process_open_fds 31',
      'nodejs_active_handles_total 14',
      'nodejs_heap_size_used_bytes 41943040',
      'turnpike_open_requests 0',
      'turnpike_request_bodies_bytes 0',
      'turnpike_lease_usd{state="available"} 49.5',
      `turnpike_lease_usd{state="held"} ${held}`,
      '',
    ].join('\n'),
  )
}

const rest = atRest(metricsWith('0'))

test('passes if everything is as before', () => {
  const nothing = { openRequests: 0, bodyBytes: 0, heldUsd: 0 }
  expect(rest).toEqual({ handles: 14, fileDescriptors: 31, heapMegabytes: 40, ...nothing })
  expect(judgeRest(rest, { ...rest, handles: 20 }).failures).toEqual([])
})

test.each([
  [{ handles: 60 }, '60 handles are open after the end, 14 were before'],
  [{ fileDescriptors: 80 }, '80 file descriptors are open after the end, 31 were before'],
  [{ heapMegabytes: 105 }, 'the heap is 105.0 MB after the end, 40.0 MB were before'],
  [{ openRequests: 1 }, '1 requests are still under way'],
  [{ bodyBytes: 2_048 }, '2048 bytes of bodies are still held'],
])('fails for %j', (left, failure) => {
  expect(judgeRest(rest, { ...rest, ...left }).failures).toEqual([failure])
})

test('fails for a remaining hold, and for missing metrics', () => {
  expect(judgeRest(rest, atRest(metricsWith('3e-7'))).failures).toEqual(['3e-7 USD are still held'])
  expect(judgeRest(rest, atRest(new MetricSamples(''))).failures).toHaveLength(6)
})

test('sums samples by their labels', () => {
  const metrics = new MetricSamples(
    'a_total{provider="x",result="ok"} 2\na_total{provider="y",result="ok"} 3\n',
  )
  expect(metrics.sum('a_total')).toBe(5)
  expect(metrics.sum('a_total', { provider: 'y' })).toBe(3)
  expect(metrics.sum('a_total', { result: 'o' })).toBeNaN()
})
