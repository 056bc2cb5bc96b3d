import { invalidRequest, type Operation } from '@turnpike/protocol'

/** A model from `describeModels`, with the fields that Anthropic's shape uses. */
export interface ListedModel {
  id: string
  name: string
  created: number
  context_length: number
  max_output_tokens: number
  operations: readonly Operation[]
  [field: string]: unknown
}

const defaultLimit = 20
const mostLimit = 1_000

/** Whether the caller is a client of Anthropic's API: all of them send the API version. */
export function isAnthropicClient(header: (name: string) => string | undefined): boolean {
  return header('anthropic-version') !== undefined
}

/**
 * A page of models in Anthropic's shape: https://platform.claude.com/docs/en/api/models-list. Claude Code
 * reads here which models the key may use.
 * @param query of the address, without its question mark: `limit`, `after_id`, `before_id`
 * @throws {GatewayError} 400 naming the parameter
 */
export function anthropicPage(models: readonly ListedModel[], query: string): object {
  const parameters = new URLSearchParams(query)
  const limit = limitOf(parameters.get('limit'))
  const after = placeOf(models, parameters, 'after_id')
  const before = placeOf(models, parameters, 'before_id')
  const from = after === undefined ? 0 : after + 1
  const most = before ?? models.length
  const start = before === undefined || after !== undefined ? from : Math.max(from, most - limit)
  const page = models.slice(start, Math.min(most, start + limit))
  return {
    data: page.map(anthropicModel),
    has_more: before === undefined ? start + page.length < models.length : start > 0,
    first_id: page[0]?.id ?? null,
    last_id: page.at(-1)?.id ?? null,
  }
}

/** One model: https://platform.claude.com/docs/en/api/models. */
export function anthropicModel({ id, name, created, ...bounds }: ListedModel): object {
  return {
    type: 'model',
    id,
    display_name: name,
    created_at: `${new Date(created * 1_000).toISOString().slice(0, 19)}Z`,
    max_input_tokens: bounds.context_length,
    max_tokens: bounds.max_output_tokens,
  }
}

function limitOf(text: string | null): number {
  if (text === null) return defaultLimit
  const limit = Number(text)
  if (/^\d{1,4}$/.test(text) && limit >= 1 && limit <= mostLimit) return limit
  throw invalidRequest('limit', `limit: expected an integer from 1 to ${mostLimit}.`)
}

function placeOf(
  models: readonly ListedModel[],
  parameters: URLSearchParams,
  name: 'after_id' | 'before_id',
): number | undefined {
  const id = parameters.get(name)
  if (id === null) return undefined
  const place = models.findIndex((model) => model.id === id)
  if (place === -1) throw invalidRequest(name, `${name}: expected the id of a model in this list.`)
  return place
}
