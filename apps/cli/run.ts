import manifest from './package.json' with { type: 'json' }
import type { Context } from './context.ts'
import { failureOf, type Failure } from './failure.ts'
import { openNetwork } from './network/network.ts'
import { failureLines } from './output/failure-lines.ts'
import { Output, type OutputStreams } from './output/output.ts'
import { showResult } from './output/show-result.ts'
import { readCommandLine } from './program/program.ts'
import { apiUrlOf, directoryOf, timeoutMsOf, wantsJson, type Environment } from './settings.ts'

/** What a process provides. */
export interface Host extends OutputStreams {
  stdin: NodeJS.ReadStream
  environment: Environment
  /** Aborted by Ctrl-C. */
  signal: AbortSignal
}

/**
 * Runs one command line.
 * @param words without the name of the program
 * @returns the exit code
 */
export async function run(words: readonly string[], host: Host): Promise<number> {
  const { environment } = host
  const output = new Output(host, environment, wantsJson(words, environment), Date.now)
  try {
    const request = await readCommandLine(words, manifest.version, output.screen)
    if (request.kind === 'text') {
      output.write(request.text)
      return 0
    }
    const result = await request.command.run(
      contextOf(host, output, request.organization),
      request.input as never,
    )
    showResult(result, request.fields, output)
    return 0
  } catch (error) {
    const failure = host.signal.aborted ? failureOf(host.signal.reason) : failureOf(error)
    report(failure, output)
    return failure.exitCode
  }
}

function contextOf(host: Host, output: Output, organization: string | undefined): Context {
  const { environment, signal } = host
  const userAgent = `turnpike-cli/${manifest.version} node/${process.versions.node}`
  return {
    environment,
    get apiUrl() {
      return apiUrlOf(environment)
    },
    organization: organization ?? (environment.TURNPIKE_ORG?.trim() || undefined),
    directory: directoryOf(environment),
    network: openNetwork(environment, () => timeoutMsOf(environment), userAgent, signal),
    output,
    get input() {
      return host.stdin
    },
    signal,
    clock: Date.now,
  }
}

function report(failure: Failure, output: Output): void {
  if (output.isJson) output.json(failure.toJson())
  else for (const line of failureLines(failure, output.messages)) output.insist(line)
}
