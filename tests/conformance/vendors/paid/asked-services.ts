/** Members of a request for which some vendor charges more, or not. */
export interface Asked {
  body: Record<string, unknown>
  /** The path that the refusal names; absent: it costs nothing more, and passes. */
  param?: string
}

const file = { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERg==' } }
const sound = { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }
const cached = (ttl: string): object => ({
  role: 'user',
  content: [{ type: 'text', text: 'x', cache_control: { type: 'ephemeral', ttl } }],
})

/** At every remote vendor of OpenAI's format. */
const everywhere: Asked[] = [
  ...['priority', 'ultrafast', 'fast', 'scale', 'performance', 'Priority', ''].map((tier) => ({
    body: { service_tier: tier },
    param: 'service_tier',
  })),
  { body: { service_tier: ['priority'] }, param: 'service_tier' },
  { body: { service_tier: 'auto' } },
  { body: { service_tier: 'default' } },
  { body: { service_tier: null } },
  { body: { service_tier: 'flex' } },
  { body: { Service_Tier: 'priority' }, param: 'Service_Tier' },
  { body: { serviceTier: 'priority' }, param: 'serviceTier' },
  { body: { '\u017fervice_tier': 'priority' }, param: '\u017fervice_tier' },
  { body: { web_search_options: null } },
  { body: { tools: [] } },
  ...[
    'web_search',
    'web_search_preview',
    'code_interpreter',
    'file_search',
    'x_search',
    'mcp',
    'Function',
  ].map((type) => ({ body: { tools: [tool('mine'), { type }] }, param: 'tools[1].type' })),
  {
    body: { tools: [{ type: 'builtin_function', function: { name: '$web_search' } }] },
    param: 'tools[0].type',
  },
  { body: { tools: [tool('web_search')] } },
  { body: { tools: [tool('$web_search')] }, param: 'tools[0].function.name' },
  {
    body: { modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'wav' } },
    param: 'modalities[1]',
  },
  { body: { modalities: ['image', 'text'] }, param: 'modalities[0]' },
  { body: { audio: { voice: 'alloy', format: 'wav' } }, param: 'audio' },
  { body: { modalities: ['text'] } },
  { body: { plugins: [{ id: 'web' }] }, param: 'plugins[0].id' },
  { body: { plugins: [{ id: 'response-healing' }, { id: 'file-parser' }] }, param: 'plugins[1].id' },
  { body: { plugins: { id: 'web' } }, param: 'plugins' },
  { body: { plugins: [] } },
  { body: { provider: { order: ['a'] } }, param: 'provider.order' },
  { body: { provider: { allow_fallbacks: true, only: ['a'] } }, param: 'provider.only' },
  { body: { provider: { sort: 'throughput' } }, param: 'provider.sort' },
  { body: { provider: { constructor: 1 } }, param: 'provider.constructor' },
  { body: { provider: { allow_fallbacks: false, max_price: { prompt: 1 }, sort: 'price' } } },
  { body: { preset: 'dear' }, param: 'preset' },
  { body: { fallbacks: [{ model: 'dearer' }] }, param: 'fallbacks' },
  { body: { fallbacks: [] } },
  { body: { speed: 'fast' }, param: 'speed' },
  { body: { speed: 'standard' } },
  { body: { search_parameters: { mode: 'auto' } }, param: 'search_parameters.mode' },
  { body: { search_parameters: { sources: [{ type: 'web' }] } }, param: 'search_parameters.mode' },
  { body: { search_parameters: {} }, param: 'search_parameters.mode' },
  { body: { search_parameters: { mode: 'off', Mode: 'on' } }, param: 'search_parameters.Mode' },
  { body: { search_parameters: { mode: 'off' } } },
  { body: { enable_search: true }, param: 'enable_search' },
  { body: { enable_search: 1 }, param: 'enable_search' },
  { body: { enable_search: 'true' }, param: 'enable_search' },
  { body: { enable_search: false } },
  { body: { search_options: { forced_search: true } }, param: 'search_options' },
  { body: { search_settings: { country: 'ch' } }, param: 'search_settings' },
  { body: { compound_custom: { tools: {} } }, param: 'compound_custom' },
  { body: { agent_id: 'ag_1' }, param: 'agent_id' },
  { body: { inference_geo: 'us' }, param: 'inference_geo' },
  { body: { extra_body: { enable_search: true } }, param: 'extra_body.enable_search' },
  { body: { extra_body: { tools: [{ type: 'web_search' }] } }, param: 'extra_body.tools[0].type' },
  {
    body: { extra_body: { extra_body: { service_tier: 'priority' } } },
    param: 'extra_body.extra_body.service_tier',
  },
  { body: { extra_body: { top_k: 3 } } },
  { body: { extra_body: { tools: { type: 'web_search' } } }, param: 'extra_body.tools' },
  { body: { extra_body: { tools: [tool('$web_search')] } }, param: 'extra_body.tools[0].function.name' },
  { body: { functions: [{ name: 'mine' }, { name: '$web_search' }] }, param: 'functions[1].name' },
  { body: { extra_body: { functions: [{ name: '$x' }] } }, param: 'extra_body.functions[0].name' },
  { body: { enhancements: { ocr: { enabled: true } } }, param: 'enhancements' },
  { body: { extra_body: { model: 'dearer' } }, param: 'extra_body.model' },
  { body: { extra_body: { Max_Tokens: 100_000 } }, param: 'extra_body.Max_Tokens' },
  { body: { extra_body: { max_output_tokens: 100_000 } }, param: 'extra_body.max_output_tokens' },
  { body: { extra_body: { best_of: 8 } }, param: 'extra_body.best_of' },
  { body: { extra_body: { n_cmpl: 8 } }, param: 'extra_body.n_cmpl' },
  { body: { extra_body: { background: true } }, param: 'extra_body.background' },
  { body: { extra_body: { input: 'longer' } }, param: 'extra_body.input' },
  { body: { extra_body: [{ model: 'dearer' }] } },
  { body: { safety_model: 'guard' }, param: 'safety_model' },
  { body: { x_unknown: { service: 'priority' }, top_k: 5 } },
  // Requests without a paid service.
  { body: { web_search_options: false } },
  { body: { plugins: [{ id: 'web', enabled: false }] } },
  { body: { plugins: [{ id: 'web', enabled: false, Enabled: true }] }, param: 'plugins[0].id' },
  { body: { plugins: false } },
  { body: { search_options: {} } },
  { body: { search_options: { forced_search: false } } },
  { body: { search_settings: {} } },
  { body: { compound_custom: {} } },
  { body: { image_config: {} } },
  { body: { enhancements: null } },
  { body: { provider: { order: [], only: null, zdr: false } } },
  { body: { preset: '', agent_id: '', safety_model: '' } },
  { body: { audio: false, modalities: [] } },
  { body: { functions: [] } },
]

