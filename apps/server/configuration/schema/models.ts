import { vendorFormats, type FormatName } from '@turnpike/dialects'
import { mostPerMinute } from '@turnpike/limits'
import { operations, unsupportedFieldsRules } from '@turnpike/protocol'
import { vendors } from '@turnpike/vendors'
import { Type } from 'typebox'
import { defaults } from '../defaults.ts'
import { furtherCredentials } from './identities.ts'
import {
  closed,
  headerName,
  identifier,
  modelIdentifier,
  secondsUpTo,
  secret,
  serviceTier,
  url,
  usd,
  wholeNumber,
} from './values.ts'

export const providerStyles = [
  'openai',
  'openai-responses',
  'anthropic',
  'google',
  'deepseek',
  'mistral',
  'bedrock',
  'sandbox',
] as const
const modelTiers = ['SIMPLE', 'MEDIUM', 'COMPLEX', 'REASONING'] as const

const day = 86_400

function timeoutsWith(values: Partial<typeof defaults.upstream>, lead: string) {
  const seconds = (name: keyof typeof defaults.upstream, description: string) => {
    const value = values[name]
    return Type.Optional(
      secondsUpTo(day, value === undefined ? { description } : { default: value, description }),
    )
  }
  return closed(lead, {
    connect_seconds: seconds('connect_seconds', 'Time to connect.'),
    first_byte_seconds: seconds(
      'first_byte_seconds',
      'Time from the sent request to the first byte of the answer.',
    ),
    idle_seconds: seconds('idle_seconds', 'Longest pause within an answer.'),
    total_seconds: seconds('total_seconds', 'Time for the whole call.'),
  })
}

export const timeouts = timeoutsWith(defaults.upstream, 'Timeouts of calls to providers.')
const timeoutsOfProvider = timeoutsWith({}, 'Timeouts for this provider, in place of the general ones.')
const timeoutsOfModel = timeoutsWith(
  {},
  "Timeouts for this model, in place of its provider's and of the catalog's longer ones for models " +
    'that think for minutes.',
)

const pathTo = (description: string) => Type.Optional(Type.String({ format: 'path', description }))

const pathsByOperation = {
  generate: pathTo(
    "For answers; `{model}` stands for the model's name at the vendor. Default: the vendor's " +
      '(`azure`: `/openai/deployments/{model}/chat/completions`, unless the base URL ends in `/v1`).',
  ),
  embed: pathTo('For embeddings.'),
  rerank: pathTo('For rankings.'),
  moderate: pathTo('For moderations.'),
}

const formatsOf = (description: string) =>
  Type.Optional(
    Type.Array(Type.Enum(Object.keys(vendorFormats) as FormatName[]), { minItems: 1, description }),
  )

