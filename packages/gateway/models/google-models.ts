import { invalidRequest } from '@turnpike/protocol'
import type { ListedModel } from './anthropic-models.ts'

const defaultSize = 50
const mostSize = 1_000

/** Whether the caller is a client of Google's API: it sends its key in a header of its own. */
export function isGoogleClient(header: (name: string) => string | undefined): boolean {
  return header('x-goog-api-key') !== undefined || header('x-goog-api-client') !== undefined
}

/**
 * A page of models in Google's shape: https://ai.google.dev/api/models#method:-models.list.
 * @param query of the address, without its question mark: `pageSize`, `pageToken`
 * @throws {GatewayError} 400 naming the parameter
 */
export function googlePage(models: readonly ListedModel[], query: string): object {
  const parameters = new URLSearchParams(query)
  const size = sizeOf(parameters.get('pageSize') ?? parameters.get('page_size'))
  const token = parameters.get('pageToken') ?? parameters.get('page_token') ?? ''
  const start = token === '' ? 0 : models.findIndex(({ id }) => id === token)
  if (start === -1)
    throw invalidRequest('pageToken', 'pageToken: expected the nextPageToken of the previous page.')
  const next = models[start + size]
  const page = models.slice(start, start + size).map(googleModel)
  return next === undefined ? { models: page } : { models: page, nextPageToken: next.id }
}

/** One model: https://ai.google.dev/api/models#Model. */
export function googleModel({ id, name, ...bounds }: ListedModel): object {
  return {
    name: `models/${id}`,
    version: id,
    displayName: name,
    inputTokenLimit: bounds.context_length,
    outputTokenLimit: bounds.max_output_tokens,
    supportedGenerationMethods: ['generateContent', 'countTokens'],
  }
}

/** Google's servers accept larger sizes, and return no more for them. */
function sizeOf(text: string | null): number {
  if (text === null || text === '' || text === '0') return defaultSize
  if (/^\d{1,9}$/.test(text)) return Math.min(Number(text), mostSize)
  throw invalidRequest('pageSize', `pageSize: expected an integer from 1 to ${mostSize}.`)
}
