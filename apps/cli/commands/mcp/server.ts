import { PassThrough } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { toolDefinition, ToolRefusal, toolServer, type Tool } from '@turnpike/mcp'
import type { Context } from '../../context.ts'
import { badInput, failureOf } from '../../failure.ts'
import manifest from '../../package.json' with { type: 'json' }
import { apiOf } from './api.ts'
import { toolsFor } from './tools.ts'

const instructions = `Turnpike is an LLM gateway: one API key for the models of every vendor, paid from \
the user's prepaid credit. Only \`chat\` costs money; its answers say how much. Where a tool says that \
nobody is logged in, that there is no API key or that credit has run out, ask the user to run the command \
that it names; never open or pay a checkout yourself. The key that \`create_key\` answers is shown only \
once: save it at once where the user wants it.`

/** The tools only change with this program. */
const toolsHoldMs = 3_600_000

/** Serves tools on standard input and output, until the client leaves or this process is told to end. */
export async function serve(context: Context): Promise<void> {
  const { input, output, signal } = context
  const pending = new Set<Promise<unknown>>()
  const tools = toolsFor(context).map((tool) => toolDefinition(trackCalls(tool, pending)))
  const api = apiOf(context)
  const options = { version: manifest.version, instructions, tools, api, describeFailure, toolsHoldMs }
  // The SDK's transport ends with its input, and so would calls in progress.
  const lasting = new PassThrough()
  input.pipe(lasting, { end: false })
  const left = new Promise<void>((resolve) => input.once('end', resolve))
  const ended = new Promise<void>((resolve) =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  )
  const served = serveStdio(() => toolServer(options), {
    transport: new StdioServerTransport(lasting, output.protocol),
    onerror: (error) => output.insist(`turnpike mcp: ${error.message}`),
  })
  const gone = new Promise<void>((resolve) => lasting.once('close', resolve))
  await Promise.race([gone, left.then(() => waitUntilSettled(pending)), ended])
  await served.close()
}

/** Clients that close their input without waiting, such as a pipe, still get their responses. */
async function waitUntilSettled(pending: ReadonlySet<Promise<unknown>>): Promise<void> {
  do {
    await nextTurn()
    await Promise.allSettled(pending)
    await nextTurn()
  } while (pending.size > 0)
}

/** The same tool, with its calls in `pending` while they run. */
function trackCalls(tool: Tool, pending: Set<Promise<unknown>>): Tool {
  return {
    ...tool,
    run(api, input, call) {
      const answer = tool.run(api, input, call)
      pending.add(answer)
      return answer.finally(() => pending.delete(answer))
    },
  }
}

/** A failure as text for the model, as on stderr, and in detail, as with `--json`. */
function describeFailure(error: unknown): { text: string; details: object } {
  const failure =
    error instanceof ToolRefusal ? badInput(error.message, error.param ?? undefined) : failureOf(error)
  const { hint } = failure.details
  return {
    text: [failure.message, ...(hint === undefined ? [] : [hint])].join('\n'),
    details: { ...failure.toJson(), exit_code: failure.exitCode },
  }
}