const provider = closed('A provider of models.', {
  vendor: Type.Optional(
    Type.Enum(
      vendors.map(({ name }) => name),
      {
        description:
          'The vendor whose address, credential type, models and prices apply. Default: the vendor ' +
          'of the same name. For a second account: `azure-eu: { vendor: azure, … }`.',
      },
    ),
  ),
  style: Type.Optional(
    Type.Enum([...providerStyles], {
      description: "The wire format. Default: the vendor's; required for an unknown vendor.",
    }),
  ),
  formats: formatsOf(
    "The wire formats to call it in. If the caller's format is listed, the bytes pass through; " +
      'otherwise the first is used. Default: the format of its style, and for `openai` and `azure` ' +
      'also `openai-responses`. See docs/vendors.md for other combinations (`deepseek`: ' +
      '`[deepseek-chat, anthropic-messages]`).',
  ),
  base_url: Type.Optional(
    url(['http', 'https'], {
      description:
        'Its base URL. For `openai`, `openai-responses`, `deepseek` and `mistral` it ends in the ' +
        'version (`…/v1`), for `google` too (`…/v1beta`); for `anthropic` it is the origin. ' +
        "Default: the vendor's. Required for the styles `openai` and `openai-responses` with an " +
        'unknown vendor, and for vendors with an address per customer, such as `azure` and ' +
        '`vertex`.',
    }),
  ),
  api_keys: Type.Optional(
    Type.Array(secret({ description: 'An API key.' }), {
      default: [],
      description: 'API keys, used in turn; empty for a server that needs none.',
    }),
  ),
  ...furtherCredentials,
  own_keys_only: Type.Optional(
    Type.Boolean({
      default: false,
      description: "Whether it is called only with accounts' own keys (`byok`). It then needs no `api_keys`.",
    }),
  ),
  credential_header: Type.Optional(
    Type.String({
      format: 'header',
      description:
        'The header for the key: `authorization` sends it as a bearer token, any other sends it as ' +
        "is. Default: the vendor's.",
    }),
  ),
  regions: Type.Optional(
    Type.Array(Type.String({ format: 'region' }), {
      minItems: 1,
      description:
        'Regions to call, in this order; each has its own address, limits and health. For vendors ' +
        'with regions (`vertex`: `[global, europe-west1]`), in place of `base_url`. A model is not ' +
        'called where its price is unknown.',
    }),
  ),
  project: Type.Optional(Type.String({ format: 'resource', description: 'For `vertex`: the project.' })),
  resource: Type.Optional(
    Type.String({
      format: 'resource',
      description: 'For `azure`: the resource, the first part of its host.',
    }),
  ),
  headers: Type.Optional(
    Type.Record(headerName, secret({ description: 'Its value.' }), {
      additionalProperties: false,
      description: 'Headers to send with every call.',
    }),
  ),
  paths: Type.Optional(closed("Paths after the base URL, in place of the style's own.", pathsByOperation)),
  path: Type.Optional(Type.String({ format: 'path', description: 'Older name of `paths.generate`.' })),
  api_version: Type.Optional(
    Type.String({ minLength: 1, description: 'Sent as `?api-version=`, for `azure`.' }),
  ),
  takes_stream_options: Type.Optional(
    Type.Boolean({
      description:
        'Whether it accepts `stream_options`, which requests usage in a stream. Default: as the ' +
        'vendor does; `true` for other servers.',
    }),
  ),
  output_bound_field: Type.Optional(
    Type.Enum(['max_tokens', 'max_completion_tokens'], {
      description:
        "The field for the maximum number of output tokens. Default: the vendor's; for other " +
        'servers the one that the caller used.',
    }),
  ),
  guardrail: Type.Optional(
    closed('For `bedrock`: a guardrail of your account that checks every request and answer.', {
      id: Type.String({ minLength: 1, description: 'Its id or ARN.' }),
      version: Type.String({ minLength: 1, description: 'A number, or `DRAFT`.' }),
    }),
  ),
  allowed_references: Type.Optional(
    Type.Array(Type.String({ minLength: 1 }), {
      default: [],
      description:
        'Prefixes of what callers may refer to although the vendor reads it with your credential ' +
        'or from its own network: `gs://public-samples/`, `files/`, `https://images.internal/`. ' +
        '`*` allows everything. Other references to files, caches, containers, earlier answers, ' +
        'search indexes and non-public addresses are refused.',
    }),
  ),
  unsupported_fields: Type.Optional(
    Type.Enum([...unsupportedFieldsRules], {
      default: 'refuse',
      description:
        'Request fields that a model does not support: `refuse` answers 400, `drop` leaves them ' +
        'out and names them in `x-turnpike-dropped`. A key or request can override this.',
    }),
  ),
  allow_unpriced: Type.Optional(
    Type.Array(Type.String({ minLength: 1 }), {
      default: [],
      description:
        'Fields that the vendor bills extra and that have no price here, such as `service_tier`, ' +
        '`web_search_options`, `plugins`, `tools`. Listed fields are passed on and you pay for ' +
        'them; others are refused (docs/vendors.md). `*` allows all.',
    }),
  ),
  upstream: Type.Optional(timeoutsOfProvider),
})

