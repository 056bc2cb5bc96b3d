import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freePort } from '../../../tests/nodes/free-port.ts'

const bin = join(import.meta.dirname, '../../../bin')
const main = join(import.meta.dirname, '../main.js')

test.runIf(process.platform !== 'win32')(
  'a gateway stops when its launcher is killed, so that the next one can use the port and the data',
  async () => {
    const directory = mkdtempSync(join(tmpdir(), 'turnpike-test-'))
    writeFileSync(join(directory, 'turnpike.yaml'), `server: { port: ${await freePort()} }`)
    const options = { cwd: directory, serves: true }
    const script = `import { runChild } from ${JSON.stringify(join(bin, 'child.js'))}
      const options = ${JSON.stringify(options)}
      process.exitCode = await runChild(process.execPath, [${JSON.stringify(main)}], options)`
    const launch = () => spawn(process.execPath, ['--input-type=module', '-e', script], { cwd: directory })
    try {
      const killed = launch()
      await waitForText(killed.stdout, 'is ready at')
      killed.kill('SIGKILL')
      // Both write to the same pipe, which ends only when the gateway has ended, too.
      await once(killed.stdout, 'end')
      const next = launch()
      await waitForText(next.stdout, 'is ready at')
      next.kill('SIGTERM')
      expect(await once(next, 'close')).toEqual([0, null])
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  },
)

function waitForText(stream: NodeJS.ReadableStream, expected: string): Promise<void> {
  let text = ''
  return new Promise((resolve, reject) => {
    stream.on('data', (chunk) => {
      text += String(chunk)
      if (text.includes(expected)) resolve()
    })
    stream.once('end', () => reject(new Error(`it ended with: ${text}`)))
  })
}
