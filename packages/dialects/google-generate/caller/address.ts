import type { AddressedTo } from '../../caller.ts'

/** Before the model's name; behind it stands a colon and what is asked of it. */
export const modelsPath = '/v1beta/models/'

/** The same in the stable version, which newer clients take by themselves. */
const stablePath = '/v1/models/'

/** Whether a path is one of Google's API, and of no other one. */
export function isGooglePath(path: string): boolean {
  return path.startsWith('/v1beta/') || (path.startsWith(stablePath) && parseModelPath(path) !== undefined)
}

/** What a path of Google's says: `/v1beta/models/openai/gpt-5:generateContent`. */
export interface ModelPath {
  /** As it is called, its escapes read. */
  model: string
  /** `generateContent`, …; undefined where none is named. */
  method: string | undefined
}

/** Undefined for a path of another kind. Behind the stable version of the API stands a method always. */
export function parseModelPath(path: string): ModelPath | undefined {
  const isBeta = path.startsWith(modelsPath)
  if (!isBeta && !path.startsWith(stablePath)) return undefined
  const rest = path.slice(isBeta ? modelsPath.length : stablePath.length)
  const colon = rest.lastIndexOf(':')
  const method = colon === -1 ? '' : rest.slice(colon + 1)
  // A colon may stand in a model's name, too: `llama3:8b`.
  if (!methods.has(method)) return isBeta ? { model: decodePath(rest), method: undefined } : undefined
  return { model: decodePath(rest.slice(0, colon)), method }
}

const methods: ReadonlySet<string> = new Set([
  'generateContent',
  'streamGenerateContent',
  'countTokens',
  'embedContent',
  'batchEmbedContents',
  'batchGenerateContent',
  'predict',
  'predictLongRunning',
])

/** The model and whether to stream, which are not in the body. */
export function parseAddress(path: string): AddressedTo {
  const { model = '', method } = parseModelPath(path) ?? {}
  return { model, stream: method === 'streamGenerateContent' }
}

function decodePath(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    // No valid escape: then the text is no model's name either, and the look-up says so.
    return text
  }
}
