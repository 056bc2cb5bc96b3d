import { setImmediate as nextTurn } from 'node:timers/promises'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js'
import type { CallToolResult, ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js'
import * as z from 'zod'
import type { Context } from '../../context.ts'
import { failureOf, type Failure } from '../../failure.ts'
import manifest from '../../package.json' with { type: 'json' }
import type { Call, Tool } from './tool.ts'
import { tools } from './tools/all-tools.ts'

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>

const instructions = `Turnpike is an LLM gateway: one API key for the models of every vendor, paid from \
the user's prepaid credit. Only \`chat\` costs money; its answers say how much. Where a tool says that \
nobody is logged in, that there is no API key or that credit has run out, ask the user to run the command \
that it names; never open or pay a checkout yourself. The key that \`create_key\` answers is shown only \
once: save it at once where the user wants it.`

/** Serves tools on standard input and output, until the client leaves or this process is told to end. */
export async function serve(context: Context): Promise<void> {
  const { input, output, signal } = context
  const server = new McpServer(
    { name: 'turnpike', title: 'Turnpike', version: manifest.version },
    { instructions },
  )
  const pending = new Set<Promise<unknown>>()
  for (const tool of tools) {
    const { name, title, description, annotations } = tool
    // Clients refuse what a strict schema does not name, and the gateway may come to say more.
    const config = {
      title,
      description,
      annotations,
      inputSchema: tool.input,
      outputSchema: z.looseObject(tool.output),
    }
    server.registerTool(name, config, (given: Record<string, unknown>, extra: Extra) => {
      const result = resultOf(tool, context, given, callOf(extra))
      pending.add(result)
      return result.finally(() => pending.delete(result))
    })
  }
  server.server.onerror = (error) => output.insist(`turnpike mcp: ${error.message}`)
  const closed = new Promise<void>((resolve) => (server.server.onclose = resolve))
  // The SDK's transport does not notice that its client has gone.
  const left = new Promise<void>((resolve) => input.once('end', resolve))
  const ended = new Promise<void>((resolve) =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  )
  await server.connect(new StdioServerTransport(input, output.protocol))
  await Promise.race([closed, left.then(() => settled(pending)), ended])
  await server.close()
}

/** Who asks, and closes without waiting, as a pipe does, still gets the answers. */
async function settled(pending: ReadonlySet<Promise<unknown>>): Promise<void> {
  do {
    await nextTurn()
    await Promise.allSettled(pending)
    await nextTurn()
  } while (pending.size > 0)
}

function callOf({ signal, _meta, sendNotification }: Extra): Call {
  const token = _meta?.progressToken
  let progress = 0
  return {
    signal,
    progress(message) {
      if (token === undefined) return
      const params = { progressToken: token, progress: ++progress, message }
      // A client that has gone needs none; that it has is found by others.
      sendNotification({ method: 'notifications/progress', params }).catch(() => undefined)
    },
  }
}

async function resultOf(tool: Tool, context: Context, input: object, call: Call): Promise<CallToolResult> {
  try {
    const { value, text = [JSON.stringify(value)] } = await tool.run(context, input as never, call)
    return { structuredContent: value, content: text.map((part) => ({ type: 'text', text: part })) }
  } catch (error) {
    return refusal(failureOf(error))
  }
}

/** What a command would say on stderr, for the model to read; and what it would say with `--json`. */
function refusal(failure: Failure): CallToolResult {
  const { hint } = failure.details
  return {
    isError: true,
    content: [{ type: 'text', text: [failure.message, ...(hint === undefined ? [] : [hint])].join('\n') }],
    _meta: { 'turnpike/failure': { ...failure.toJson(), exit_code: failure.exitCode } },
  }
}
