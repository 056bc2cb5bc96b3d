import type { TestNode } from '../../nodes/test-node.ts'

export const revision = '2026-07-28'

export interface RawAnswer {
  status: number
  headers: Headers
  text: string
  /** The body of a plain response, or the last event of a stream. */
  json: RpcAnswer
}

export interface RpcAnswer {
  id?: string | number | null
  result?: ToolResult & Record<string, unknown>
  error?: { code: number; message: string; data?: Record<string, unknown> }
}

export interface ToolResult {
  isError?: boolean
  content: { type: string; text: string }[]
  structuredContent: Record<string, unknown>
  _meta?: Record<string, unknown>
}

const meta = {
  'io.modelcontextprotocol/protocolVersion': revision,
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** A request in the current revision's format. */
export function rpc(method: string, params: Record<string, unknown> = {}) {
  return { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } }
}

export interface RawOptions {
  method?: string
  token?: string | undefined
  headers?: Record<string, string>
  /** Sent as JSON; text and bytes are sent unchanged. */
  body?: unknown
  signal?: AbortSignal
  /** Called when the head of the response has arrived. */
  onHead?: () => void
}

/** An HTTP request that may break any rule. */
export async function send(
  { origin }: Pick<TestNode, 'origin'>,
  { method = 'POST', token, headers = {}, body, signal, onHead }: RawOptions = {},
): Promise<RawAnswer> {
  const asIs = typeof body === 'string' || body instanceof Uint8Array
  const message = (body ?? {}) as { method?: string; params?: { name?: string } }
  const response = await fetch(`${origin}/mcp`, {
    method,
    headers: {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': revision,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(!asIs && message.method !== undefined && { 'mcp-method': message.method }),
      ...(!asIs && message.params?.name !== undefined && { 'mcp-name': message.params.name }),
      ...headers,
    },
    ...(body !== undefined && { body: asIs ? (body as string) : JSON.stringify(body) }),
    ...(signal !== undefined && { signal }),
  })
  onHead?.()
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, json: jsonIn(response, text) }
}

function jsonIn(response: Response, text: string): RpcAnswer {
  const type = response.headers.get('content-type') ?? ''
  if (text === '') return {}
  if (type.startsWith('application/json')) return JSON.parse(text) as RpcAnswer
  if (!type.startsWith('text/event-stream')) return {}
  const events = text.split('\n').filter((line) => line.startsWith('data: '))
  return JSON.parse(events.at(-1)!.slice('data: '.length)) as RpcAnswer
}

export async function callTool(
  node: Pick<TestNode, 'origin'>,
  token: string,
  name: string,
  input: object = {},
): Promise<ToolResult> {
  const { json, status, text } = await send(node, {
    token,
    body: rpc('tools/call', { name, arguments: input }),
  })
  if (json.result === undefined) throw new Error(`${name}: ${status} ${text}`)
  return json.result
}
