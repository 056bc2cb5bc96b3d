import fc from 'fast-check'

/* Arbitrary valid bodies of `POST /v1/messages`, for tests of what must hold for each of them. */

const word = fc.string({ minLength: 1, maxLength: 12 })
const toolName = fc.stringMatching(/^[a-zA-Z0-9_-]{1,16}$/)
const mark = fc.constantFrom<object>(
  {},
  {},
  { cache_control: { type: 'ephemeral' } },
  { cache_control: { type: 'ephemeral', ttl: '1h' } },
  { cache_control: null },
)

const marked = (block: fc.Arbitrary<object>): fc.Arbitrary<object> =>
  fc.tuple(block, mark).map(([content, control]) => ({ ...content, ...control }))

const textBlock = marked(
  fc.oneof(
    fc.record({ type: fc.constant('text'), text: fc.string() }),
    fc.record({ type: fc.constant('text'), text: word, citations: fc.constant([{ type: 'page_location' }]) }),
  ),
)

const base64 = (mediaTypes: string[]): fc.Arbitrary<object> =>
  fc.record({
    type: fc.constant('base64'),
    media_type: fc.constantFrom(...mediaTypes),
    data: fc.base64String(),
  })
const addressed = fc.constantFrom<object>(
  { type: 'url', url: 'https://example.com/a' },
  { type: 'file', file_id: 'file_1' },
)

const image = marked(
  fc.record({
    type: fc.constant('image'),
    source: fc.oneof(base64(['image/png', 'image/jpeg', 'image/gif', 'image/webp']), addressed),
  }),
)

const document = marked(
  fc.record(
    {
      type: fc.constant('document'),
      source: fc.oneof(
        base64(['application/pdf']),
        addressed,
        fc.record({
          type: fc.constant('text'),
          media_type: fc.constant('text/plain'),
          data: fc.string({ unit: 'grapheme' }),
        }),
        fc.record({ type: fc.constant('content'), content: fc.oneof(word, fc.array(textBlock)) }),
      ),
      title: fc.option(word),
      context: word,
      citations: fc.record({ enabled: fc.boolean() }),
    },
    { requiredKeys: ['type', 'source'] },
  ),
)

const unknownBlock = fc.constantFrom<object>(
  {
    type: 'search_result',
    source: 'https://example.com',
    title: 'x',
    content: [{ type: 'text', text: 'y' }],
  },
  { type: 'container_upload', file_id: 'file_1' },
  { type: 'a_block_of_2030', some: { thing: [1, null] } },
)

const userBlock = fc.oneof(textBlock, image, document, unknownBlock)

const thinking = fc.oneof(
  fc.record({ type: fc.constant('thinking'), thinking: fc.string(), signature: fc.string() }),
  fc.record({ type: fc.constant('redacted_thinking'), data: word }),
)
const answered = fc.oneof(
  textBlock,
  fc.constant({ type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'x' } }),
)

interface Exchange {
  said: string | object[]
  thoughts: object[]
  text: object[]
  calls: { name: string; input: object }[]
  results: { content?: string | object[]; is_error?: boolean }[]
  marks: object[]
  more: object[]
  instruction: string | object[] | undefined
}

