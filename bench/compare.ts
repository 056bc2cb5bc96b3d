import { setTimeout as delay } from 'node:timers/promises'
import { startLoadVendor, type LoadVendor } from './client/journal.ts'
import { LoadConnection } from './client/connection.ts'
import { runClosedLoop, type Target } from './client/load.ts'
import { attempt, type Measured } from './measures/attempt.ts'
import { cpuPerRequest, latency, requireAnswers, type Latency } from './measures/requests.ts'
import {
  cpuPerEvent,
  eventMeasures,
  kilobytesPerSilentStream,
  type EventMeasure,
} from './measures/streams.ts'
import type { Plan } from './plan.ts'
import { noRounds, type Measure, type Rounds } from './report/figures.ts'
import { bareProxy, forwarding } from './subjects/bare.ts'
import { litellm } from './subjects/litellm.ts'
import { nginx } from './subjects/nginx.ts'
import { oneApi } from './subjects/one-api.ts'
import { portkey } from './subjects/portkey.ts'
import { fullLoad, type Load, type RunningSubject, type Subject } from './subjects/subject.ts'
import { Turnpike } from './subjects/turnpike.ts'

export const subjectNames = ['bare', 'turnpike', 'nginx', 'portkey']
/** Measured only on request. */
export const furtherSubjects = ['turnpike-budgets', 'one-api', 'litellm']
/** The subjects of the comparison with other gateways. */
export const peerNames = [...subjectNames, 'one-api', 'litellm']

const lightWarmUpMs = 1_500
/** What a subject loads after its start is loaded by then. */
const idleMs = 3_000

export interface Comparison {
  rounds: Map<string, Rounds>
  descriptions: Map<string, string>
}

interface Running extends Measured {
  subject: RunningSubject
  load: Load
}

/** The subjects without which a comparison means nothing. */
const needed = ['bare', 'turnpike', 'turnpike-budgets']

/** Measures the subjects alternately, so that other load on the machine affects all of them alike. */
export async function compare(plan: Plan, only: ReadonlySet<string>): Promise<Comparison> {
  const vendor = await startLoadVendor()
  const made = makeSubjects(vendor.port, only)
  try {
    const subjects = await usableSubjects(made)
    const measured = subjects.map((subject) => ({ subject, ...figuresOf(subject) }))
    const descriptions = new Map(subjects.map(({ name, description }) => [name, description]))
    for (let start = 1; start <= plan.starts; start++) {
      say(`start-up and memory, ${start} of ${plan.starts}`)
      for (const { subject, ...figures } of measured) await measureStart(subject, vendor, figures)
    }
    const running: Running[] = []
    try {
      for (const { subject, ...figures } of measured)
        running.push({ ...figures, load: subject.load ?? fullLoad, subject: await subject.start() })
      await measureRunning(running, vendor, plan)
    } finally {
      for (const { subject } of running) await subject.stop()
    }
    return { rounds: new Map(measured.map(({ name, rounds }) => [name, rounds])), descriptions }
  } finally {
    await vendor.stop()
    for (const subject of made) subject.remove?.()
  }
}

function figuresOf({ name }: Subject): Measured {
  return { name, isOptional: !needed.includes(name), rounds: noRounds(), failed: new Set() }
}

/** The requested subjects that are available, in the table's order; our own two are next to each other. */
function makeSubjects(vendorPort: number, only: ReadonlySet<string>): Subject[] {
  const options = { vendorPort, keys: 1, creditUsd: '100000' }
  const makers: Record<string, () => Subject | string | undefined> = {
    bare: () => bareProxy(vendorPort),
    turnpike: () => new Turnpike(options),
    'turnpike-budgets': () => new Turnpike({ ...options, budgets: 3 }),
    nginx: () => nginx(vendorPort),
    portkey: () => portkey(vendorPort),
    'one-api': () => oneApi(vendorPort),
    litellm: () => litellm(vendorPort),
  }
  const subjects: Subject[] = []
  for (const [name, make] of Object.entries(makers)) {
    if (!only.has(name)) continue
    const subject = make() ?? 'it is not installed'
    if (typeof subject === 'string') say(`${name} is left out: ${subject}`)
    else subjects.push(subject)
  }
  return subjects
}

/** Starts each subject once and requests both kinds of response. A subject that fails at one is left out. */
async function usableSubjects(subjects: readonly Subject[]): Promise<Subject[]> {
  const usable: Subject[] = []
  for (const subject of subjects) {
    const failure = await failureOf(subject)
    if (failure === undefined) usable.push(subject)
    else say(`${subject.name} is left out: ${failure}`)
  }
  return usable
}

async function failureOf(subject: Subject): Promise<string | undefined> {
  let running: RunningSubject | undefined
  try {
    running = await subject.start()
    for (const shape of ['plain', 'brief'] as const) {
      const status = await firstStatus(running.target(shape))
      if (status !== 200) return `${shape} was answered with ${status}`
    }
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    await running?.stop()
  }
}

async function firstStatus(target: Target): Promise<number> {
  const connection = new LoadConnection(target.port)
  try {
    return await new Promise((resolve, reject) => {
      connection.send(target.request, { onEnd: resolve, onBroken: (reason) => reject(new Error(reason)) })
    })
  } finally {
    connection.abort()
  }
}

