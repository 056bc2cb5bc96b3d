import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort, startChild } from '../child.ts'
import { callerRequest, requestBytes, vendorUrl, type Shape } from '../client/request-bytes.ts'
import { runningSubject, type Subject } from './subject.ts'

const requirements = fileURLToPath(new URL('../peers/litellm/requirements.txt', import.meta.url))
const cache = fileURLToPath(new URL('../../.cache/bench/litellm', import.meta.url))
const installTimeoutMs = 300_000

const key = 'sk-bench'
const shapes: readonly Shape[] = ['plain', 'brief', 'steady', 'translated', 'silent']

/** Makes it use its own copies of files that it would download at a start. */
const localFiles = {
  LITELLM_LOCAL_MODEL_COST_MAP: 'True',
  LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS: 'True',
  LITELLM_LOCAL_AUTOROUTER_PRESETS: 'True',
  LITELLM_LOCAL_BLOG_POSTS: 'True',
  LITELLM_LOCAL_POLICY_TEMPLATES: 'True',
}

/** By default it ends a stream that repeats itself a hundred times, as the load vendor's streams do. */
const unlimitedRepetition = { REPEATED_STREAMING_CHUNK_LIMIT: '1000000' }

/** LiteLLM's proxy, installed into the checkout's cache on the first run; a sentence if that fails. */
export function litellm(vendorPort: number, environments = cache): Subject | string {
  const environment = bringEnvironment(environments)
  if (environment.failure !== undefined) return environment.failure
  const version = /^litellm==(\S+)/mu.exec(readFileSync(requirements, 'utf8'))![1]!
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-bench-litellm-'))
  return {
    name: 'litellm',
    description: `LiteLLM ${version}, one worker, master key, no database`,
    load: { steadyStreams: 50, silentStreams: 200, isPaced: false },
    async start() {
      const port = await freePort()
      const path = join(folder, 'config.yaml')
      writeFileSync(path, configuration(vendorPort))
      const child = startChild(
        join(environment.programs, 'litellm'),
        ['--config', path, '--host', '127.0.0.1', '--port', String(port), '--num_workers', '1'],
        { cwd: folder, environment: environmentVariables() },
      )
      return runningSubject({
        child,
        port,
        readyPath: '/health/liveliness',
        isNode: false,
        target: (shape) => ({ port, request: request(port, shape) }),
      })
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function environmentVariables(): NodeJS.ProcessEnv {
  return { ...process.env, ...localFiles, ...unlimitedRepetition, LITELLM_MODE: 'PRODUCTION' }
}

function request(port: number, shape: Shape): Buffer {
  const { path, body } = callerRequest(shape, `${shape}/load-model`)
  return requestBytes(port, path, { authorization: `Bearer ${key}` }, body)
}

/** It appends the path of a call to the address: `/chat/completions`, or Anthropic's `/v1/messages`. */
function configuration(vendorPort: number): string {
  const models = shapes.map((shape) => ({
    model_name: `${shape}/load-model`,
    litellm_params: {
      model: `${shape === 'translated' ? 'anthropic' : 'openai'}/load-model`,
      api_base: vendorUrl(vendorPort, shape),
      api_key: 'bench',
    },
  }))
  return JSON.stringify({ model_list: models, general_settings: { master_key: key } })
}

type Environment = { programs: string; failure?: undefined } | { failure: string }

/** A Python environment with the required packages; created if it is missing or incomplete. */
function bringEnvironment(environments: string): Environment {
  const wanted = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 16)
  const folder = join(environments, wanted)
  const programs = join(folder, process.platform === 'win32' ? 'Scripts' : 'bin')
  // Written last, so that an interrupted installation has none.
  const mark = join(folder, 'complete')
  if (existsSync(mark)) return { programs }
  const python = ['python3', 'python'].find((program) => {
    const check = 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 10))'
    return spawnSync(program, ['-c', check], { stdio: 'ignore' }).status === 0
  })
  if (python === undefined) return { failure: 'there is no Python 3.10 or later' }
  console.log('Installing LiteLLM for comparison, once (750 MB) …')
  rmSync(environments, { recursive: true, force: true })
  mkdirSync(environments, { recursive: true })
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--only-binary=:all:']
  const failure =
    failureOf(python, ['-m', 'venv', folder]) ??
    failureOf(join(programs, 'python'), [...pip, '-r', requirements])
  if (failure !== undefined) return { failure: `it could not be installed: ${failure}` }
  writeFileSync(mark, '')
  return { programs }
}

/** The last line that a program printed before it failed. */
function failureOf(program: string, args: readonly string[]): string | undefined {
  const { status, error, stderr } = spawnSync(program, args, { encoding: 'utf8', timeout: installTimeoutMs })
  if (status === 0) return undefined
  return (error?.message ?? stderr).trim().split('\n').at(-1)
}
