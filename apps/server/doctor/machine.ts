import { existsSync, fsyncSync, openSync, closeSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { reasonOf, type ClockReading, type Finding } from './finding.ts'

const oldestNode = 24
const gigabyte = 1024 ** 3
const enoughDiskBytes = 2 * gigabyte
const leastDiskBytes = gigabyte / 4
/** Each stream takes two: one to the client and one to the vendor. */
const enoughFiles = 4_096
/** Tokens become valid at the time that their issuer sets, with this tolerance for clocks. */
const clockToleranceMs = 10_000

export function examineNode(): Finding {
  const { node } = process.versions
  if (Number(node.split('.')[0]) >= oldestNode) return { of: 'Node', state: 'ok', says: node }
  return { of: 'Node', state: 'wrong', says: `${node} is too old: install ${oldestNode} or newer` }
}

/** How many files may be open at once, if the system reports it. */
export function examineOpenFiles(): Finding[] {
  const report = process.report.getReport() as unknown as {
    userLimits?: { open_files?: { soft: number | 'unlimited' } }
  }
  const soft = report.userLimits?.open_files?.soft
  if (soft === undefined) return []
  const isEnough = soft === 'unlimited' || soft >= enoughFiles
  const advice = `: a stream needs two; raise it to ${enoughFiles} (ulimit -n, LimitNOFILE= in systemd)`
  const state = isEnough ? 'ok' : 'warning'
  return [{ of: 'Open files', state, says: `at most ${soft}${isEnough ? '' : advice}` }]
}

/** Whether the data directory can be written through to the disk, and how much room is left. */
export function examineDisk(dataDir: string): Finding {
  const of = 'Disk'
  let folder = dataDir
  // Creates nothing: if the directory does not exist yet, its closest existing parent is checked.
  while (!existsSync(folder)) folder = dirname(folder)
  try {
    writeThrough(join(folder, `.turnpike-doctor-${process.pid}`))
  } catch (error) {
    return {
      of,
      state: 'wrong',
      says:
        `${folder} is not writable (${reasonOf(error)}): set data_dir to a folder that this ` +
        `user can write`,
    }
  }
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  const says = `${(free / gigabyte).toFixed(1)} GB free at ${folder}`
  if (free >= enoughDiskBytes) return { of, state: 'ok', says }
  const state = free < leastDiskBytes ? 'wrong' : 'warning'
  return { of, state, says: `${says}: charges are kept there until the database has them; free up space` }
}

function writeThrough(file: string): void {
  const handle = openSync(file, 'wx', 0o600)
  try {
    writeSync(handle, 'doctor')
    fsyncSync(handle)
  } finally {
    closeSync(handle)
    rmSync(file, { force: true })
  }
}

/** Uses the median of the other clocks, because one of them may be wrong itself. */
export function examineClock(readings: readonly ClockReading[]): Finding {
  const of = 'Clock'
  const sorted = readings.toSorted((a, b) => a.aheadMs - b.aheadMs)
  const middle = sorted[Math.floor(sorted.length / 2)]
  if (middle === undefined) return { of, state: 'not checked', says: 'no time source available' }
  const seconds = Math.round(Math.abs(middle.aheadMs) / 1000)
  if (Math.abs(middle.aheadMs) <= clockToleranceMs)
    return { of, state: 'ok', says: `within ${Math.max(1, seconds)} s of ${middle.of}` }
  const off = `${seconds} s ${middle.aheadMs > 0 ? 'ahead of' : 'behind'} ${middle.of}`
  return { of, state: 'wrong', says: `${off}: sign-ins will fail; synchronize it with NTP` }
}
