import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { freePort, startChild } from '../child.ts'
import { chatBody, requestBytes, vendorUrl, type Shape } from '../client/request-bytes.ts'
import { nodeArguments, runningSubject, type Subject } from './subject.ts'

const folder = fileURLToPath(new URL('../peers/portkey/', import.meta.url))
const script = `${folder}node_modules/@portkey-ai/gateway/build/start-server.js`

/** Portkey's gateway, installed into a separate folder on the first run; a sentence if that fails. */
export function portkey(vendorPort: number): Subject | string {
  const failure = install()
  if (failure !== undefined) return failure
  return {
    name: 'portkey',
    description: '@portkey-ai/gateway 1.15.2, without configuration',
    async start() {
      const port = await freePort()
      const child = startChild(process.execPath, [...nodeArguments, script, `--port=${port}`, '--headless'], {
        cwd: folder,
      })
      return runningSubject({
        child,
        port,
        readyPath: '/',
        isNode: true,
        target: (shape) => ({ port, request: portkeyRequest(port, vendorPort, shape) }),
      })
    },
  }
}

function portkeyRequest(port: number, vendorPort: number, shape: Shape): Buffer {
  const headers = {
    authorization: 'Bearer bench',
    'x-portkey-provider': 'openai',
    'x-portkey-custom-host': vendorUrl(vendorPort, shape),
  }
  return requestBytes(port, '/v1/chat/completions', headers, chatBody('load-model', shape !== 'plain'))
}

/** Returns why it could not be installed. */
function install(): string | undefined {
  if (existsSync(script)) return undefined
  console.log('Installing @portkey-ai/gateway for comparison, once …')
  const options = { cwd: folder, encoding: 'utf8', shell: process.platform === 'win32' } as const
  const { status, error, stderr } = spawnSync(
    'npm',
    ['ci', '--ignore-scripts', '--no-audit', '--no-fund'],
    options,
  )
  if (status === 0) return undefined
  return `it could not be installed: ${(error?.message ?? stderr).trim().split('\n').at(-1)}`
}
