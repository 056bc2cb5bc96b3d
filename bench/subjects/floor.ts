import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, startChild } from '../child.ts'
import type { FloorStep } from '../peers/floor-row.ts'
import { forwarding } from './bare.ts'
import { nodeArguments, runningSubject, type Subject } from './subject.ts'

const script = new URL('../peers/floor-proxy.ts', import.meta.url).pathname

/** The bare proxy, and with it the least of what a gateway does, up to this step. */
export function floorProxy(vendorPort: number, step: FloorStep, description: string): Subject {
  return {
    name: step,
    description,
    async start() {
      const port = await freePort()
      const folder = mkdtempSync(join(tmpdir(), 'turnpike-floor-'))
      const child = startChild(process.execPath, [
        ...nodeArguments,
        script,
        `--port=${port}`,
        `--origin=http://127.0.0.1:${vendorPort}`,
        `--folder=${folder}`,
        `--step=${step}`,
      ])
      const target = forwarding(port)
      const running = await runningSubject({ child, port, readyPath: '/', isNode: true, target })
      return {
        ...running,
        async stop() {
          await running.stop()
          rmSync(folder, { recursive: true, force: true })
        },
      }
    },
  }
}
