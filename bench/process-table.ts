import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** Resource use of a process, including all threads, garbage collection and kernel time. */
export interface ProcessUse {
  /** User and system time since its start. */
  cpuMicroseconds: number
  rssKilobytes: number
}

/**
 * `USER_HZ`, which is 100 on every Linux that Node runs on:
 * https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html.
 */
const microsecondsPerTick = 10_000

/** @throws if there is no such process */
export function processUse(pid: number): ProcessUse {
  return process.platform === 'linux' ? linuxUse(pid) : portableUse(pid)
}

/** User and system time of a process, its children, and its children that have ended; Linux only. */
export function treeMicroseconds(pid: number): number {
  const field = fieldsOf(pid)
  let ticks = field(14) + field(15) + field(16) + field(17)
  for (const name of readdirSync('/proc')) if (/^\d+$/u.test(name)) ticks += ticksOfChild(Number(name), pid)
  return ticks * microsecondsPerTick
}

function ticksOfChild(pid: number, parent: number): number {
  try {
    const field = fieldsOf(pid)
    return field(4) === parent ? field(14) + field(15) : 0
  } catch {
    // It has ended meanwhile, so its parent's sums include it.
    return 0
  }
}

/** The fields of `/proc/<pid>/stat`, numbered as in that page. */
function fieldsOf(pid: number): (number: number) => number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name in parentheses may contain spaces, so fields are counted from behind it, starting with field 3.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (number) => Number(fields[number - 3])
}

function linuxUse(pid: number): ProcessUse {
  const field = fieldsOf(pid)
  const ticks = field(14) + field(15)
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const rssKilobytes = Number(/^VmRSS:\s+(\d+) kB$/mu.exec(status)?.[1])
  return { cpuMicroseconds: ticks * microsecondsPerTick, rssKilobytes }
}

function portableUse(pid: number): ProcessUse {
  const text = execFileSync('ps', ['-o', 'time=,rss=', '-p', String(pid)], { encoding: 'utf8' }).trim()
  const [time = '', rss = ''] = text.split(/\s+/u)
  return { cpuMicroseconds: secondsOf(time) * 1_000_000, rssKilobytes: Number(rss) }
}

/** Parses `[[days-]hours:]minutes:seconds`, where the seconds may have a fraction. */
function secondsOf(time: string): number {
  const [days, clock] = time.includes('-') ? time.split('-') : ['0', time]
  let seconds = 0
  for (const part of clock!.split(':')) seconds = seconds * 60 + Number(part)
  return Number(days) * 86_400 + seconds
}
