import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import type { CallToolResult, jsonSchemaValidator, ServerContext } from '@modelcontextprotocol/server'
import type { Api } from './api.ts'
import type { Call } from './tool.ts'
import type { ToolDefinition } from './tool-definition.ts'

export interface ToolServerOptions {
  version: string
  /** Tells the model what this server is for and what it must not do. */
  instructions: string
  /** The tools that are listed and may be called. */
  tools: readonly ToolDefinition[]
  api: Api
  /** A failure as text for the model, and in the form of the API's errors. */
  describeFailure: (error: unknown) => { text: string; details: object }
  /** How long a client may cache the list of tools. */
  toolsHoldMs: number
}

/** Would validate clients' responses to our requests. We send none, and the default is slow. */
const unused: jsonSchemaValidator = {
  getValidator() {
    throw new Error('the server sends no requests to the client')
  },
}

/** Exact cost of a call in USD; tools other than `chat` cost nothing. */
const costMember = 'turnpike/cost_usd'
const failureMember = 'turnpike/failure'

/**
 * A server of tools for one connection or one request: cheap to build, and without state. The caller connects
 * it to a transport: standard input and output, or HTTP.
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
  callArguments: unknown,
  call: Call,
  { api, describeFailure }: ToolServerOptions,
): Promise<CallToolResult> {
  const found = read(callArguments)
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
      // The client may be gone; other code handles that.
      mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined)
    },
  }
}

function shorten(name: string): string {
  return name.slice(0, 100)
}
