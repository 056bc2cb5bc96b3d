import type { AddressedTo } from '../../caller.ts'

/** Precedes the model's name, which is followed by a colon and the method. */
export const modelsPath = '/v1beta/models/'

/** The same in the stable version, which newer clients use by default. */
const stablePath = '/v1/models/'

/** Whether a path belongs to Google's API and to no other. */
export function isGooglePath(path: string): boolean {
  return path.startsWith('/v1beta/') || (path.startsWith(stablePath) && parseModelPath(path) !== undefined)
}

/** What a path of Google's says: `/v1beta/models/openai/gpt-5:generateContent`. */
export interface ModelPath {
  /** The model's name, with escapes decoded. */
  model: string
  /** `generateContent`, …; undefined if there is none. */
  method: string | undefined
}

/** Undefined for another kind of path. In the stable version of the API, a method is required. */
export function parseModelPath(path: string): ModelPath | undefined {
  const isBeta = path.startsWith(modelsPath)
  if (!isBeta && !path.startsWith(stablePath)) return undefined
  const rest = path.slice(isBeta ? modelsPath.length : stablePath.length)
  const colon = rest.lastIndexOf(':')
  const method = colon === -1 ? '' : rest.slice(colon + 1)
  // A model's name may contain a colon, too: `llama3:8b`.
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

/** The model, and whether to stream. Neither is in the body. */
export function parseAddress(path: string): AddressedTo {
  const { model = '', method } = parseModelPath(path) ?? {}
  return { model, stream: method === 'streamGenerateContent' }
}

function decodePath(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    // Not a valid escape. The text is not a model's name either, which the look-up reports.
    return text
  }
}
