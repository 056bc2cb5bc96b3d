import { Type, type Static } from 'typebox'
import type { ManagementApp } from '../management-app.ts'
import { nullable } from '../validation/fields.ts'

const usdPerToken = nullable(Type.String({ description: 'USD per token; null: it has no price.' }))

const changeSchema = Type.Object({
  model: Type.String(),
  price: Type.String({
    description: 'As in `pricing`: `prompt`, `overrides[min_prompt_tokens=200001].prompt`.',
  }),
  before: usdPerToken,
  after: usdPerToken,
  changed_percent: nullable(Type.Number({ description: 'Null: there is no ratio to nothing.' })),
})

const reportSchema = Type.Object({
  version: Type.String({ description: 'Two answers with the same version tell the same prices.' }),
  source: Type.String({ description: 'Where the prices are from.' }),
  updated_at: Type.Integer({ description: 'Last taken over, in Unix epoch seconds.' }),
  models: Type.Integer({ description: 'How many models there are.' }),
  changed_models: Type.Integer({ description: 'How many of them the last refresh gave other prices.' }),
  changes: Type.Array(changeSchema, {
    description: 'The prices that the last refresh changed by more than 20 %, made or took away.',
  }),
  unpriced: Type.Array(Type.String(), { description: 'Models that have no price and cannot be called.' }),
  problems: Type.Array(Type.String(), { description: 'Prices that could not be taken over.' }),
  not_charged: Type.Array(Type.Object({ model: Type.String(), prices: Type.Array(Type.String()) }), {
    description: 'What vendors charge besides, and we do not.',
  }),
})

export type PriceChange = Static<typeof changeSchema>
export type PriceReport = Static<typeof reportSchema>

/** The prices in force on this node. */
export interface PriceService {
  report(): PriceReport
  /** @throws {GatewayError} 400 or 502; everything stays as it was */
  refresh(): Promise<PriceReport>
}

/** The prices in force, and taking them over anew without a restart. */
export function registerPrices(app: ManagementApp, path: string, { prices }: { prices: PriceService }): void {
  app.get(path, { schema: { response: { 200: reportSchema } } }, async () => prices.report())
  app.post(`${path}/refresh`, { schema: { response: { 200: reportSchema } } }, () => prices.refresh())
}
