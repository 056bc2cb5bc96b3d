import type { FormatName, ModelTraits } from '@turnpike/dialects'
import { bedrockTraits, otherModel as otherBedrock } from './bedrock.ts'
import { claudeTraits, otherModel } from './claude.ts'
import { geminiTraits } from './gemini.ts'
import { openaiTraits, otherModel as otherOpenai } from './openai.ts'

/** For an unknown model. */
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
 * Magistral reasons because of its system prompt, which `prompt_mode` adds or omits. The others have an
 * effort: Small and Medium reason or do not, Large has levels
 * (https://docs.mistral.ai/inference/conversations/reasoning).
 */
const mistralModels: [beginning: string, ModelTraits['mistral']][] = [
  ['magistral', { thinking: 'prompt-mode' }],
  ['mistral-large', { thinking: 'steps' }],
]

/** `deepseek-chat` is the name of the mode without reasoning. */
const deepseekModels: ReadonlyMap<string, ModelTraits['deepseek']> = new Map([
  ['deepseek-chat', { thinksUnasked: false }],
])

/** https://docs.cohere.com/docs/reasoning */
const cohereThinkers = /^command-a-(reasoning|plus)\b/

/** Models are few and looked up often. The bound keeps names that callers invent from filling memory. */
const mostKnown = 1_000
const known = new Map<string, ModelTraits>()

/**
 * A model's traits, by its name at the vendor.
 * @param format the request's format: only its own traits apply
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

/**
 * The same model with the platform's restrictions: its schema support is that of the platform's own Converse.
 */
function claudeAtBedrock(name: string): ModelTraits['claude'] {
  const traits = claudeTraits(name)
  return { ...traits, structuredOutput: traits.structuredOutput && bedrockTraits(name).schemas }
}