/** Measures a process that has just been started and has served a few requests. */
async function measureStart(subject: Subject, vendor: LoadVendor, figures: Measured): Promise<void> {
  const { silentStreams } = subject.load ?? fullLoad
  const running = await subject.start()
  try {
    const { rounds } = figures
    rounds.startUpMs.push(running.startUpMs)
    await delay(idleMs)
    rounds.idleMegabytes.push(megabytesOf(running))
    const take = async (): Promise<void> => {
      requireAnswers(
        await runClosedLoop(running.target('plain'), { connections: 16, durationMs: lightWarmUpMs }),
      )
      rounds.streamKilobytes.push(await kilobytesPerSilentStream(running, vendor, silentStreams))
    }
    await attempt(figures, 'streamKilobytes', take, say)
  } finally {
    await running.stop()
    await vendor.streamsOpen(0)
  }
}

async function measureRunning(running: readonly Running[], vendor: LoadVendor, plan: Plan): Promise<void> {
  // Measured first, since a process that has served streams may be slower for every later request.
  await measureRequests(running, plan, 'freshRequestMicroseconds')
  await measureLatency(running, vendor, plan, ({ freshP99Ms }, { p99Ms }) => void freshP99Ms.push(p99Ms))
  for (const one of running)
    for (const event of eventMeasures)
      await attemptEvents(one, vendor, plan, event, plan.warmUpMs.events, () => undefined)
  await measureStreams(running, vendor, plan)
  await measureRequests(running, plan, 'requestMicroseconds')
  await measureLatency(running, vendor, plan, (rounds, added) => {
    rounds.addedP50Ms.push(added.p50Ms)
    rounds.addedP99Ms.push(added.p99Ms)
    rounds.pacedMicroseconds.push(added.cpuMicroseconds)
  })
  for (const { subject, rounds } of running) rounds.loadedMegabytes.push(megabytesOf(subject))
  for (const one of running) await attempt(one, 'promotedBytes', () => measurePromotion(one, plan), say)
}

function megabytesOf({ use }: RunningSubject): number {
  return use().rssKilobytes / 1_024
}

async function measurePromotion({ subject, rounds }: Running, { requestMs }: Plan): Promise<void> {
  let answers = 0
  const bytes = await subject.promotedBytes(async () => {
    const result = await runClosedLoop(subject.target('plain'), { connections: 32, durationMs: requestMs })
    requireAnswers(result)
    answers = result.answers
  })
  if (bytes !== undefined) rounds.promotedBytes.push(bytes / answers)
}

async function measureRequests(
  running: readonly Running[],
  { warmUpMs, requestRounds, requestMs }: Plan,
  measure: Measure,
): Promise<void> {
  for (const one of running) {
    const { name, subject } = one
    say(`${name}: warm-up of ${warmUpMs.requests / 1_000} s`)
    const take = () => cpuPerRequest(subject.target('plain'), subject.use, warmUpMs.requests)
    await attempt(one, measure, take, say)
  }
  for (let round = 1; round <= requestRounds; round++) {
    say(`requests, round ${round} of ${requestRounds}`)
    for (const one of inTurn(running, round)) {
      const { subject, rounds } = one
      const take = async (): Promise<void> =>
        void rounds[measure].push(await cpuPerRequest(subject.target('plain'), subject.use, requestMs))
      await attempt(one, measure, take, say)
    }
  }
}

async function measureStreams(running: readonly Running[], vendor: LoadVendor, plan: Plan): Promise<void> {
  for (let round = 1; round <= plan.streamRounds; round++) {
    say(`streams, round ${round} of ${plan.streamRounds}`)
    for (const event of eventMeasures)
      for (const one of inTurn(running, round))
        await attemptEvents(one, vendor, plan, event, plan.streamMs, (value) =>
          one.rounds[event.measure].push(value),
        )
  }
}

/** Does nothing if the plan or the measure does not include this subject. */
async function attemptEvents(
  one: Running,
  vendor: LoadVendor,
  { events }: Plan,
  { measure, of, shape }: EventMeasure,
  durationMs: number,
  note: (microseconds: number) => void,
): Promise<void> {
  if (events?.includes(measure) === false || of?.includes(one.name) === false) return
  const options = { durationMs, shape, streams: one.load.steadyStreams }
  await attempt(one, measure, async () => note(await cpuPerEvent(one.subject, vendor, options)), say)
}

/** Reverses the order in every second round: of two neighbours, each comes first equally often. */
function inTurn(running: readonly Running[], round: number): readonly Running[] {
  return round % 2 === 1 ? running : running.toReversed()
}

/** @param note gets the time that the subject added to the load server's own, and its CPU time per request */
async function measureLatency(
  running: readonly Running[],
  vendor: LoadVendor,
  { latencyRounds, latencyMs }: Plan,
  note: (rounds: Rounds, added: Latency) => void,
): Promise<void> {
  for (let round = 1; round <= latencyRounds; round++) {
    say(`latency, round ${round} of ${latencyRounds}`)
    const direct = await latency(forwarding(vendor.port)('plain'), undefined, latencyMs)
    for (const one of running) {
      const { subject, load, rounds } = one
      if (!load.isPaced) continue
      const take = async (): Promise<void> => {
        const own = await latency(subject.target('plain'), subject.use, latencyMs)
        note(rounds, { ...own, p50Ms: own.p50Ms - direct.p50Ms, p99Ms: own.p99Ms - direct.p99Ms })
      }
      await attempt(one, 'pacedMicroseconds', take, say)
    }
  }
}

function say(text: string): void {
  process.stderr.write(`${text}\n`)
}
