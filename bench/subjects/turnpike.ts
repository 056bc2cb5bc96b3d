import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort, startChild } from '../child.ts'
import { Admin } from '../client/admin.ts'
import { faultyModels, faultyProviders } from '../faults/configuration.ts'
import {
  basePath,
  callerRequest,
  chatBody,
  requestBytes,
  shapes,
  styleOf,
  type Shape,
} from '../client/request-bytes.ts'
import { nodeArguments, runningSubject, type RunningSubject, type Subject } from './subject.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
let script: string | undefined

/** What `npm start` runs from its second start on: the bundle, rebuilt if the sources have changed. */
function program(): string {
  if (script !== undefined) return script
  execFileSync(process.execPath, [join(root, 'bin/build-server.js')], { stdio: 'inherit' })
  const { name } = JSON.parse(readFileSync(join(root, '.cache/server/current.json'), 'utf8')) as {
    name: string
  }
  script = join(root, '.cache/server', name, 'turnpike-gateway.js')
  return script
}

interface Surroundings {
  nodeArguments: readonly string[]
  gatewayVariables: NodeJS.ProcessEnv
}

/** What `npm start` and the image add to Node's arguments and to the environment. */
async function surroundings(): Promise<Surroundings> {
  return (await import(join(root, 'bin/server-program.js'))) as Surroundings
}

const internalSecret = 'the secret of a benchmark on loopback'

export interface RunningTurnpike extends RunningSubject {
  admin: Admin
  accountId: string
  /** A request with the key of this index. */
  targetOf(shape: Shape, key: number): { port: number; request: Buffer }
  /** A request for a model by its identifier. */
  requestOf(model: string, stream: boolean, key: number): Buffer
}

export interface TurnpikeOptions {
  vendorPort: number
  keys: number
  creditUsd: string
  /** Whether its vendors fail now and then; their models are configured too. */
  faults?: boolean
  /** Number of hard budgets that apply to each request, on the account and on its tags; absent: none. */
  budgets?: 3
  /** Absent: SQLite. */
  databaseUrl?: string
  /** Absent: the server counts limits itself. */
  redisUrl?: string
}

/** The server as an operator starts it, in a folder of its own: one account, keys with credit. */
export class Turnpike implements Subject {
  readonly name: string
  readonly description: string
  readonly #options: TurnpikeOptions
  readonly #folder = mkdtempSync(join(tmpdir(), 'turnpike-bench-'))
  #account: { accountId: string; rawKeys: string[] } | undefined

  constructor(options: TurnpikeOptions) {
    this.#options = options
    const { budgets } = options
    this.name = budgets === undefined ? 'turnpike' : 'turnpike-budgets'
    const further = budgets === undefined ? '' : `, ${budgets} budgets on each request`
    this.description = `this gateway: keys, tags, holds, exact charges, ledger, on SQLite${further}`
    mkdirSync(this.#folder, { recursive: true })
  }

  async start(): Promise<RunningTurnpike> {
    const port = await freePort()
    const path = join(this.#folder, 'turnpike.yaml')
    writeFileSync(path, configuration(port, this.#options))
    const own = await surroundings()
    const args = [...nodeArguments, ...own.nodeArguments, program(), '--config', path]
    const environment = { ...own.gatewayVariables, ...process.env }
    const child = startChild(process.execPath, args, { cwd: this.#folder, environment })
    const requestOf = (model: string, stream: boolean, key: number) => this.#request(port, model, stream, key)
    const targetOf = (shape: Shape, key: number) => {
      const { path: called, body } = callerRequest(shape, `${shape}/load-model`)
      return { port, request: requestBytes(port, called, this.#headers(key), body) }
    }
    const target = (shape: Shape) => targetOf(shape, 0)
    const running = await runningSubject({ child, port, readyPath: '/readyz', isNode: true, target })
    const admin = new Admin(port, internalSecret)
    if (this.#account === undefined) {
      this.#account = await admin.createAccount(this.#options.keys, this.#options.creditUsd)
      if (this.#options.budgets !== undefined) await addBudgets(admin, this.#account.accountId)
    }
    return { ...running, admin, accountId: this.#account.accountId, targetOf, requestOf }
  }

  /** Deletes its data. */
  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #request(port: number, model: string, stream: boolean, key: number): Buffer {
    return requestBytes(port, '/v1/chat/completions', this.#headers(key), chatBody(model, stream))
  }

  #headers(key: number): Record<string, string> {
    const { rawKeys } = this.#account!
    return {
      authorization: `Bearer ${rawKeys[key % rawKeys.length]!}`,
      'x-turnpike-tags': 'team-search,production',
    }
  }
}

/** Budgets on what each request has, large enough that none is reached. */
async function addBudgets(admin: Admin, accountId: string): Promise<void> {
  const on = [
    { scope: 'organization' },
    { scope: 'tag', subject: 'production' },
    { scope: 'tag', subject: 'team-search' },
  ]
  for (const what of on)
    await admin.post(`/accounts/${accountId}/budgets`, {
      name: 'bench',
      period: 'month',
      limit_usd: '100000',
      ...what,
    })
}

/** All limits are counted, and none is reached. */
const limits = {
  burst_per_key_per_second: 1e6,
  tiers: {
    free: { requests_per_minute: 1e9, input_tokens_per_minute: 1e10, output_tokens_per_minute: 1e10 },
  },
}

/** One provider per shape, because its base URL tells the load server how to answer. */
function configuration(port: number, options: TurnpikeOptions): string {
  const { vendorPort, faults = false, databaseUrl, redisUrl } = options
  const providers = shapes.map(
    (shape) =>
      `  ${shape}: { style: ${styleOf(shape)}, ` +
      `base_url: "http://127.0.0.1:${vendorPort}${basePath(shape)}", api_keys: [bench] }`,
  )
  const models = shapes.map((shape) => {
    const pricing = 'pricing: { prompt: "0.00000015", completion: "0.0000006" }'
    return `  ${shape}/load-model: { context_length: 128000, max_output_tokens: 16384, ${pricing} }`
  })
  return [
    `server: { host: 127.0.0.1, port: ${port} }`,
    'data_dir: data',
    ...(databaseUrl === undefined ? [] : [`database: { url: "${databaseUrl}" }`]),
    ...(redisUrl === undefined ? [] : [`redis: { url: "${redisUrl}" }`]),
    'providers:',
    ...providers,
    ...(faults ? faultyProviders(vendorPort) : []),
    'models:',
    ...models,
    ...(faults ? faultyModels : []),
    `admin: { internal_secret: "${internalSecret}" }`,
    `limits: ${JSON.stringify(limits)}`,
    // Once a day this uses a quarter of a core for seconds, which would distort a single round.
    'billing: { verify_hours: 0 }',
    '',
  ].join('\n')
}
