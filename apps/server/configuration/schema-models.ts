import { vendorFormats, type FormatName } from '@turnpike/dialects'
import { mostPerMinute } from '@turnpike/limits'
import { operations, unsupportedFieldsRules } from '@turnpike/protocol'
import { vendors } from '@turnpike/vendors'
import { Type } from 'typebox'
import { defaults } from './defaults.ts'
import { furtherCredentials } from './schema-identities.ts'
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
} from './schema-values.ts'

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
    connect_seconds: seconds('connect_seconds', 'Until the connection stands.'),
    first_byte_seconds: seconds(
      'first_byte_seconds',
      'From the request sent to the first byte of the answer.',
    ),
    idle_seconds: seconds('idle_seconds', 'The longest silence within an answer.'),
    total_seconds: seconds('total_seconds', 'The whole call.'),
  })
}

export const timeouts = timeoutsWith(defaults.upstream, 'Time-outs of calls to providers.')
const timeoutsOfProvider = timeoutsWith({}, 'Time-outs of this provider, in place of the general ones.')
const timeoutsOfModel = timeoutsWith(
  {},
  "Time-outs of this model, in place of its provider's, and of the longer ones that the catalog gives " +
    'models which think for minutes.',
)

const pathTo = (description: string) => Type.Optional(Type.String({ format: 'path', description }))

const pathsByOperation = {
  generate: pathTo(
    "Of answers: `{model}` is the model's name there. Default: as the vendor has it (`azure`: " +
      '`/openai/deployments/{model}/chat/completions`, unless the address ends in `/v1`).',
  ),
  embed: pathTo('Of embeddings.'),
  rerank: pathTo('Of rankings.'),
  moderate: pathTo('Of moderations.'),
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
          'The vendor whose address, credential, models and prices it has. Default: the one that it is ' +
          'named after. For a second account: `azure-eu: { vendor: azure, … }`.',
      },
    ),
  ),
  style: Type.Optional(
    Type.Enum([...providerStyles], {
      description: "The wire format that it speaks. Default: the vendor's; required where that is not known.",
    }),
  ),
  formats: formatsOf(
    'The wire formats that it is called in: that of the caller where it is among them, so that the ' +
      'bytes pass through, else the first. Default: the one of its style, and for `openai` and `azure` ' +
      '`openai-responses` beside it. Which others there are is in docs/vendors.md (`deepseek`: ' +
      '`[deepseek-chat, anthropic-messages]`).',
  ),
  base_url: Type.Optional(
    url(['http', 'https'], {
      description:
        'Where it is. For `openai`, `openai-responses`, `deepseek` and `mistral` it ends in the version ' +
        '(`…/v1`), for `google` too (`…/v1beta`), for `anthropic` it is the origin. Default: the ' +
        "vendor's own address; required for the styles `openai` and `openai-responses` where the vendor " +
        'is not known, and where each customer has an address, as of `azure` and `vertex`.',
    }),
  ),
  api_keys: Type.Optional(
    Type.Array(secret({ description: 'An API key.' }), {
      default: [],
      description: 'Keys to use in turn; none for a server that wants none.',
    }),
  ),
  ...furtherCredentials,
  own_keys_only: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'It is called with accounts’ own keys alone (`byok`), and needs no `api_keys`.',
    }),
  ),
  credential_header: Type.Optional(
    Type.String({
      format: 'header',
      description:
        "The header that a key is sent in: `authorization` as a bearer's token, any other as it is. " +
        "Default: the vendor's.",
    }),
  ),
  regions: Type.Optional(
    Type.Array(Type.String({ format: 'region' }), {
      minItems: 1,
      description:
        'Where it is called, in this order: each region has its address, its limits and its health. For ' +
        'vendors that have regions (`vertex`: `[global, europe-west1]`), in place of `base_url`. Where the ' +
        'price of a model is not known, it is not called.',
    }),
  ),
  project: Type.Optional(
    Type.String({ format: 'resource', description: 'The project whose models are called, of `vertex`.' }),
  ),
  resource: Type.Optional(
    Type.String({
      format: 'resource',
      description: 'The resource whose models are called, of `azure`: the first part of its host.',
    }),
  ),
  headers: Type.Optional(
    Type.Record(headerName, secret({ description: 'Its value.' }), {
      additionalProperties: false,
      description: 'Headers sent with every call, by name.',
    }),
  ),
  paths: Type.Optional(
    closed("Behind the address, in place of the style's own paths, by what is asked for.", pathsByOperation),
  ),
  path: Type.Optional(
    Type.String({ format: 'path', description: 'The same as `paths.generate`, which is the newer word.' }),
  ),
  api_version: Type.Optional(
    Type.String({ minLength: 1, description: 'Sent as `?api-version=`, as `azure` wants it.' }),
  ),
  takes_stream_options: Type.Optional(
    Type.Boolean({
      description:
        'Whether it takes `stream_options`, by which a stream is asked for its usage. Default: as the ' +
        'vendor does; for another server `true`.',
    }),
  ),
  output_bound_field: Type.Optional(
    Type.Enum(['max_tokens', 'max_completion_tokens'], {
      description:
        'The word in which it is told how many output tokens there may be. Default: as the vendor knows ' +
        'it; for another server the one that the caller used.',
    }),
  ),
  guardrail: Type.Optional(
    closed('A guardrail of your account, which reads every request and answer (`bedrock`).', {
      id: Type.String({ minLength: 1, description: 'Its identifier, or its ARN.' }),
      version: Type.String({ minLength: 1, description: 'Its version: a number, or `DRAFT`.' }),
    }),
  ),
  allowed_references: Type.Optional(
    Type.Array(Type.String({ minLength: 1 }), {
      default: [],
      description:
        'What callers may name that the vendor reads with your credential or from its own ' +
        'network, by how it ' +
        'begins: `gs://public-samples/`, `files/`, `https://images.internal/`. `*`: ' +
        'everything. Files, caches, ' +
        "containers, earlier answers and search indexes are your account's, and addresses that are not " +
        'public those of its network: what is not listed is refused.',
    }),
  ),
  unsupported_fields: Type.Optional(
    Type.Enum([...unsupportedFieldsRules], {
      default: 'refuse',
      description:
        'What becomes of request fields that its models cannot honour: `refuse` them (400), or `drop` ' +
        'them and name them in `x-turnpike-dropped`. A key, or a request, may say otherwise.',
    }),
  ),
  allow_unpriced: Type.Optional(
    Type.Array(Type.String({ minLength: 1 }), {
      default: [],
      description:
        'Fields by which the vendor bills more and which have no price, as `service_tier`, ' +
        '`web_search_options`, `plugins`, `tools`: they are passed on all the same, and you pay for them. ' +
        '`*`: all. Without it such a request is refused (docs/vendors.md).',
    }),
  ),
  upstream: Type.Optional(timeoutsOfProvider),
})

