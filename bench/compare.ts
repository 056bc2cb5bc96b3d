import { startLoadVendor, type LoadVendor } from './client/journal.ts'
import { LoadConnection } from './client/connection.ts'
import { runClosedLoop, type Target } from './client/load.ts'
import { cpuPerRequest, latency, requireAnswers, type Latency } from './measures/requests.ts'
import { cpuPerEvent, eventMeasures, kilobytesPerSilentStream } from './measures/streams.ts'
import type { Plan } from './plan.ts'
import { noRounds, type Measure, type Rounds } from './report/figures.ts'
import { bareProxy, forwarding } from './subjects/bare.ts'
import { nginx } from './subjects/nginx.ts'
import { portkey } from './subjects/portkey.ts'
import type { RunningSubject, Subject } from './subjects/subject.ts'
import { Turnpike } from './subjects/turnpike.ts'

export const subjectNames = ['bare', 'turnpike', 'nginx', 'portkey']
/** Measured where they are asked for alone. */
export const furtherSubjects = ['turnpike-budgets']

const lightWarmUpMs = 1_500

export interface Comparison {
  rounds: Map<string, Rounds>
  descriptions: Map<string, string>
}

interface Measured {
  name: string
  subject: RunningSubject
  rounds: Rounds
}

/** Measures the subjects by turns, so that what else the machine does befalls all of them alike. */
export async function compare(plan: Plan, only: ReadonlySet<string>): Promise<Comparison> {
  const vendor = await startLoadVendor()
  const options = { vendorPort: vendor.port, keys: 1, creditUsd: '100000' }
  const turnpikes = [new Turnpike(options), new Turnpike({ ...options, budgets: 3 })]
  try {
    const subjects = await usableSubjects(vendor, turnpikes, only)
    const rounds = new Map(subjects.map(({ name }) => [name, noRounds()]))
    const descriptions = new Map(subjects.map(({ name, description }) => [name, description]))
    for (let start = 1; start <= plan.starts; start++) {
      say(`start-up and memory, ${start} of ${plan.starts}`)
      for (const subject of subjects) await measureStart(subject, vendor, rounds.get(subject.name)!)
    }
    const running: Measured[] = []
    try {
      for (const subject of subjects) {
        const { name } = subject
        running.push({ name, subject: await subject.start(), rounds: rounds.get(name)! })
      }
      await measureRunning(running, vendor, plan)
    } finally {
      for (const { subject } of running) await subject.stop()
    }
    return { rounds, descriptions }
  } finally {
    await vendor.stop()
    for (const turnpike of turnpikes) turnpike.remove()
  }
}

/** Each is started once and asked for both kinds of answer; where one gives none, it is left out. */
async function usableSubjects(
  vendor: LoadVendor,
  turnpikes: readonly Turnpike[],
  only: ReadonlySet<string>,
): Promise<Subject[]> {
  const wanted: [string, () => Subject | string | undefined][] = [
    ['bare', () => bareProxy(vendor.port)],
    ...turnpikes.map((turnpike): [string, () => Subject] => [turnpike.name, () => turnpike]),
    ['nginx', () => nginx(vendor.port) ?? 'it is not installed'],
    ['portkey', () => portkey(vendor.port)],
  ]
  const usable: Subject[] = []
  for (const [name, make] of wanted) {
    if (!only.has(name)) continue
    const subject = make()
    const failure = typeof subject === 'string' ? subject : await failureOf(subject!)
    if (failure === undefined) usable.push(subject as Subject)
    else say(`${name} is left out: ${failure}`)
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

/** A process that has just been started and has served a little. */
async function measureStart(subject: Subject, vendor: LoadVendor, rounds: Rounds): Promise<void> {
  const running = await subject.start()
  try {
    rounds.startUpMs.push(running.startUpMs)
    requireAnswers(
      await runClosedLoop(running.target('plain'), { connections: 16, durationMs: lightWarmUpMs }),
    )
    rounds.streamKilobytes.push(await kilobytesPerSilentStream(running, vendor))
  } finally {
    await running.stop()
    await vendor.streamsOpen(0)
  }
}

async function measureRunning(running: readonly Measured[], vendor: LoadVendor, plan: Plan): Promise<void> {
  for (const { name, subject } of running) {
    say(`${name}: warm-up of ${plan.warmUpMs / 1_000} s`)
    await cpuPerRequest(subject.target('plain'), subject.use, plan.warmUpMs * 0.7)
  }
  // A process that has served streams may pay for them with every request afterwards.
  await measureRequests(running, plan, 'freshRequestMicroseconds')
  await measureLatency(running, vendor, plan, ({ freshP99Ms }, { p99Ms }) => void freshP99Ms.push(p99Ms))
  for (const { name, subject } of running)
    for (const { shape, of } of eventMeasures)
      if (of?.includes(name) !== false) await cpuPerEvent(subject, vendor, plan.warmUpMs * 0.3, shape)
  await measureStreams(running, vendor, plan)
  await measureRequests(running, plan, 'requestMicroseconds')
  await measureLatency(running, vendor, plan, (rounds, added) => {
    rounds.addedP50Ms.push(added.p50Ms)
    rounds.addedP99Ms.push(added.p99Ms)
    rounds.pacedMicroseconds.push(added.cpuMicroseconds)
  })
}

async function measureRequests(
  running: readonly Measured[],
  { requestRounds, requestMs }: Plan,
  measure: Measure,
): Promise<void> {
  for (let round = 1; round <= requestRounds; round++) {
    say(`requests, round ${round} of ${requestRounds}`)
    for (const { subject, rounds } of running)
      rounds[measure].push(await cpuPerRequest(subject.target('plain'), subject.use, requestMs))
  }
}

async function measureStreams(
  running: readonly Measured[],
  vendor: LoadVendor,
  { streamRounds, streamMs }: Plan,
): Promise<void> {
  for (let round = 1; round <= streamRounds; round++) {
    say(`streams, round ${round} of ${streamRounds}`)
    const turn = round % 2 === 1 ? running : running.toReversed()
    for (const { measure, shape, of } of eventMeasures)
      for (const { subject, rounds } of turn.filter(({ name }) => of?.includes(name) !== false))
        rounds[measure].push(await cpuPerEvent(subject, vendor, streamMs, shape))
  }
}

/** @param note is given what the subject added to the load server's own times, and its CPU a request */
async function measureLatency(
  running: readonly Measured[],
  vendor: LoadVendor,
  { latencyRounds, latencyMs }: Plan,
  note: (rounds: Rounds, added: Latency) => void,
): Promise<void> {
  for (let round = 1; round <= latencyRounds; round++) {
    say(`latency, round ${round} of ${latencyRounds}`)
    const direct = await latency(forwarding(vendor.port)('plain'), undefined, latencyMs)
    for (const { subject, rounds } of running) {
      const { p50Ms, p99Ms, cpuMicroseconds } = await latency(subject.target('plain'), subject.use, latencyMs)
      note(rounds, { p50Ms: p50Ms - direct.p50Ms, p99Ms: p99Ms - direct.p99Ms, cpuMicroseconds })
    }
  }
}

function say(text: string): void {
  process.stderr.write(`${text}\n`)
}