export const providersSchema = Type.Record(identifier, Type.Union([Type.Literal(false), provider]), {
  additionalProperties: false,
  description:
    "Providers by name; the name is the first part of their models' identifiers. `false` removes a " +
    'default provider, as in `sandbox: false`. Without this section, providers come from the ' +
    'environment variables `OPENAI_API_KEY`, `ANTHROPIC_API_KEY`, `GEMINI_API_KEY`, ' +
    '`DEEPSEEK_API_KEY` and `MISTRAL_API_KEY`.',
})

const perMinute = (description: string) => Type.Optional(wholeNumber(1, mostPerMinute, { description }))

export const rateLimits = {
  requests_per_minute: perMinute('Requests per minute.'),
  input_tokens_per_minute: perMinute('Input tokens per minute.'),
  output_tokens_per_minute: perMinute('Output tokens per minute.'),
}

const price = (description: string) => Type.String({ format: 'price', description })
const optionalPrice = (description: string) => Type.Optional(price(description))

const furtherPrices = {
  input_cache_read: optionalPrice('Per input token read from a cache. Default: `prompt`.'),
  input_cache_write: optionalPrice('Per input token written to a cache. Default: `prompt`.'),
  input_cache_write_1h: optionalPrice(
    'Per input token written to a cache for an hour. Default: `input_cache_write`.',
  ),
  internal_reasoning: optionalPrice('Per reasoning token. Default: `completion`.'),
  audio: optionalPrice('Per input audio token. Default: `prompt`.'),
  image: optionalPrice('Per input image token. Default: `prompt`.'),
  input_audio_cache: optionalPrice('Per audio token read from a cache. Default: `input_cache_read`.'),
  audio_output: optionalPrice('Per output audio token. Without it, callers cannot request audio.'),
  image_output: optionalPrice('Per output image token. Without it, callers cannot request images.'),
  web_search: Type.Optional(
    usd({
      description: 'Per web search reported in the usage. Without it, callers cannot request searches.',
    }),
  ),
  grounded_prompt: Type.Optional(
    usd({ description: 'Per answer grounded on web searches, however many. Default: nothing.' }),
  ),
  citation: optionalPrice(
    'Per token of cited pages, if the usage reports them separately. Default: nothing.',
  ),
  search_unit: Type.Optional(
    usd({
      description:
        'Per search unit of a ranking: a query with up to 100 documents. Without it, vendors that ' +
        'bill search units are not called.',
    }),
  ),
  request: Type.Optional(usd({ description: 'Per request. Default: nothing.' })),
}

const somePrices = {
  prompt: optionalPrice('Per input token.'),
  completion: optionalPrice('Per output token.'),
  ...furtherPrices,
}

const overrides = Type.Optional(
  Type.Array(
    closed('Prices in place of the ones above.', {
      min_prompt_tokens: wholeNumber(1, 1e9, {
        description: 'Number of input tokens from which these prices apply.',
      }),
      ...somePrices,
    }),
    { description: 'Prices for long prompts.' },
  ),
)

const serviceTiers = Type.Optional(
  Type.Record(
    serviceTier,
    closed('Prices in place of the plain ones; what is absent is as without the tier.', somePrices),
    {
      additionalProperties: false,
      description:
        'Prices of service tiers, by the name in the answer (`priority`). A more expensive tier ' +
        'without prices cannot be requested. For long prompts the higher of both prices applies.',
    },
  ),
)

const pricingOf = (lead: string) =>
  closed(lead, {
    prompt: price('Per input token.'),
    completion: price('Per output token.'),
    ...furtherPrices,
    overrides,
    service_tiers: serviceTiers,
  })

