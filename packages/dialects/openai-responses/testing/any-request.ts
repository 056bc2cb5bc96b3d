import fc from 'fast-check'

/* Arbitrary valid bodies of `POST /v1/responses`, for tests of what must hold for each of them. */

const word = fc.string({ minLength: 1, maxLength: 12 })
const toolName = fc.stringMatching(/^[a-zA-Z0-9_-]{1,16}$/)

const textPart = fc.record({ type: fc.constant('input_text'), text: fc.string() })
const address = fc.constantFrom('https://example.com/a', 'data:image/png;base64,AAAA')

const part = fc.oneof(
  textPart,
  fc.record(
    {
      type: fc.constant('input_image'),
      image_url: address,
      detail: fc.constantFrom('low', 'auto', 'high', null),
    },
    { requiredKeys: ['type', 'image_url'] },
  ),
  fc.record(
    {
      type: fc.constant('input_file'),
      file_data: fc.constant('data:application/pdf;base64,AAAA'),
      filename: word,
    },
    { requiredKeys: ['type', 'file_data'] },
  ),
  fc.record({ type: fc.constant('input_file'), file_url: fc.constant('https://example.com/a.pdf') }),
)

const content = fc.oneof(fc.string(), fc.array(part, { maxLength: 3 }))

const message = fc.record(
  { type: fc.constant('message'), id: word, role: fc.constantFrom('user', 'system', 'developer'), content },
  { requiredKeys: ['role', 'content'] },
)

const answered = fc.record(
  {
    type: fc.constant('message'),
    id: word,
    status: fc.constant('completed'),
    role: fc.constant('assistant'),
    content: fc.array(
      fc.oneof(
        fc.record({
          type: fc.constant('output_text'),
          text: word,
          annotations: fc.constant([{ type: 'url_citation', url: 'https://example.com', file_id: 'x' }]),
        }),
        fc.record({ type: fc.constant('refusal'), refusal: word }),
      ),
      { minLength: 1, maxLength: 3 },
    ),
  },
  { requiredKeys: ['type', 'role', 'content'] },
)

const reasoning = fc.record(
  {
    type: fc.constant('reasoning'),
    id: word,
    summary: fc.array(fc.record({ type: fc.constant('summary_text'), text: word }), { maxLength: 2 }),
    content: fc.array(fc.record({ type: fc.constant('reasoning_text'), text: word }), { maxLength: 2 }),
    encrypted_content: fc.oneof(fc.base64String(), fc.constant(null)),
  },
  { requiredKeys: ['type', 'summary'] },
)

const called = (at: number): fc.Arbitrary<object[]> =>
  fc
    .record({
      name: toolName,
      given: fc.string(),
      result: content,
      custom: fc.boolean(),
      space: fc.boolean(),
    })
    .map(({ name, given, result, custom, space }) => {
      const head = { call_id: `call_${at}`, name, ...(space ? { namespace: 'n__' } : {}) }
      const call = custom
        ? { type: 'custom_tool_call', ...head, input: given }
        : { type: 'function_call', ...head, arguments: JSON.stringify({ given }) }
      return [call, { type: `${call.type}_output`, call_id: head.call_id, output: result }]
    })

const items = fc
  .array(
    fc.oneof(
      message.map((item) => [item as object]),
      answered.map((item) => [item as object]),
      reasoning.map((item) => [item as object]),
      fc.constant(undefined),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .chain((groups) =>
    fc.tuple(...groups.map((group, at) => (group === undefined ? called(at) : fc.constant(group)))),
  )
  .map((groups) => groups.flat())

const functionTool = fc.record(
  {
    type: fc.constant('function'),
    description: word,
    parameters: fc.constant({ type: 'object', properties: { Name: { type: 'string' }, file_id: {} } }),
    strict: fc.boolean(),
  },
  { requiredKeys: ['type', 'parameters'] },
)
const customTool = fc.record(
  {
    type: fc.constant('custom'),
    description: word,
    format: fc.constantFrom<object>(
      { type: 'text' },
      { type: 'grammar', syntax: 'lark', definition: 'start: "x"' },
    ),
  },
  { requiredKeys: ['type'] },
)

const tools = fc
  .array(
    fc.oneof(
      functionTool.map((tool) => (name: string): object => ({ ...tool, name })),
      customTool.map((tool) => (name: string): object => ({ ...tool, name })),
      functionTool.map((tool) => (name: string): object => ({
        type: 'namespace',
        name: `space_${name}`,
        description: 'x',
        tools: [{ ...tool, name }],
      })),
      fc.constant((): object => ({ type: 'web_search', external_web_access: false })),
    ),
    { maxLength: 4 },
  )
  .map((made) => made.map((make, at) => make(`tool_${at}`)))

export const anyRequest = fc.record(
  {
    model: word,
    input: fc.oneof(fc.string({ minLength: 1 }), items),
    instructions: fc.oneof(fc.string(), fc.constant(null)),
    stream: fc.boolean(),
    max_output_tokens: fc.integer({ min: 1, max: 100_000 }),
    temperature: fc.double({ min: 0, max: 2, noNaN: true }),
    top_p: fc.double({ min: 0, max: 1, noNaN: true }),
    tools,
    tool_choice: fc.constantFrom('auto', 'none', null),
    parallel_tool_calls: fc.boolean(),
    text: fc.constantFrom<object>(
      { verbosity: 'low' },
      { format: { type: 'json_schema', name: 'x', schema: { type: 'object', Type: 1 }, strict: true } },
    ),
    reasoning: fc.constantFrom<object>({ effort: 'low', summary: 'auto' }, { effort: null }),
    include: fc.constantFrom<string[]>([], ['reasoning.encrypted_content']),
    metadata: fc.constantFrom<object>({ a: 'b' }, { tags: ['x'], conversation_id: 'c' }),
    client_metadata: fc.constant({ session_id: 's', thread_id: 't' }),
    prompt_cache_key: word,
    service_tier: fc.constantFrom('auto', null),
    store: fc.boolean(),
    truncation: fc.constantFrom('auto', 'disabled'),
    user: word,
  },
  { requiredKeys: ['model', 'input'] },
)
