import { parseArgs, type ParseArgsConfig } from 'node:util'
import { checkConfig } from './check-config.ts'
import { loadConfiguration } from '../configuration/load.ts'
import { formatMistake } from '../configuration/mistakes/mistake.ts'
import { reloadModels } from '../configuration/reload-models.ts'
import { ledgerVerify } from './ledger-verify.ts'
import { setAside } from './set-aside.ts'
import { print, printError } from '../print.ts'
import { serve } from '../workers/serve.ts'

const usage = `Usage: turnpike-gateway [start] [--config <path>] [--workers <n>]
       turnpike-gateway check-config [<path>]
       turnpike-gateway doctor [--config <path>]
       turnpike-gateway ledger verify [--config <path>]
       turnpike-gateway set-aside list | retry <id> | discard <id> --reason <text> [--config <path>]

  start          serve; the configuration is --config, else $TURNPIKE_CONFIG, else ./turnpike.yaml,
                 else the defaults; --workers, else server.workers, is how many processes serve
  check-config   say every mistake of a configuration, and nothing else
  doctor         look at all that the gateway needs: this machine, vendors' keys, database, Redis, issuer,
                 payments; say what is wrong and what to do about it. Exit code 1 where something is
  ledger verify  recompute every balance, lease and charge from the rows of the database; may be run beside
                 the gateway. Exit code 1 where one differs, 2 where they could not be read
  set-aside      rows that the database refused for good: list them, write one again, or take one out that
                 was settled by hand. A running gateway changes its own (Operator > Books). Exit code 1
                 where it was not done, 2 where they could not be read
`

/** The same maximum as in the configuration's schema. */
const mostWorkers = 256

const parameters = {
  allowPositionals: true,
  options: {
    config: { type: 'string', short: 'c' },
    workers: { type: 'string' },
    reason: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
} as const satisfies ParseArgsConfig

/** Runs the command that the arguments name. Resolves with the exit code. */
export async function runCommand(args: string[]): Promise<number> {
  const parsed = parseArguments(args)
  if (typeof parsed === 'string') {
    printError(`${parsed}\n\n${usage}`)
    return 2
  }
  const { values, positionals } = parsed
  if (values.help === true) {
    print(usage)
    return 0
  }
  const surroundings = { environment: process.env, directory: process.cwd() }
  const [command = 'start', path] = positionals
  if (command === 'check-config') return checkConfig({ path: path ?? values.config, ...surroundings }, print)
  if (command === 'doctor' && path === undefined) {
    const { runDoctor } = await import('../doctor/doctor.ts')
    return runDoctor({ path: values.config, ...surroundings }, print)
  }
  if (command === 'ledger' && path === 'verify' && positionals.length === 2)
    return ledgerVerify({ path: values.config, ...surroundings }, print, printError)
  if (command === 'set-aside') {
    const action = setAsideAction(positionals.slice(1), values.reason)
    if (action !== undefined)
      return setAside(action, { path: values.config, ...surroundings }, { print, printError })
  }
  if (command !== 'start' || path !== undefined) {
    printError(`turnpike: unknown command "${positionals.join(' ')}"\n\n${usage}`)
    return 2
  }
  const workers = workersOf(values.workers)
  if (typeof workers === 'string') {
    printError(`${workers}\n\n${usage}`)
    return 2
  }
  const sources = { path: values.config, ...surroundings, workers }
  const loaded = loadConfiguration(sources)
  if (loaded.configuration === undefined) {
    const { file, mistakes } = loaded
    for (const mistake of mistakes) printError(`${formatMistake(file, mistake)}\n`)
    return 1
  }
  return serve(loaded.configuration, () => reloadModels(sources), process.env)
}

/** Undefined if the arguments name no known action. */
function setAsideAction([does, id, ...further]: string[], reason: string | undefined) {
  if (further.length > 0) return undefined
  if (does === 'list' && id === undefined) return { does } as const
  if (id === undefined) return undefined
  if (does === 'retry') return { does, id } as const
  return does === 'discard' && reason?.trim() ? ({ does, id, reason: reason.trim() } as const) : undefined
}

/** The number of workers that replaces the configuration's, or an error message. */
function workersOf(option: string | undefined): number | string | undefined {
  if (option === undefined) return undefined
  if (!/^[1-9]\d{0,2}$/.test(option) || Number(option) > mostWorkers)
    return `turnpike: --workers ${option}: expected a whole number from 1 to ${mostWorkers}`
  return Number(option)
}

function parseArguments(args: string[]) {
  try {
    return parseArgs({ args, ...parameters })
  } catch (error) {
    return `turnpike: ${error instanceof Error ? error.message : String(error)}`
  }
}