const searchesRefused: Asked[] = [
  { body: { web_search_options: {} }, param: 'web_search_options' },
  { body: { web_search_options: { search_context_size: 'high' } }, param: 'web_search_options' },
]

/** For single vendors, in addition; a row replaces one of the above with the same body. */
const own: Record<string, Asked[]> = {
  openrouter: [
    ...searchesRefused,
    { body: { messages: [{ role: 'user', content: [file] }] }, param: 'messages[0].content[0].file' },
    { body: { messages: [{ role: 'user', content: [sound] }] }, param: 'messages[0].content[0].input_audio' },
    { body: { messages: [cached('1h')] }, param: 'messages[0].content[0].cache_control' },
    { body: { messages: [cached('5m')] } },
    {
      body: { tools: [{ ...tool('mine'), cache_control: { type: 'ephemeral', ttl: '1h' } }] },
      param: 'tools[0].cache_control',
    },
    { body: { cache_control: { type: 'ephemeral', ttl: '1h' } }, param: 'cache_control.ttl' },
  ],
  perplexity: [
    { body: { web_search_options: { search_context_size: 'high' } } },
    { body: { web_search_options: { search_type: 'pro' } }, param: 'web_search_options.search_type' },
    { body: { search_type: 'auto' }, param: 'search_type' },
  ],
}

/** The rows of a vendor that speaks OpenAI's format. */
export function askedOf(vendor: string): Asked[] {
  return [...everywhere, ...(own[vendor] ?? searchesRefused)]
}

