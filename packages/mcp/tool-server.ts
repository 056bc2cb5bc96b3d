import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import type { CallToolResult, jsonSchemaValidator, ServerContext } from '@modelcontextprotocol/server'
import type { Api } from './api.ts'
import type { Call } from './tool.ts'
import type { ToolDefinition } from './tool-definition.ts'

export interface ToolServerOptions {
  version: string
  /** For the model: what all of this is, and what it must not do. */
  instructions: string
  /** What is offered, and what may be called. */
  tools: readonly ToolDefinition[]
  api: Api
  /** A failure for the model to read, and as the API's errors tell it. */
  describeFailure: (error: unknown) => { text: string; details: object }
  /** How long a client may remember which tools there are. */
  toolsHoldMs: number
}

/** Of answers that clients give to questions of ours: there are none, and the SDK's own is slow to make. */
const unused: jsonSchemaValidator = {
  getValidator() {
    throw new Error('the server sends no requests to the client')
  },
}

/** Cost of a call in USD, exactly; tools other than `chat` cost nothing. */
const costMember = 'turnpike/cost_usd'
const failureMember = 'turnpike/failure'

/**
 * A server of tools for one connection, or one request: cheap to make, and it holds nothing. A program that
 * serves it by standard input and output, or by HTTP, connects it.
 */
export function toolServer(options: ToolServerOptions): Server {
  const { version, instructions, tools, toolsHoldMs } = options
  const server = new Server(
    { name: 'turnpike', title: 'Turnpike', version },
    {
      capabilities: { tools: {} },
      instructions,
      jsonSchemaValidator: unused,
      cacheHints: { 'tools/list': { ttlMs: toolsHoldMs, cacheScope: 'private' } },
    },
  )
  server.setRequestHandler('tools/list', () => ({ tools: tools.map(({ listed }) => listed) }))
  server.setRequestHandler('tools/call', ({ params }, context) => {
    const definition = tools.find(({ tool }) => tool.name === params.name)
    if (definition === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool "${shorten(params.name)}" not found.`)
    return resultOf(definition, params.arguments, callOf(context), options)
  })
  return server
}

async function resultOf(
  { tool, read }: ToolDefinition,
  given: unknown,
  call: Call,
  { api, describeFailure }: ToolServerOptions,
): Promise<CallToolResult> {
  const found = read(given)
  if ('mistake' in found) return refusal(`The arguments of \`${tool.name}\` are invalid.\n${found.mistake}`)
  try {
    const { value, text = [JSON.stringify(value)] } = await tool.run(api, found.input, call)
    return {
      structuredContent: value,
      content: text.map((part) => ({ type: 'text', text: part })),
      _meta: { [costMember]: value.cost_usd ?? '0' },
    }
  } catch (error) {
    const { text, details } = describeFailure(error)
    return refusal(text, { [failureMember]: details })
  }
}

function refusal(text: string, meta?: Record<string, unknown>): CallToolResult {
  return { isError: true, content: [{ type: 'text', text }], ...(meta !== undefined && { _meta: meta }) }
}

function callOf({ mcpReq }: ServerContext): Call {
  const token = mcpReq._meta?.progressToken
  let progress = 0
  return {
    signal: mcpReq.signal,
    progress(message) {
      if (token === undefined) return
      const params = { progressToken: token, progress: ++progress, message }
      // A client that has gone needs none; that it has is found by others.
      mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined)
    },
  }
}

function shorten(name: string): string {
  return name.slice(0, 100)
}