export const providersSchema = Type.Record(identifier, Type.Union([Type.Literal(false), provider]), {
  additionalProperties: false,
  description:
    "By name, which is the first part of its models' identifiers. `false` takes out a provider that " +
    'is there by default, as in `sandbox: false`. Where the section is absent, providers are taken ' +
    'from the environment: `OPENAI_API_KEY`, `ANTHROPIC_API_KEY`, `GEMINI_API_KEY`, ' +
    '`DEEPSEEK_API_KEY`, `MISTRAL_API_KEY`.',
})

const perMinute = (description: string) => Type.Optional(wholeNumber(1, mostPerMinute, { description }))

export const rateLimits = {
  requests_per_minute: perMinute('Requests a minute.'),
  input_tokens_per_minute: perMinute('Input tokens a minute.'),
  output_tokens_per_minute: perMinute('Output tokens a minute.'),
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
  audio: optionalPrice('Per audio token of the input. Default: `prompt`.'),
  image: optionalPrice('Per image token of the input. Default: `prompt`.'),
  input_audio_cache: optionalPrice('Per audio token read from a cache. Default: `input_cache_read`.'),
  audio_output: optionalPrice('Per audio token of the output. Without it audio cannot be asked for.'),
  image_output: optionalPrice('Per image token of the output. Without it images cannot be asked for.'),
  web_search: Type.Optional(
    usd({ description: 'Per search of the web that the usage counts. Without it none can be asked for.' }),
  ),
  grounded_prompt: Type.Optional(
    usd({ description: 'Per answer that rests on searches of the web, however many. Default: nothing.' }),
  ),
  citation: optionalPrice('Per token of cited pages, where the usage counts them apart. Default: nothing.'),
  search_unit: Type.Optional(
    usd({
      description:
        'Per search unit of a ranking: a query with up to 100 documents. Without it no vendor is asked ' +
        'that bills by them.',
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
      min_prompt_tokens: wholeNumber(1, 1e9, { description: 'They hold from so many input tokens on.' }),
      ...somePrices,
    }),
    { description: 'Prices of long prompts.' },
  ),
)

