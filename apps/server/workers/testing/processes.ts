import { execFileSync } from 'node:child_process'
import type { GatewayProcess } from '../../../../tests/nodes/gateway-process.ts'

/** The processes that a primary has started. */
export function processesOf(gateway: GatewayProcess): { workers: number[]; database: number | undefined } {
  const text = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(gateway.pid)], { encoding: 'utf8' })
  const all = text
    .trim()
    .split('\n')
    .map((line) => ({ pid: Number.parseInt(line, 10), isDatabase: line.includes('workers/database.ts') }))
  return {
    workers: all.filter(({ isDatabase }) => !isDatabase).map(({ pid }) => pid),
    database: all.find(({ isDatabase }) => isDatabase)?.pid,
  }
}
