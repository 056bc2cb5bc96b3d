import Type, { type Static, type TSchema } from 'typebox'
import { Compile } from 'typebox/schema'
import { maxOutputBound } from '../../requests/output-bounds.ts'
import { orNull } from '../../requests/fields/request-fields.ts'

/**
 * The body of `generateContent` and `streamGenerateContent`, in the spelling of Google's pages
 * (https://ai.google.dev/api/generate-content#request-body). Members that are not here are refused by name.
 * `expected` is what a caller reads if the value is of another kind.
 */
const maxContents = 10_000
const text = orNull(Type.String(), 'a string')
const flag = orNull(Type.Boolean(), 'true or false')
const number = orNull(Type.Number(), 'a number')
const integer = (minimum: number, maximum: number, expected: string) =>
  orNull(Type.Integer({ minimum, maximum }), expected)

/** Google also accepts a single item without a list. */
const listOf = <Item extends TSchema>(item: Item, expected: string) =>
  Type.Union([Type.Array(item, { maxItems: maxContents }), item], { expected })

/** Members of each kind of part are checked in `content.ts`. */
const PartSchema = Type.Object({}, { expected: 'a part object, such as {"text": "…"}' })

const ContentSchema = Type.Object(
  { role: text, parts: Type.Optional(listOf(PartSchema, 'an array of parts')) },
  { expected: 'a content object with role and parts' },
)

/** https://ai.google.dev/api/caching#FunctionDeclaration */
const FunctionSchema = Type.Object(
  {
    name: Type.String({
      pattern: '^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$',
      expected: 'a name of letters, digits, _, ., : and -, at most 128 characters',
    }),
    description: text,
    behavior: text,
    parameters: orNull(Type.Object({}), 'a schema object'),
    parametersJsonSchema: orNull(Type.Object({}), 'a JSON Schema object'),
    response: orNull(Type.Object({}), 'a schema object'),
    responseJsonSchema: orNull(Type.Object({}), 'a JSON Schema object'),
  },
  { expected: 'a function declaration with a name' },
)

/** Tools that Google runs, except `computerUse`. */
const tool = orNull(Type.Object({}), 'an object')

/** https://ai.google.dev/api/caching#Tool; one object may contain several tools. */
const ToolSchema = Type.Object(
  {
    functionDeclarations: orNull(Type.Array(FunctionSchema), 'an array of function declarations'),
    googleSearch: tool,
    googleSearchRetrieval: tool,
    urlContext: tool,
    codeExecution: tool,
    fileSearch: tool,
    computerUse: tool,
    googleMaps: tool,
    enterpriseWebSearch: tool,
  },
  { expected: 'a tool object' },
)

const strings = (expected: string) => orNull(Type.Array(Type.String({ expected: 'a string' })), expected)

const GenerationConfigSchema = Type.Object({
  stopSequences: strings('an array of strings'),
  responseMimeType: text,
  responseSchema: orNull(Type.Object({}), 'a schema object'),
  responseJsonSchema: orNull(Type.Object({}), 'a JSON Schema object'),
  responseModalities: strings('an array such as ["TEXT"]'),
  candidateCount: integer(1, 128, 'an integer of at least 1'),
  maxOutputTokens: integer(1, maxOutputBound, 'an integer of at least 1'),
  temperature: orNull(Type.Number({ minimum: 0, maximum: 2 }), 'a number from 0 to 2'),
  topP: orNull(Type.Number({ minimum: 0, maximum: 1 }), 'a number from 0 to 1'),
  topK: orNull(Type.Number({ minimum: 0 }), 'a number of at least 0'),
  seed: integer(-2_147_483_648, 2_147_483_647, 'an integer of 32 bits'),
  presencePenalty: number,
  frequencyPenalty: number,
  responseLogprobs: flag,
  logprobs: integer(0, 20, 'an integer from 0 to 20'),
  thinkingConfig: orNull(
    Type.Object({
      includeThoughts: flag,
      thinkingBudget: integer(-1, maxOutputBound, 'an integer of at least -1'),
      thinkingLevel: text,
    }),
    'an object such as {"includeThoughts": true}',
  ),
})

const systemInstruction = Type.Optional(
  Type.Union([Type.String(), ContentSchema, Type.Null()], { expected: 'a content object' }),
)

export const GenerateRequestSchema = Type.Object(
  {
    contents: listOf(ContentSchema, 'an array of contents'),
    systemInstruction,
    tools: Type.Optional(
      Type.Union([Type.Array(ToolSchema), ToolSchema, Type.Null()], { expected: 'an array of tools' }),
    ),
    toolConfig: orNull(
      Type.Object({
        functionCallingConfig: orNull(
          Type.Object({ mode: text, allowedFunctionNames: strings('an array of names of functions') }),
          'an object such as {"mode": "AUTO"}',
        ),
        retrievalConfig: orNull(Type.Object({}), 'an object such as {"languageCode": "de"}'),
        includeServerSideToolInvocations: flag,
      }),
      'an object such as {"functionCallingConfig": {"mode": "AUTO"}}',
    ),
    generationConfig: orNull(GenerationConfigSchema, 'an object such as {"temperature": 1}'),
    safetySettings: orNull(Type.Array(Type.Object({})), 'an array of safety settings'),
    cachedContent: text,
    serviceTier: orNull(
      Type.Enum(['unspecified', 'standard', 'flex', 'priority']),
      'one of standard, flex, priority',
    ),
  },
  { expected: 'a JSON object with contents' },
)

export type GenerateRequest = Static<typeof GenerateRequestSchema>
export type SaidContent = Static<typeof ContentSchema>
export type SaidFunction = Static<typeof FunctionSchema>
export type GenerationConfig = Static<typeof GenerationConfigSchema>
export type SaidPart = Record<string, unknown>

export const generateRequestValidator = Compile(GenerateRequestSchema)

/** One item or a list of them, as a list. */
export function asList<Item>(items: Item | Item[] | null | undefined): Item[] {
  if (items === null || items === undefined) return []
  return Array.isArray(items) ? items : [items]
}