const serviceTiers = Type.Optional(
  Type.Record(
    serviceTier,
    closed('Prices in place of the plain ones; what is absent is as without the tier.', somePrices),
    {
      additionalProperties: false,
      description:
        'Prices of service tiers, by the name that the answer gives (`priority`). A dearer tier without ' +
        'prices cannot be asked for. Of long prompts the dearer one of both prices holds.',
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
  'USD per token, as decimal strings. A model without a price is not callable unless `free`.',
)

const modality = Type.Enum(['text', 'image', 'audio', 'video', 'file'])

const model = closed('A model, added to the built-in catalog or overriding what stands there; or an alias.', {
  alias_of: Type.Optional(
    Type.String({
      format: 'model',
      description:
        'The entry is another name for this model, which callers may ask for: `claude-sonnet-4-6: { ' +
        'alias_of: openai/gpt-5 }`. Prices, limits and the name in answers are those of the model. ' +
        '`turnpike/auto` and its profiles are models here, too. An alias has no other member.',
    }),
  ),
  name: Type.Optional(
    Type.String({ minLength: 1, description: 'Name for people. Default: the identifier.' }),
  ),
  context_length: Type.Optional(
    wholeNumber(1, 1e9, { description: 'Input and output tokens it takes together.' }),
  ),
  max_output_tokens: Type.Optional(wholeNumber(1, 1e9, { description: 'Output tokens it gives at most.' })),
  pricing: Type.Optional(pricing),
  free: Type.Optional(
    Type.Boolean({ default: false, description: 'Callable without a price; nothing is charged.' }),
  ),
  upstreams: Type.Optional(
    Type.Array(
      closed('A provider of this model.', {
        provider: Type.String({ minLength: 1, description: 'Name of the provider.' }),
        model: Type.String({ minLength: 1, description: "The model's name there." }),
        region: Type.Optional(
          Type.String({ format: 'region', description: "One of the provider's `regions`. Default: all." }),
        ),
        formats: formatsOf("The wire formats that it speaks there. Default: the model's `formats`."),
        weight: Type.Optional(
          wholeNumber(0, 1_000_000, {
            description:
              'Its share of the requests, beside those of the other upstreams; with 0 it serves only where ' +
              'they fail. All upstreams of a model have one, or none.',
          }),
        ),
        pricing: Type.Optional(pricingOf("What is charged where it serves. Default: the model's `pricing`.")),
      }),
      {
        minItems: 1,
        description:
          'Who serves it, in order of preference (`routing.order`). Default: the provider in the ' +
          'identifier, by the rest of it.',
      },
    ),
  ),
  formats: formatsOf(
    'The wire formats that it speaks, in place of those that its provider is called in: ' +
      '`[openai-responses]` for a model that its vendor serves at `/responses` alone. Callers of all ' +
      'formats reach it. Default: as the catalog knows it.',
  ),
  fallbacks: Type.Optional(
    Type.Array(Type.String({ format: 'model' }), {
      description:
        'Models to ask, in this order, where all upstreams of this one fail before the first token. A ' +
        "request's own `models` go before them.",
    }),
  ),
  operations: Type.Optional(
    Type.Array(Type.Enum([...operations]), {
      minItems: 1,
      default: ['generate'],
      description:
        'What it can be asked for; `generate`: an answer. Whoever asks it for anything else gets a 400.',
    }),
  ),
  tiers: Type.Optional(
    Type.Array(Type.Enum([...modelTiers]), { description: 'Tiers of auto-routing that it serves.' }),
  ),
  modalities: Type.Optional(
    closed('What it takes and gives. Default: text.', {
      input: Type.Optional(Type.Array(modality, { minItems: 1, description: 'What it takes.' })),
      output: Type.Optional(Type.Array(modality, { minItems: 1, description: 'What it gives.' })),
    }),
  ),
  supported_parameters: Type.Optional(
    Type.Array(Type.String({ minLength: 1 }), {
      description: 'Request fields that it honours, as in `tools`, `response_format`, `reasoning`.',
    }),
  ),
  limits: Type.Optional(closed('Limits of this model for every tier that does not say its own.', rateLimits)),
  upstream: Type.Optional(timeoutsOfModel),
})

export const modelsSchema = Type.Record(modelIdentifier, model, {
  additionalProperties: false,
  description: 'By identifier, `<provider>/<model_id>`; an alias also by a name without a provider.',
})
