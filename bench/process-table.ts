import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** What the process table says of a process: all its threads, garbage collection and kernel time included. */
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

/** @throws where there is no such process */
export function processUse(pid: number): ProcessUse {
  return process.platform === 'linux' ? linuxUse(pid) : portableUse(pid)
}

function linuxUse(pid: number): ProcessUse {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name in parentheses may hold spaces: fields are counted from behind it, where the state is field 3.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = Number(fields[14 - 3]) + Number(fields[15 - 3])
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const rssKilobytes = Number(/^VmRSS:\s+(\d+) kB$/mu.exec(status)?.[1])
  return { cpuMicroseconds: ticks * microsecondsPerTick, rssKilobytes }
}

function portableUse(pid: number): ProcessUse {
  const text = execFileSync('ps', ['-o', 'time=,rss=', '-p', String(pid)], { encoding: 'utf8' }).trim()
  const [time = '', rss = ''] = text.split(/\s+/u)
  return { cpuMicroseconds: secondsOf(time) * 1_000_000, rssKilobytes: Number(rss) }
}

/** `[[days-]hours:]minutes:seconds`, where the seconds may have a fraction. */
function secondsOf(time: string): number {
  const [days, clock] = time.includes('-') ? time.split('-') : ['0', time]
  let seconds = 0
  for (const part of clock!.split(':')) seconds = seconds * 60 + Number(part)
  return Number(days) * 86_400 + seconds
}
