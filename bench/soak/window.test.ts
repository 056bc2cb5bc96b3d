import { expect, test } from 'vitest'
import {
  judgeWindows,
  withoutWarmUp,
  windowHeader,
  windowLine,
  windowSeconds,
  type SoakWindow,
} from './window.ts'

const quiet: SoakWindow = {
  sent: 3_600,
  good: 3_500,
  other: 1,
  faults: 40,
  resting: 0,
  p50Ms: 3,
  p99Ms: 40,
  eventLoopP99Ms: 20,
  machineP99Ms: 12,
  residentMegabytes: 300,
  heapMegabytes: 80,
  handles: 200,
  fileDescriptors: 250,
  openRequests: 100,
  outboxRows: 20,
}

const soakOf = (change: (minute: number) => Partial<SoakWindow>): SoakWindow[] =>
  Array.from({ length: 29 }, (_, minute) => ({ ...quiet, ...change(minute) }))

test('passes a stable server', () => {
  expect(
    judgeWindows(soakOf((minute) => ({ handles: 200 + (minute % 7), p99Ms: 30 + (minute % 5) }))),
  ).toEqual({ figures: expect.any(Array) as string[], failures: [], isMachineSteady: true })
})

test.each([
  [{ handles: 3 }, 'handles rises by 84'],
  [{ fileDescriptors: 2 }, 'fds rises by 56'],
  [{ p99Ms: 10 }, 'p99 ms rises by 280.0'],
  [{ eventLoopP99Ms: 5 }, 'loop ms rises by 140.0'],
  [{ openRequests: 2 }, 'open rises by 56'],
] as const)('fails if values rise by %j a minute', (byMinute: Partial<SoakWindow>, failure) => {
  const [[name, step]] = Object.entries(byMinute) as [[keyof SoakWindow, number]]
  expect(judgeWindows(soakOf((minute) => ({ [name]: quiet[name] + step * minute }))).failures).toEqual([
    failure,
  ])
})

test("reports a rise that follows the machine's load without failing, but still fails for the heap", () => {
  const busier = soakOf((minute) => ({
    machineP99Ms: 12 + minute * 5,
    p99Ms: 40 + minute * 20,
    handles: 200 + minute * 5,
    heapMegabytes: 80 + minute * 5,
  }))
  const { figures, failures, isMachineSteady } = judgeWindows(busier)
  expect(isMachineSteady).toBe(false)
  expect(failures).toEqual(['heap MB rises by 140'])
  expect(figures).toContain('p99 ms: 560.0 from first to last, of 320.0 (the machine became busier)')
  expect(figures).toContain('handles: 140 from first to last, of 30 (the machine became busier)')
})

test('allows purely informative values to rise', () => {
  expect(judgeWindows(soakOf((minute) => ({ faults: minute * 100, resting: minute }))).failures).toEqual([])
})

test('reports that a soak is too short to judge', () => {
  const { figures, failures } = judgeWindows(soakOf((minute) => ({ handles: minute * 1_000 })).slice(0, 9))
  expect(failures).toEqual([])
  expect(figures.every((figure) => figure.endsWith('(too short to judge)'))).toBe(true)
})

test('fails if a value is missing', () => {
  expect(judgeWindows(soakOf(() => ({ handles: Number.NaN }))).failures).toEqual(['handles is unknown'])
})

test('divides a soak into minutes, or a short one into twelfths, and does not judge the first ones', () => {
  expect([30, 60, 120, 720, 1_800].map(windowSeconds)).toEqual([2, 5, 10, 60, 60])
  const thirty = Array.from({ length: 30 }, (_, at) => at)
  expect(withoutWarmUp(thirty, 60)).toEqual(thirty.slice(1))
  expect(withoutWarmUp(thirty.slice(0, 12), 5)).toEqual([4, 5, 6, 7, 8, 9, 10, 11])
  expect(withoutWarmUp(thirty.slice(0, 12), 10)).toEqual([4, 5, 6, 7, 8, 9, 10, 11])
})

test('aligns values with their titles', () => {
  expect(windowLine(60, quiet)).toHaveLength(windowHeader.length)
  expect(windowLine(60, quiet).trim().split(/ +/u)).toHaveLength(1 + Object.keys(quiet).length)
})