/** For translated formats: what the vendor would get, without members that are omitted. */
export const askedOfTranslated: Record<string, Asked[]> = {
  anthropic: [
    { body: { service_tier: 'priority' } },
    { body: { provider: { order: ['a'] } } },
    { body: { speed: 'fast' }, param: 'speed' },
    { body: { inference_geo: 'us' }, param: 'inference_geo' },
    { body: { web_search_options: {} }, param: 'web_search_options' },
    { body: { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }, param: 'tools[0].type' },
    { body: { tools: [tool('mine'), { type: 'code_execution_20250825' }] }, param: 'tools[1].type' },
    { body: { tools: [{ type: 'web_fetch_20250910' }] }, param: 'tools[0].type' },
    { body: { extra_body: { speed: 'fast' } }, param: 'extra_body' },
  ],
  bedrock: [
    { body: { service_tier: 'priority' } },
    { body: { provider: { order: ['a'] } } },
    { body: { performanceConfig: { latency: 'optimized' } }, param: 'performanceConfig' },
    { body: { guardrailConfig: { guardrailIdentifier: 'x' } }, param: 'guardrailConfig' },
    { body: { web_search_options: {} }, param: 'web_search_options' },
    { body: { tools: [tool('mine'), { type: 'systemTool' }] }, param: 'tools[1].type' },
    { body: { additionalModelRequestFields: {} }, param: 'additionalModelRequestFields' },
    { body: { extra_body: { serviceTier: { type: 'priority' } } }, param: 'extra_body' },
  ],
  gemini: [
    { body: { service_tier: 'priority' } },
    { body: { web_search_options: {} }, param: 'web_search_options' },
    { body: { tools: [{ type: 'google_search' }] }, param: 'tools[0].type' },
    { body: { tools: [{ google_search: {} }] }, param: 'tools[0].type' },
    { body: { modalities: ['text', 'image'] }, param: 'modalities[1]' },
    {
      body: { extra_body: { google: { tools: [{ google_search: {} }] } } },
      param: 'extra_body.google.tools',
    },
    { body: { extra_body: { tools: [{ type: 'google_search' }] } }, param: 'extra_body.tools[0].type' },
  ],
  mistral: [
    { body: { service_tier: 'priority' } },
    { body: { provider: { order: ['a'] } } },
    { body: { tools: [{ type: 'web_search' }] }, param: 'tools[0].type' },
    { body: { tools: [tool('mine'), { type: 'web_search_premium' }] }, param: 'tools[1].type' },
    { body: { agent_id: 'ag_1' }, param: 'agent_id' },
    { body: { enable_search: true }, param: 'enable_search' },
    { body: { extra_body: { plugins: [{ id: 'web' }] } }, param: 'extra_body.plugins[0].id' },
    // The member passes as a whole, whatever would be omitted from a body.
    { body: { extra_body: { service_tier: 'priority' } }, param: 'extra_body.service_tier' },
    { body: { messages: [{ role: 'user', content: [sound] }] }, param: 'messages[0].content[0].input_audio' },
  ],
  deepseek: [
    { body: { service_tier: 'priority' } },
    { body: { tools: [{ type: 'web_search' }] }, param: 'tools[0].type' },
    { body: { enable_search: true }, param: 'enable_search' },
    { body: { search_parameters: { mode: 'on' } }, param: 'search_parameters.mode' },
    { body: { extra_body: { provider: { order: ['a'] } } }, param: 'extra_body.provider.order' },
    { body: { extra_body: { n: 5 } }, param: 'extra_body.n' },
  ],
  cohere: [
    { body: { service_tier: 'priority' } },
    { body: { provider: { order: ['a'] } } },
    { body: { tools: [{ type: 'web_search' }] }, param: 'tools[0].type' },
    { body: { web_search_options: {} }, param: 'web_search_options' },
    { body: { plugins: [{ id: 'web' }] }, param: 'plugins[0].id' },
    { body: { enable_search: true }, param: 'enable_search' },
    { body: { documents: ['It is 7 °C.'], safety_mode: 'STRICT' } },
  ],
}

function tool(name: string): object {
  return { type: 'function', function: { name, parameters: { type: 'object', properties: {} } } }
}
