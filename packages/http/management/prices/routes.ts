import type { PriceHistoryEntry, PriceHistoryStore } from '@turnpike/billing'
import { Type, type Static } from 'typebox'
import type { ManagementApp } from '../management-app.ts'
import { listAnswer, listOf, pageOf, pageQuery } from '../page.ts'
import { timeQuery, timeRange } from '../time-range.ts'
import { epochSeconds, nullable, requestObject } from '../validation/fields.ts'

const usdPerToken = nullable(Type.String({ description: 'USD per token; null: it has no price.' }))

const changeSchema = Type.Object({
  model: Type.String(),
  price: Type.String({
    description: 'As in `pricing`: `prompt`, `overrides[min_prompt_tokens=200001].prompt`.',
  }),
  before: usdPerToken,
  after: usdPerToken,
  changed_percent: nullable(Type.Number({ description: 'Null if there was no old price.' })),
})

const reportSchema = Type.Object({
  version: Type.String({ description: 'Responses with the same version have the same prices.' }),
  source: Type.String({ description: 'The source of the prices.' }),
  updated_at: Type.Integer({ description: 'Last applied, in Unix epoch seconds.' }),
  models: Type.Integer({ description: 'Number of models.' }),
  changed_models: Type.Integer({ description: 'Number of models whose prices changed in the last refresh.' }),
  changes: Type.Array(changeSchema, {
    description: 'Prices that the last refresh added, removed, or changed by more than 20 %.',
  }),
  unpriced: Type.Array(Type.String(), { description: 'Models without a price, which cannot be called.' }),
  problems: Type.Array(Type.String(), { description: 'Prices that could not be applied.' }),
  not_charged: Type.Array(Type.Object({ model: Type.String(), prices: Type.Array(Type.String()) }), {
    description: 'Additional vendor charges that are not passed on.',
  }),
})

export type PriceChange = Static<typeof changeSchema>
export type PriceReport = Static<typeof reportSchema>

/** The current prices on this node. */
export interface PriceService {
  report(): PriceReport
  /** @throws {GatewayError} 400 or 502; all prices stay as they were */
  refresh(): Promise<PriceReport>
}

const entrySchema = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('price_change'),
    model: Type.String(),
    price: Type.String({
      description: 'As in `pricing`: `prompt`, `overrides[min_prompt_tokens=…].prompt`.',
    }),
    before: nullable(Type.String({ description: 'USD per token or unit; null: there was none.' })),
    after: nullable(Type.String({ description: 'Null: the price was removed.' })),
    source: Type.String({ description: 'The source of the new price.' }),
    version: Type.String({ description: 'Version of the price list.' }),
    created_at: Type.Integer({ description: 'When a node applied it, in Unix epoch seconds.' }),
  },
  { title: 'PriceHistoryEntry' },
)

interface PriceServices {
  prices: PriceService
  priceHistory: PriceHistoryStore
}

/** Shows the current prices and how they changed, and reloads them without a restart. */
export function registerPrices(
  app: ManagementApp,
  path: string,
  { prices, priceHistory }: PriceServices,
): void {
  app.get(path, { schema: { response: { 200: reportSchema } } }, async () => prices.report())
  app.post(`${path}/refresh`, { schema: { response: { 200: reportSchema } } }, () => prices.refresh())
  const model = Type.Optional(Type.String({ minLength: 1, maxLength: 256 }))
  app.get(
    `${path}/changes`,
    {
      schema: {
        querystring: requestObject({ model, ...timeQuery, ...pageQuery }),
        response: { 200: listOf(entrySchema) },
      },
    },
    async ({ query }) => {
      const filter = { ...(query.model !== undefined && { model: query.model }), ...timeRange(query) }
      return listAnswer(await priceHistory.list(filter, pageOf(query)), entryRecord)
    },
  )
}

function entryRecord(entry: PriceHistoryEntry): Static<typeof entrySchema> {
  return {
    id: entry.id,
    object: 'price_change',
    model: entry.model,
    price: entry.price,
    before: entry.before,
    after: entry.after,
    source: entry.source,
    version: entry.version,
    created_at: epochSeconds(entry.atMs),
  }
}