const exchange: fc.Arbitrary<Exchange> = fc.record({
  said: fc.oneof(word, fc.array(userBlock, { minLength: 1, maxLength: 3 })),
  thoughts: fc.array(thinking, { maxLength: 2 }),
  text: fc.array(answered, { maxLength: 2 }),
  calls: fc.array(fc.record({ name: toolName, input: fc.dictionary(word, fc.jsonValue()) }), {
    maxLength: 3,
  }),
  results: fc.array(
    fc.record(
      {
        content: fc.oneof(fc.string(), fc.array(fc.oneof(textBlock, image, document), { maxLength: 2 })),
        is_error: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
    { minLength: 3, maxLength: 3 },
  ),
  marks: fc.array(mark, { minLength: 3, maxLength: 3 }),
  more: fc.array(textBlock, { maxLength: 1 }),
  instruction: fc.option(fc.oneof(word, fc.array(textBlock, { minLength: 1, maxLength: 2 })), {
    nil: undefined,
  }),
})

/** A user's turn, the model's answer with its calls, and their results with the user's other content. */
function turnsOf(exchanges: readonly Exchange[]): object[] {
  return exchanges.flatMap(({ said, thoughts, text, calls, results, marks, more, instruction }, number) => {
    const id = (at: number): string => `toolu_${number}_${at}`
    const answer = [
      ...thoughts,
      ...text,
      ...calls.map((call, at) => ({ type: 'tool_use', id: id(at), ...call, ...marks[at] })),
    ]
    const back = calls.map((_call, at) => ({ type: 'tool_result', tool_use_id: id(at), ...results[at] }))
    return [
      { role: 'user', content: said },
      ...(instruction === undefined ? [] : [{ role: 'system', content: instruction }]),
      { role: 'assistant', content: answer.length === 0 ? 'Yes.' : answer },
      ...(calls.length === 0 ? [] : [{ role: 'user', content: [...back, ...more] }]),
    ]
  })
}

const messages = fc
  .tuple(fc.array(exchange, { maxLength: 3 }), fc.oneof(word, fc.array(userBlock)))
  .map(([exchanges, last]) => [...turnsOf(exchanges), { role: 'user', content: last }])

const ownTool = marked(
  fc.record(
    {
      name: toolName,
      description: fc.string(),
      input_schema: fc.constant({ type: 'object', properties: { url: { type: 'string' } } }),
      strict: fc.boolean(),
      type: fc.constantFrom('custom', null),
      defer_loading: fc.boolean(),
    },
    { requiredKeys: ['name', 'input_schema'] },
  ),
)
const tools = fc.uniqueArray(
  fc.oneof(
    ownTool,
    fc.constant({ type: 'web_search_20250305', name: '~web_search', max_uses: 3 }),
    fc.constant({ type: 'mcp_toolset', mcp_server_name: 'x' }),
  ),
  { maxLength: 4, selector: (tool) => (tool as { name?: string }).name ?? '' },
)

/** Its budget is below the output bound of `anyRequest`. */
const thinkingWish = fc.constantFrom<object>(
  { type: 'enabled', budget_tokens: 1_500 },
  { type: 'enabled', budget_tokens: 1_024, display: 'omitted' },
  { type: 'adaptive', display: 'summarized' },
  { type: 'adaptive' },
  { type: 'disabled' },
  { type: 'a_kind_of_2030' },
)

const format = { type: 'json_schema', schema: { type: 'object', properties: { title: { type: 'string' } } } }

const anyMarked: fc.Arbitrary<Record<string, unknown>> = fc.record(
  {
    model: fc.constant('anthropic/claude-sonnet-4-6'),
    messages,
    max_tokens: fc.integer({ min: 2_000, max: 64_000 }),
    models: fc.array(word, { maxLength: 2 }),
    system: fc.oneof(
      fc.string(),
      fc.array(fc.oneof(textBlock, fc.constant({ type: 'text', text: 'x-anthropic-billing-header: x' })), {
        maxLength: 3,
      }),
    ),
    stream: fc.boolean(),
    metadata: fc.record(
      { user_id: fc.string(), tags: fc.array(word, { maxLength: 2 }), retry_of: word },
      { requiredKeys: [] },
    ),
    temperature: fc.double({ min: 0, max: 1, noNaN: true }),
    top_p: fc.double({ min: 0, max: 1, noNaN: true }),
    top_k: fc.nat(),
    stop_sequences: fc.array(word, { maxLength: 3 }),
    tools,
    tool_choice: fc.constantFrom(
      { type: 'auto', disable_parallel_tool_use: true },
      { type: 'any' },
      { type: 'tool', name: 'f' },
      { type: 'none' },
    ),
    thinking: thinkingWish,
    output_config: fc.record(
      {
        effort: fc.constantFrom('low', 'medium', 'high', 'xhigh', 'max', null),
        format: fc.constant(format),
        task_budget: fc.constant({ type: 'tokens', total: 20_000 }),
      },
      { requiredKeys: [] },
    ),
    output_format: fc.constantFrom(format, null),
    context_management: fc.constant({ edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] }),
    cache_control: fc.constant({ type: 'ephemeral' }),
    service_tier: fc.constantFrom('auto', 'standard_only'),
    container: fc.constant('container_1'),
    mcp_servers: fc.constant([{ type: 'url', name: 'x', url: 'https://example.com/mcp' }]),
    a_field_of_2030: fc.jsonValue(),
  },
  { requiredKeys: ['model', 'messages', 'max_tokens'] },
)

interface MarkedBlock {
  type?: string
  cache_control?: { ttl?: string } | null
}

/** At most four cache marks, none of which outlasts one before it. */
export const anyRequest = anyMarked.map((body): Record<string, unknown> => {
  const { tools: ownTools, system, messages: turns } = body as Record<string, unknown[] | string | undefined>
  const contents = (turns as { content: unknown }[]).map(({ content }) => content)
  const marked = [ownTools, system, ...contents]
    .flatMap((blocks) => (Array.isArray(blocks) ? (blocks as MarkedBlock[]) : []))
    .filter((block) => (block.cache_control ?? undefined) !== undefined)
  const firstShort = marked.findIndex(({ cache_control: control }) => control!.ttl !== '1h')
  const gone = new Set(
    marked.filter(
      ({ cache_control: control }, at) =>
        at >= 4 || (control!.ttl === '1h' && at > firstShort && firstShort !== -1),
    ),
  )
  const without = (blocks: unknown): unknown =>
    Array.isArray(blocks)
      ? (blocks as MarkedBlock[]).map((block) => (gone.has(block) ? unmarked(block) : block))
      : blocks
  const kept = (turns as { content: unknown }[]).map((turn) => ({ ...turn, content: without(turn.content) }))
  return {
    ...body,
    messages: kept,
    ...(ownTools === undefined ? {} : { tools: without(ownTools) }),
    ...(system === undefined ? {} : { system: without(system) }),
  }
})

function unmarked({ cache_control: _mark, ...block }: MarkedBlock): object {
  return block
}

const ownFields = [
  'top_k',
  'output_config',
  'context_management',
  'cache_control',
  'service_tier',
  'container',
  'mcp_servers',
  'a_field_of_2030',
]

interface AnyBlock {
  type: string
  source?: { type: string }
  content?: unknown
  [member: string]: unknown
}

/** Only what other vendors' formats can express, as far as they accept it. */
export const commonRequest = anyRequest.map((body) => {
  const common = Object.entries(body).filter(([name]) => !ownFields.includes(name))
  const turns = body['messages'] as { role: string; content: unknown }[]
  const ownTools = (body['tools'] as { type?: string | null; name?: string }[] | undefined)?.filter(
    ({ type }) => type === undefined || type === null || type === 'custom',
  )
  const wish = body['thinking'] as { type: string } | undefined
  return {
    ...Object.fromEntries(common),
    messages: turns.map(({ role, content }) => ({ role, content: commonContent(content) })),
    ...(ownTools === undefined ? {} : { tools: ownTools }),
    ...(ownTools?.[0] === undefined ? { tool_choice: undefined } : {}),
    ...(wish?.type === 'a_kind_of_2030' ? { thinking: undefined } : {}),
  }
})

const commonTypes = new Set([
  'text',
  'image',
  'document',
  'thinking',
  'redacted_thinking',
  'tool_use',
  'tool_result',
])

function commonContent(content: unknown): unknown {
  if (!Array.isArray(content)) return content
  const blocks = (content as AnyBlock[]).filter(({ type }) => commonTypes.has(type))
  if (blocks.length === 0) return 'x'
  return blocks.map(({ citations: _citations, context: _context, ...block }) =>
    block.type === 'tool_result' && block.content !== undefined
      ? { ...block, content: commonContent(block.content) }
      : block,
  )
}
