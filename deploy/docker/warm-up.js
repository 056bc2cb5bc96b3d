// Starts the gateway once, so that the compiled form of what it loads is in the image: where the root file
// system is read-only it could not be kept, and each start would take twice as long.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const main = new URL('../../apps/server/main.js', import.meta.url).pathname
const folder = mkdtempSync(join(tmpdir(), 'warm-up-'))
const origin = 'http://127.0.0.1:8799'
const seconds = 60

writeFileSync(join(folder, 'turnpike.yaml'), 'server: { port: 8799 }\n')
const environment = { ...process.env, TURNPIKE_CONFIG: join(folder, 'turnpike.yaml') }
const gateway = spawn(process.execPath, [main], {
  cwd: folder,
  env: environment,
  stdio: ['ignore', 'ignore', 'inherit'],
})
const ended = once(gateway, 'exit')
const isReady = await ready()
gateway.kill('SIGTERM')
await ended
rmSync(folder, { recursive: true })
if (!isReady) throw new Error(`the gateway ended, or was not ready within ${seconds} seconds`)

async function ready() {
  for (let tries = 0; tries < seconds * 5 && gateway.exitCode === null; tries++) {
    const response = await fetch(`${origin}/readyz`).catch(() => undefined)
    if (response?.ok) {
      // The management API and the pages of the identity provider are loaded with their first request.
      for (const path of ['/openapi.json', '/api/v1/auth/discovery', '/']) await fetch(origin + path)
      return true
    }
    await delay(200)
  }
  return false
}
