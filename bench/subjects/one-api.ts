import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, startChild } from '../child.ts'
import { callerRequest, requestBytes, vendorUrl, type Shape } from '../client/request-bytes.ts'
import { fullLoad, runningSubject, type Subject } from './subject.ts'

const shapes: readonly Shape[] = ['plain', 'brief', 'steady', 'translated', 'silent']

/** Numbers from its `relay/channeltype/define.go`. */
const channelTypes = { openai: 1, anthropic: 14 }

/** one-api on SQLite; undefined if no `one-api` program is installed. */
export function oneApi(vendorPort: number): Subject | undefined {
  const version = findVersion()
  if (version === undefined) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-bench-one-api-'))
  // It reads a key only up to its first hyphen, and stores 32 and 48 characters.
  const accessToken = randomBytes(16).toString('hex')
  const key = randomBytes(16).toString('hex')
  let isConfigured = false
  return {
    name: 'one-api',
    description: `one-api ${version}, on SQLite, a token, a channel for each kind of stream`,
    load: { ...fullLoad, isPaced: false },
    async start() {
      const port = await freePort()
      const child = startChild('one-api', ['--port', String(port)], {
        cwd: folder,
        environment: {
          ...process.env,
          INITIAL_ROOT_TOKEN: key,
          INITIAL_ROOT_ACCESS_TOKEN: accessToken,
          SQLITE_PATH: join(folder, 'one-api.db'),
        },
      })
      const target = (shape: Shape) => {
        const { path, body } = callerRequest(shape, `${shape}/load-model`)
        return { port, request: requestBytes(port, path, { authorization: `Bearer sk-${key}` }, body) }
      }
      const running = await runningSubject({ child, port, readyPath: '/api/status', isNode: false, target })
      if (!isConfigured) await configure(port, accessToken, vendorPort)
      isConfigured = true
      return running
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function findVersion(): string | undefined {
  const { error, stdout } = spawnSync('one-api', ['--version'], { encoding: 'utf8' })
  return error === undefined ? stdout.trim() : undefined
}

async function configure(port: number, accessToken: string, vendorPort: number): Promise<void> {
  const call = async (method: string, path: string, body: object): Promise<void> => {
    const answer = await fetch(`http://127.0.0.1:${port}/api${path}`, {
      method,
      headers: { authorization: accessToken, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const { success, message } = (await answer.json()) as { success: boolean; message: string }
    if (!success) throw new Error(`one-api answered ${method} ${path} with: ${message}`)
  }
  // It listens on every address, with a well-known default password.
  const password = randomBytes(10).toString('hex')
  await call('PUT', '/user/self', { username: 'root', password, display_name: 'Root User' })
  const ratios = Object.fromEntries(shapes.map((shape) => [`${shape}/load-model`, 0.075]))
  await call('PUT', '/option/', { key: 'ModelRatio', value: JSON.stringify(ratios) })
  for (const shape of shapes)
    await call('POST', '/channel/', {
      name: shape,
      type: shape === 'translated' ? channelTypes.anthropic : channelTypes.openai,
      key: 'bench',
      // It appends the whole path of a call to the address, including the version.
      base_url: vendorUrl(vendorPort, shape).replace(/\/v1$/u, ''),
      models: `${shape}/load-model`,
      group: 'default',
    })
}
