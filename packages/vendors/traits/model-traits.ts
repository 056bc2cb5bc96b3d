import type { FormatName, ModelTraits } from '@turnpike/dialects'
import { bedrockTraits, otherModel as otherBedrock } from './bedrock.ts'
import { claudeTraits, otherModel } from './claude.ts'
import { geminiTraits } from './gemini.ts'
import { openaiTraits, otherModel as otherOpenai } from './openai.ts'

/** Of a model of which nothing is known. */
const plain: ModelTraits = {
  claude: otherModel,
  gemini: geminiTraits(''),
  mistral: { thinking: 'on-or-off' },
  deepseek: { thinksUnasked: true },
  cohere: { thinks: false },
  openai: otherOpenai,
  bedrock: otherBedrock,
}

/**
 * Magistral thinks by its system prompt, which `prompt_mode` puts in or leaves out; the others have an
 * effort: Small and Medium think or do not, Large has steps between
 * (https://docs.mistral.ai/inference/conversations/reasoning).
 */
const mistralModels: [beginning: string, ModelTraits['mistral']][] = [
  ['magistral', { thinking: 'prompt-mode' }],
  ['mistral-large', { thinking: 'steps' }],
]

/** `deepseek-chat` is the name of the mode in which thinking is off. */
const deepseekModels: ReadonlyMap<string, ModelTraits['deepseek']> = new Map([
  ['deepseek-chat', { thinksUnasked: false }],
])

/** https://docs.cohere.com/docs/reasoning */
const cohereThinkers = /^command-a-(reasoning|plus)\b/

/** Models are few, and each is asked for again and again; dated names that callers make up fill no memory. */
const mostKnown = 1_000
const known = new Map<string, ModelTraits>()

/**
 * What a model takes, by what its vendor calls it.
 * @param format that it is spoken to in: only its own traits are those of the model
 */
export function modelTraits(format: FormatName, name: string): ModelTraits {
  const key = `${format} ${name}`
  let traits = known.get(key)
  if (traits === undefined) {
    traits = findTraits(format, name)
    if (known.size < mostKnown) known.set(key, traits)
  }
  return traits
}

function findTraits(format: FormatName, name: string): ModelTraits {
  switch (format) {
    case 'openai-chat':
    case 'openai-responses':
      return { ...plain, openai: openaiTraits(name) }
    case 'anthropic-messages':
    case 'vertex-messages':
      return { ...plain, claude: claudeTraits(name) }
    case 'bedrock-messages':
      return { ...plain, claude: claudeAtBedrock(name) }
    case 'bedrock-converse':
      return { ...plain, claude: claudeAtBedrock(name), bedrock: bedrockTraits(name) }
    case 'google-generate':
      return { ...plain, gemini: geminiTraits(name) }
    case 'mistral-chat':
    case 'vertex-mistral': {
      const found = mistralModels.find(([beginning]) => name.startsWith(beginning))
      return found === undefined ? plain : { ...plain, mistral: found[1] }
    }
    case 'deepseek-chat':
      return { ...plain, deepseek: deepseekModels.get(name) ?? plain.deepseek }
    case 'cohere-chat':
      return { ...plain, cohere: { thinks: cohereThinkers.test(name) } }
    default:
      return plain
  }
}

/** The same model, but for what the platform holds to: a schema, where its own Converse does. */
function claudeAtBedrock(name: string): ModelTraits['claude'] {
  const traits = claudeTraits(name)
  return { ...traits, structuredOutput: traits.structuredOutput && bedrockTraits(name).schemas }
}