const pricing = pricingOf(
  'Prices in USD per token, as decimal strings. A model without a price cannot be called unless it ' +
    'is `free`.',
)

const modality = Type.Enum(['text', 'image', 'audio', 'video', 'file'])

const model = closed('A model, added to the built-in catalog or overriding what stands there; or an alias.', {
  alias_of: Type.Optional(
    Type.String({
      format: 'model',
      description:
        'Makes the entry an alias of this model, under which callers can ask for it: ' +
        '`claude-sonnet-4-6: { alias_of: openai/gpt-5 }`. Prices, limits and the name in answers ' +
        "are the model's. May be `turnpike/auto` or one of its profiles. An alias has no other key.",
    }),
  ),
  name: Type.Optional(Type.String({ minLength: 1, description: 'Display name. Default: the identifier.' })),
  context_length: Type.Optional(
    wholeNumber(1, 1e9, { description: 'Maximum number of input and output tokens together.' }),
  ),
  max_output_tokens: Type.Optional(wholeNumber(1, 1e9, { description: 'Maximum number of output tokens.' })),
  pricing: Type.Optional(pricing),
  free: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Whether the model can be called without a price, at no charge.',
    }),
  ),
  upstreams: Type.Optional(
    Type.Array(
      closed('A provider of this model.', {
        provider: Type.String({ minLength: 1, description: 'The provider.' }),
        model: Type.String({ minLength: 1, description: "The model's name there." }),
        region: Type.Optional(
          Type.String({ format: 'region', description: "One of the provider's `regions`. Default: all." }),
        ),
        formats: formatsOf("The wire formats to use there. Default: the model's `formats`."),
        weight: Type.Optional(
          wholeNumber(0, 1_000_000, {
            description:
              'Its share of requests relative to the other upstreams; with 0 it serves only if ' +
              'they fail. Either all upstreams of a model have a weight or none.',
          }),
        ),
        pricing: Type.Optional(pricingOf("Price when this upstream serves. Default: the model's `pricing`.")),
      }),
      {
        minItems: 1,
        description:
          'Where the model is served, in order of preference (`routing.order`). Default: the ' +
          'provider in its identifier, under the rest of the identifier.',
      },
    ),
  ),
  formats: formatsOf(
    "The wire formats of this model, in place of its provider's: `[openai-responses]` for a model " +
      'served only at `/responses`. Callers of all formats reach it. Default: from the catalog.',
  ),
  fallbacks: Type.Optional(
    Type.Array(Type.String({ format: 'model' }), {
      description:
        'Models to try, in this order, if all upstreams of this one fail before the first token. ' +
        '`models` in a request takes precedence.',
    }),
  ),
  operations: Type.Optional(
    Type.Array(Type.Enum([...operations]), {
      minItems: 1,
      default: ['generate'],
      description: 'What it can do; `generate` is answering. Requests for anything else are 400.',
    }),
  ),
  tiers: Type.Optional(
    Type.Array(Type.Enum([...modelTiers]), { description: 'Auto-routing tiers it serves.' }),
  ),
  modalities: Type.Optional(
    closed('Input and output types. Default: text.', {
      input: Type.Optional(Type.Array(modality, { minItems: 1, description: 'Input types.' })),
      output: Type.Optional(Type.Array(modality, { minItems: 1, description: 'Output types.' })),
    }),
  ),
  supported_parameters: Type.Optional(
    Type.Array(Type.String({ minLength: 1 }), {
      description: 'Request fields it supports, such as `tools`, `response_format`, `reasoning`.',
    }),
  ),
  limits: Type.Optional(
    closed('Rate limits of this model, for every tier that sets none of its own.', rateLimits),
  ),
  upstream: Type.Optional(timeoutsOfModel),
})

export const modelsSchema = Type.Record(modelIdentifier, model, {
  additionalProperties: false,
  description: 'Models by identifier, `<provider>/<model_id>`; an alias needs no provider.',
})
