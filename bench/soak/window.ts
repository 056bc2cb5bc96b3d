import { flatness, type Allowance } from '../report/flatness.ts'

/** Observations of the server in one minute of a soak, or in a shorter part of a short one. */
export interface SoakWindow {
  sent: number
  /** Complete responses with status 200. */
  good: number
  /** All other outcomes, except clients that left. */
  other: number
  /** Failed calls to vendors. */
  faults: number
  /** Vendors in cooldown at the end of the window. */
  resting: number
  p50Ms: number
  p99Ms: number
  eventLoopP99Ms: number
  /** The same for the load generator, which does little itself, so it shows how busy the machine is. */
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
  /** Absent: the value is informative and not judged. */
  mayRise?: Allowance
  /** Whether a busy machine makes it rise: times, and what is open for as long as responses take. */
  followsMachine?: true
}

/** Far smaller than the allowance for times: a busy machine delays those much more than the generator. */
const machineMayRise: Allowance = { absolute: 10, relative: 0.3 }

/** Their number grows with the number of requests in progress. */
const openAtATime = { digits: 0, mayRise: { absolute: 30, relative: 0.1 }, followsMachine: true } as const

/**
 * On a busy machine times double, and streams come and go. A leak exceeds these within half an hour: for
 * example, one handle in ten thousand requests at 300 a second.
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

/** A window lasts a minute; a short soak is divided into twelve. */
export function windowSeconds(seconds: number): number {
  return Math.max(1, Math.min(60, Math.floor(seconds / 12)))
}

/** The windows after the first minute of compilation and growth; of a short soak, the last two thirds. */
export function withoutWarmUp<Window>(windows: readonly Window[], lengthSeconds: number): readonly Window[] {
  return windows.slice(Math.min(Math.ceil(60 / lengthSeconds), Math.ceil(windows.length / 3)))
}

/**
 * One sentence per rising value, and those that are failures. If the machine itself became busier, a rise of
 * values that follow it is reported but not a failure. What is left at the end is checked in any case.
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
