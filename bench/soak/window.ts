import { flatness, type Allowance } from '../report/flatness.ts'

/** What was seen of the server in a minute of a soak; of a short one, in a part of it. */
export interface SoakWindow {
  sent: number
  /** Answers of status 200 that came whole. */
  good: number
  /** What else clients saw, those that left aside. */
  other: number
  /** Calls to vendors that failed. */
  faults: number
  /** Vendors that rested at its end. */
  resting: number
  p50Ms: number
  p99Ms: number
  eventLoopP99Ms: number
  /** The same of the load generator, which does little: how busy the machine is with other things. */
  machineP99Ms: number
  residentMegabytes: number
  heapMegabytes: number
  handles: number
  fileDescriptors: number
  openRequests: number
  outboxRows: number
}

interface Column {
  title: string
  digits: number
  /** Absent: it says how the window was, and not whether the server lasts. */
  mayRise?: Allowance
  /** A busy machine makes it rise: times, and what is open for as long as answers take. */
  followsMachine?: true
}

/** Far less than times, of which a busy machine makes much more than of its own delay. */
const machineMayRise: Allowance = { absolute: 10, relative: 0.3 }

/** There are as many as answers are waited for. */
const openAtATime = { digits: 0, mayRise: { absolute: 30, relative: 0.1 }, followsMachine: true } as const

/**
 * Times double on a busy machine, and streams come and go; a leak passes these within half an hour: one
 * handle in ten thousand requests at 300 a second does.
 */
const windowColumns: Record<keyof SoakWindow, Column> = {
  sent: { title: 'sent', digits: 0 },
  good: { title: 'good', digits: 0 },
  other: { title: 'other', digits: 0 },
  faults: { title: 'faults', digits: 0 },
  resting: { title: 'resting', digits: 0 },
  p50Ms: { title: 'p50 ms', digits: 1, mayRise: { absolute: 5, relative: 1 }, followsMachine: true },
  p99Ms: { title: 'p99 ms', digits: 1, mayRise: { absolute: 50, relative: 1 }, followsMachine: true },
  eventLoopP99Ms: {
    title: 'loop ms',
    digits: 1,
    mayRise: { absolute: 20, relative: 1 },
    followsMachine: true,
  },
  machineP99Ms: { title: 'machine', digits: 1 },
  residentMegabytes: { title: 'RSS MB', digits: 0 },
  heapMegabytes: { title: 'heap MB', digits: 0, mayRise: { absolute: 32, relative: 0.25 } },
  handles: { title: 'handles', ...openAtATime },
  fileDescriptors: { title: 'fds', ...openAtATime },
  openRequests: { title: 'open', ...openAtATime },
  outboxRows: { title: 'outbox', ...openAtATime, mayRise: { absolute: 1_000, relative: 0.5 } },
}

const names = Object.keys(windowColumns) as (keyof SoakWindow)[]

const width = 8
const cell = (text: string): string => text.padStart(width)

export const windowHeader = ['second', ...names.map((name) => windowColumns[name].title)].map(cell).join('')

export function windowLine(fromSeconds: number, window: SoakWindow): string {
  const cells = names.map((name) => cell(window[name].toFixed(windowColumns[name].digits)))
  return `${cell(String(fromSeconds))}${cells.join('')}`
}

/** Windows are a minute long; of a short soak so long that there are twelve. */
export function windowSeconds(seconds: number): number {
  return Math.max(1, Math.min(60, Math.floor(seconds / 12)))
}

/** Those after the first minute, when code is compiled and pools grow; of a short soak two thirds. */
export function withoutWarmUp<Window>(windows: readonly Window[], lengthSeconds: number): readonly Window[] {
  return windows.slice(Math.min(Math.ceil(60 / lengthSeconds), Math.ceil(windows.length / 3)))
}

/**
 * Sentences about what climbs, and those that are failures. Where the machine itself became busier, a rise of
 * what follows from that is said and not held against the server; what is left at the end is, in any case.
 */
export function judgeWindows(settled: readonly SoakWindow[]): {
  figures: string[]
  failures: string[]
  isMachineSteady: boolean
} {
  const figures: string[] = []
  const failures: string[] = []
  const valuesOf = (name: keyof SoakWindow): number[] => settled.map((window) => window[name])
  const isMachineSteady = flatness(valuesOf('machineP99Ms'), machineMayRise).flat !== false
  for (const name of names) {
    const { title, digits, mayRise, followsMachine } = windowColumns[name]
    if (mayRise === undefined) continue
    const values = valuesOf(name)
    if (values.some((value) => Number.isNaN(value))) {
      failures.push(`${title} is unknown`)
      continue
    }
    const { rise, allowed, flat } = flatness(values, mayRise)
    const isOurs = isMachineSteady || followsMachine !== true
    if (flat === false && isOurs) failures.push(`${title} rises by ${rise.toFixed(digits)}`)
    const doubt = flat === undefined ? ' (too short to judge)' : isOurs ? '' : ' (the machine became busier)'
    figures.push(
      `${title}: ${rise.toFixed(digits)} from first to last, of ${allowed.toFixed(digits)}${doubt}`,
    )
  }
  return { figures, failures, isMachineSteady }
}
